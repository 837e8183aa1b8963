/** One index entry. Names are text: the file system's names are UTF-8, and a tree with others is refused at checkout. */
import type { Oid } from "../object/oid.ts";

export type Stage = 0 | 1 | 2 | 3;

/** The stat that git stores to detect unchanged files without reading them. All 32-bit, as in the file. */
export interface IndexStat {
  readonly ctimeSeconds: number;
  readonly ctimeNanos: number;
  readonly mtimeSeconds: number;
  readonly mtimeNanos: number;
  readonly dev: number;
  readonly ino: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
}

export interface IndexEntry {
  readonly path: string;
  readonly stage: Stage;
  /** 0o100644, 0o100755, 0o120000 or 0o160000. */
  readonly mode: number;
  readonly oid: Oid;
  readonly stat: IndexStat;
  readonly assumeValid?: boolean;
  readonly skipWorktree?: boolean;
  readonly intentToAdd?: boolean;
}
