/**
 * Matches the entries of one directory against a Node glob, by name. It compares a name with the pattern's literal suffixes first;
 * where they decide, it caches the result per directory.
 */
import { DOT } from "../automaton/char-set.ts";
import type { DirectoryMatcher } from "../automaton/directory-matcher.ts";
import type { NameSuffix, NameTails } from "./name-tails.ts";

export class DirectoryGlob {
  readonly #matcher: DirectoryMatcher;
  readonly #tails: readonly NameSuffix[] | null;
  readonly #everywhere: boolean;
  /** Cached results, by the bit set of the tails that a name has. */
  readonly #answers: (boolean | undefined)[] = [];

  constructor(matcher: DirectoryMatcher, tails: readonly NameSuffix[] | null, everywhere: boolean) {
    this.#matcher = matcher;
    this.#tails = tails;
    this.#everywhere = everywhere;
  }

  /** The glob at the start of a walk. */
  static first(matcher: DirectoryMatcher, tails: NameTails | null): DirectoryGlob {
    return new DirectoryGlob(matcher, tails?.tails ?? null, tails?.everywhere ?? false);
  }

  match(name: string, isDirectory: boolean): boolean {
    const tails = this.#tails;
    if (tails === null || isDotted(name)) return this.#ask(name, isDirectory);
    let bits = 0;
    let isExact = true;
    for (let i = 0; i < tails.length; i++) {
      const { text, kind } = tails[i]!;
      if (kind === "whole" ? name !== text : !name.endsWith(text)) continue;
      bits |= 1 << i;
      if (kind === "part") isExact = false;
    }
    if (bits === 0) return false;
    if (this.#everywhere) return true;
    return isExact ? (this.#answers[bits] ??= this.#ask(name, isDirectory)) : this.#ask(name, isDirectory);
  }

  /** The indexes of the names that match as files. */
  matching(names: readonly string[]): number[] {
    const [only, ...others] = this.#tails ?? [];
    if (only?.kind === "suffix" && others.length === 0) return this.#withSuffix(names, only.text);
    const found: number[] = [];
    for (let i = 0; i < names.length; i++) if (this.match(names[i]!, false)) found.push(i);
    return found;
  }

  /** Whether anything below this directory could match. No false negatives. */
  mayContain(name: string): boolean {
    return (this.#everywhere && !isDotted(name)) || this.#matcher.match(name, "below") >= 0;
  }

  /** The glob of a subdirectory; itself, if the pattern treats both the same. */
  enter(name: string): DirectoryGlob {
    // `**` treats all names before the last alike, unless they are dotted.
    if (this.#everywhere && !isDotted(name)) return this;
    return new DirectoryGlob(this.#matcher.enter(name), this.#tails, false);
  }

  /** Most patterns are of this kind, and most names fail here. */
  #withSuffix(names: readonly string[], suffix: string): number[] {
    const found: number[] = [];
    for (let i = 0; i < names.length; i++) {
      if (names[i]!.endsWith(suffix) && this.match(names[i]!, false)) found.push(i);
    }
    return found;
  }

  #ask(name: string, isDirectory: boolean): boolean {
    return this.#matcher.match(name, isDirectory ? "directory" : "file") >= 0;
  }
}

function isDotted(name: string): boolean {
  return name.charCodeAt(0) === DOT;
}
