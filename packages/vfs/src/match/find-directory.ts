/** Applies the name and type predicates of `find` to the entries of one directory. */
import type { DirectoryGlob } from "@workspace/glob";
import type { Listing } from "../cache/cached-directory.ts";
import { TYPE_CODES } from "../tree/inode.ts";
import { mergeIndexes } from "../walk/merge-indexes.ts";
import type { FindPredicates } from "./find-predicates.ts";

export class FindDirectory {
  /** The path prefix of a name. */
  readonly prefix: string;
  readonly #tests: FindPredicates;
  /** Matches the last name; the same in every directory. */
  readonly #name: DirectoryGlob | null;
  readonly #path: DirectoryGlob | null;

  private constructor(tests: FindPredicates, prefix: string, name: DirectoryGlob | null, path: DirectoryGlob | null) {
    this.prefix = prefix;
    this.#tests = tests;
    this.#name = name;
    this.#path = path;
  }

  /** The start of the walk; `prefix` is its path with a slash. */
  static first(tests: FindPredicates, prefix: string): FindDirectory {
    return new FindDirectory(tests, prefix, tests.name?.within("") ?? null, tests.path?.within("") ?? null);
  }

  /** The predicates for a subdirectory. */
  enter(name: string): FindDirectory {
    return new FindDirectory(this.#tests, `${this.prefix}${name}/`, this.#name, this.#path?.enter(name) ?? null);
  }

  /** The indexes of the matching files and links, and of every directory; null where all match. */
  pick({ names, types, directories }: Listing): readonly number[] | null {
    const { type } = this.#tests;
    if (type === TYPE_CODES.dir) return directories;
    const passing = this.#passing(names);
    if (type === null) return passing === null ? null : mergeIndexes(passing, directories);
    return mergeIndexes(
      (passing ?? [...names.keys()]).filter((i) => types[i] === type),
      directories,
    );
  }

  takesDirectory(name: string): boolean {
    const { type } = this.#tests;
    if (type !== null && type !== TYPE_CODES.dir) return false;
    return (this.#name?.match(name, true) ?? true) && (this.#path?.match(name, true) ?? true);
  }

  /** Whether to enter a directory. */
  opens(name: string): boolean {
    return this.#path?.mayContain(name) ?? true;
  }

  /** Matches by name and path, treating entries as files. */
  #passing(names: readonly string[]): readonly number[] | null {
    const byName = this.#name?.matching(names) ?? null;
    const byPath = this.#path?.matching(names) ?? null;
    if (byName === null || byPath === null) return byName ?? byPath;
    const both = new Set(byPath);
    return byName.filter((i) => both.has(i));
  }
}
