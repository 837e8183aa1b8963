/** What `find` asks about one directory's entries, by name and type. */
import type { DirectoryGlob } from "@workspace/glob";
import type { Listing } from "../cache/cached-directory.ts";
import { TYPE_CODES } from "../inode.ts";
import { mergeIndexes } from "../walk/merge-indexes.ts";
import type { FindPredicates } from "./find-predicates.ts";

export class FindDirectory {
  /** What stands before a name. */
  readonly prefix: string;
  readonly #tests: FindPredicates;
  /** Of the last name, the same in every directory. */
  readonly #name: DirectoryGlob | null;
  readonly #path: DirectoryGlob | null;

  private constructor(tests: FindPredicates, prefix: string, name: DirectoryGlob | null, path: DirectoryGlob | null) {
    this.prefix = prefix;
    this.#tests = tests;
    this.#name = name;
    this.#path = path;
  }

  /** Where the walk begins; `prefix` is its path with a slash. */
  static first(tests: FindPredicates, prefix: string): FindDirectory {
    return new FindDirectory(tests, prefix, tests.name?.within("") ?? null, tests.path?.within("") ?? null);
  }

  /** The same for a directory in this one. */
  enter(name: string): FindDirectory {
    return new FindDirectory(this.#tests, `${this.prefix}${name}/`, this.#name, this.#path?.enter(name) ?? null);
  }

  /** The indexes of the files and links that pass, and of every directory; null where all pass. */
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

  /** Whether to go into a directory. */
  opens(name: string): boolean {
    return this.#path?.mayContain(name) ?? true;
  }

  /** By name and path, taken for files. */
  #passing(names: readonly string[]): readonly number[] | null {
    const byName = this.#name?.matching(names) ?? null;
    const byPath = this.#path?.matching(names) ?? null;
    if (byName === null || byPath === null) return byName ?? byPath;
    const both = new Set(byPath);
    return byName.filter((i) => both.has(i));
  }
}
