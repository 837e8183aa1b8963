/** Applies `glob` to the entries of one directory by name: which to yield, and which directories may contain matches. */
import type { DirectoryGlob, Glob } from "@workspace/glob";
import type { Listing } from "../cache/cached-directory.ts";
import { TYPE_CODES } from "../tree/inode.ts";
import { mergeIndexes } from "../walk/merge-indexes.ts";

export interface GlobQuery {
  readonly globs: readonly Glob[];
  readonly exclude: readonly Glob[] | ((path: string) => boolean);
  /** Yield directories too. */
  readonly dirs: boolean;
  /** The prefix of a path relative to the start of the walk. */
  readonly prefix: "" | "/";
}

export class GlobDirectory {
  /** The path prefix of a name. */
  readonly prefix: string;
  readonly #query: GlobQuery;
  readonly #globs: readonly DirectoryGlob[];
  readonly #excludes: readonly DirectoryGlob[];

  private constructor(
    requested: GlobQuery,
    prefix: string,
    globs: readonly DirectoryGlob[],
    excludes: readonly DirectoryGlob[],
  ) {
    this.prefix = prefix;
    this.#query = requested;
    this.#globs = globs;
    this.#excludes = excludes;
  }

  /** The start of the walk. */
  static first(query: GlobQuery): GlobDirectory {
    const { globs, exclude, prefix } = query;
    const within = (glob: Glob) => glob.within(prefix);
    return new GlobDirectory(
      query,
      prefix,
      globs.map(within),
      typeof exclude === "function" ? [] : exclude.map(within),
    );
  }

  /** The globs for a subdirectory. */
  enter(name: string): GlobDirectory {
    const globs = enterAll(this.#globs, name);
    const excludes = enterAll(this.#excludes, name);
    return new GlobDirectory(this.#query, `${this.prefix}${name}/`, globs, excludes);
  }

  /** The indexes of the files to yield, and of every directory. */
  pick({ names, types, directories }: Listing): readonly number[] {
    let matching: readonly number[] = [];
    for (const glob of this.#globs) matching = mergeIndexes(matching, glob.matching(names));
    const { exclude } = this.#query;
    const isYielded = (i: number) => types[i] === TYPE_CODES.dir || !this.#excluded(names[i] as string, false);
    const excludesNone = typeof exclude !== "function" && exclude.length === 0;
    return mergeIndexes(excludesNone ? matching : matching.filter(isYielded), directories);
  }

  yieldsDirectory(name: string): boolean {
    if (!this.#query.dirs) return false;
    for (const glob of this.#globs) if (glob.match(name, true)) return !this.#excluded(name, false);
    return false;
  }

  /** Whether to enter a directory. */
  opens(name: string): boolean {
    for (const glob of this.#globs) if (glob.mayContain(name)) return !this.#excluded(name, true);
    return false;
  }

  /** `entering`: decides whether to enter a directory; otherwise whether to yield the path. */
  #excluded(name: string, entering: boolean): boolean {
    const { exclude } = this.#query;
    if (typeof exclude === "function") return exclude(this.prefix + name);
    for (const glob of this.#excludes) if (glob.match(name, entering)) return true;
    return false;
  }
}

/** Returns the same list when the globs agree on both directories. */
function enterAll(globs: readonly DirectoryGlob[], name: string): readonly DirectoryGlob[] {
  const only = globs.length === 1 ? globs[0] : undefined;
  if (only === undefined) return globs.map((glob) => glob.enter(name));
  const entered = only.enter(name);
  return entered === only ? globs : [entered];
}

/** The start itself is ".", as in Node. */
export function matchStart({ globs, exclude, dirs, prefix }: GlobQuery): string[] {
  const path = prefix === "" ? "." : prefix;
  if (!dirs || !globs.some((glob) => glob.match(path, true))) return [];
  const excluded = typeof exclude === "function" ? exclude(path) : exclude.some((glob) => glob.match(path, false));
  return excluded ? [] : [path];
}

/** Like `opens`, for a path relative to the start of the walk, and without a call of the caller's function. */
export function mayHold({ globs, exclude, prefix }: GlobQuery, below: string): boolean {
  const path = prefix + below;
  if (!globs.some((glob) => glob.mayContain(path))) return false;
  return typeof exclude === "function" || !exclude.some((glob) => glob.match(path, true));
}
