// A matcher asked about the entries of one directory. Texts are read from their ends, so a name alone leads to a row, of which
// there are few; what the path before the name makes of each is found out once, with the help of the directory above. A name
// that cannot match costs some symbols of its end, and no path is put together for any.
import type { Matcher, TextEnd } from "./matcher.ts";

export class DirectoryMatcher {
  readonly #matcher: Matcher;
  readonly #above: DirectoryMatcher | null;
  /** What stands between the names above and those here. */
  readonly #prefix: string;
  /** By row. */
  #answers: (number | undefined)[] = [];
  #resets: number;

  constructor(matcher: Matcher, prefix: string, above: DirectoryMatcher | null = null) {
    this.#matcher = matcher;
    this.#prefix = prefix;
    this.#above = above;
    this.#resets = matcher.resets;
  }

  /** The same for a directory in this one. */
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
    // A reset on the way has given the number of the row to another.
    if (this.#matcher.resets === resets) this.#answers[row] = answer;
    return answer;
  }
}
