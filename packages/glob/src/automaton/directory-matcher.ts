/**
 * Matches the entries of one directory by name. The automaton reads texts from their ends, so it reads the name first, and then
 * applies the effect of the directory's path, which is cached per row with the help of the parent directory. A name that cannot
 * match costs a few symbols at its end, and no path is joined.
 */
import type { Matcher, TextEnd } from "./matcher.ts";

export class DirectoryMatcher {
  readonly #matcher: Matcher;
  readonly #above: DirectoryMatcher | null;
  /** The separator between the parent names and those here. */
  readonly #prefix: string;
  /** The cached result of each row. */
  #answers: (number | undefined)[] = [];
  #resets: number;

  constructor(matcher: Matcher, prefix: string, above: DirectoryMatcher | null = null) {
    this.#matcher = matcher;
    this.#prefix = prefix;
    this.#above = above;
    this.#resets = matcher.resets;
  }

  /** The matcher of a subdirectory. */
  enter(name: string): DirectoryMatcher {
    return new DirectoryMatcher(this.#matcher, `${name}/`, this);
  }

  /** As `Matcher.match` of the whole path, or `Matcher.matchBelow`. */
  match(name: string, end: TextEnd): number {
    return this.#answer(this.#matcher.endRow(name, end));
  }

  #answer(row: number): number {
    const { resets } = this.#matcher;
    if (resets !== this.#resets) {
      this.#answers = [];
      this.#resets = resets;
    }
    const known = this.#answers[row];
    if (known !== undefined) return known;
    const before = this.#matcher.rowBefore(row, this.#prefix);
    const answer = this.#above === null ? this.#matcher.ruleOf(before) : this.#above.#answer(before);
    // A reset on the way has reassigned the row's number.
    if (this.#matcher.resets === resets) this.#answers[row] = answer;
    return answer;
  }
}
