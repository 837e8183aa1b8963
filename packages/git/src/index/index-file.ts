/** `.git/index`, read and written whole; in memory it is a list in git's order. */
import type { Oid } from "../object/oid.ts";
import type { IndexEntry, IndexStat } from "./index-entry.ts";

/** The trees that the index is known to equal, from git's TREE extension: makes commit and status cheap. */
export interface CacheTree {
  /** -1: changed since. */
  readonly entries: number;
  readonly oid: Oid | null;
  readonly children: ReadonlyMap<string, CacheTree>;
}

export interface IndexFile {
  /** 0: no file yet; a new file has the version of `index.version`. */
  readonly version: 0 | 2 | 3 | 4;
  /** By byte order of path, then stage. */
  readonly entries: readonly IndexEntry[];
  readonly tree: CacheTree | null;
  /** REUC: stages of resolved conflicts, as raw bytes. */
  readonly extensions: readonly { readonly signature: string; readonly body: Uint8Array }[];
  /** The modification time of the file itself in seconds and nanoseconds: an entry not older is racy. */
  readonly mtimeSeconds: number;
  readonly mtimeNanos: number;
  /** The file system's version of the file as it was read; null: there was none. */
  readonly fileVersion?: string | null;
  /** Stats of racy entries; verifying such a file gives its entry a new `stat` object. */
  readonly racy?: ReadonlySet<IndexStat>;
}
