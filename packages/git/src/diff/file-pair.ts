/**
 * The unit of a difference: a file before and a file after. A missing side has mode 0; a side without an id is in the work tree and
 * hashed only on demand. Sides are compared by identity: one side may be the source of several pairs.
 */
import type { FileStat } from "@workspace/vfs";
import type { Oid } from "../object/oid.ts";

export interface FileSpec {
  readonly path: string;
  /** 0: missing. */
  readonly mode: number;
  /** Null: its content is in the work tree, or it is missing. */
  readonly oid: Oid | null;
  /** Of the file in the work tree. */
  readonly stat?: FileStat;
  /** Content that is not stored: `--no-index`, standard input. */
  readonly input?: Uint8Array;
  /** A submodule with changes of its own. */
  readonly dirty?: boolean;
}

type PairStatus = "A" | "C" | "D" | "M" | "R" | "T" | "U" | "X";

export interface FilePair {
  old: FileSpec;
  new: FileSpec;
  /** Set at the end; until then "X". */
  status: PairStatus;
  /** Similarity, or the removed share of a rewritten file; of 60 000. */
  score: number;
  unmerged?: boolean;
  /** Half of a split pair. */
  broken?: boolean;
  /** Its old side was found by rename detection. */
  renamed?: boolean;
  /** Extra header lines: the conflicts of `--remerge-diff`. A pair without sides shows nothing else. */
  headers?: readonly string[];
}

export const MAX_SCORE = 60_000;

export const exists = (side: FileSpec) => side.mode !== 0;

export function missingFile(path: string): FileSpec {
  return { path, mode: 0, oid: null };
}

export function createPair(before: FileSpec, after: FileSpec, score = 0): FilePair {
  return { old: before, new: after, status: "X", score };
}

/** Sides may carry a mode, which is all that is shown. */
export function unmergedPair(path: string, sides: { old?: FileSpec; new?: FileSpec } = {}): FilePair {
  return { ...createPair(sides.old ?? missingFile(path), sides.new ?? missingFile(path)), unmerged: true };
}

/** Neither created, deleted, renamed nor changed, as far as ids show. */
export function isUnmodified(pair: FilePair): boolean {
  const { old, new: fresh } = pair;
  if (pair.unmerged || !exists(old) || !exists(fresh)) return false;
  if (old.mode !== fresh.mode || old.path !== fresh.path) return false;
  if (old.oid !== null && old.oid === fresh.oid) return !old.dirty && !fresh.dirty;
  return false;
}

/** The similarity as git prints it: whole percents, truncated. */
export function percent(score: number): number {
  return Math.floor((score * 100) / MAX_SCORE);
}
