/**
 * State of one path in a merge: the files of the base and of each side, which of them have a directory there instead, and the
 * result. Whether a side has a file is derived from the versions, so that the two cannot disagree.
 */
import { type Oid, ZERO_OID } from "../object/oid.ts";

export interface FileVersion {
  /** 0: missing. */
  readonly mode: number;
  readonly oid: Oid;
}

export const NOTHING: FileVersion = { mode: 0, oid: ZERO_OID };

/** As stages 1, 2 and 3 of the index. */
export type Triple<T> = [base: T, ours: T, theirs: T];
export const BASE = 0;
export const OURS = 1;
export const THEIRS = 2;
export type Side = typeof OURS | typeof THEIRS;
type VersionIndex = typeof BASE | Side;

export const otherSide = (side: Side): Side => (side === OURS ? THEIRS : OURS);

/** Which versions are the same file: a side and the base, or both sides; null: all differ, or some are missing. */
type MatchMask = "ours and base" | "theirs and base" | "both sides" | null;

export interface MergeEntry {
  /** Files only. */
  versions: Triple<FileVersion>;
  /** Path of each version: differs after a rename. */
  places: Triple<string>;
  directories: Triple<boolean>;
  matchMask: MatchMask;
  /** A file and a directory compete for this name. */
  dfConflict: boolean;
  /** The file's path is in conflict, whatever its content. */
  pathConflict: boolean;
  /** The path that it had to leave to another entry of that name. */
  movedFrom?: string;
  clean: boolean;
  result: FileVersion;
}

export function createEntry(path: string, input: Partial<MergeEntry> = {}): MergeEntry {
  return {
    versions: [NOTHING, NOTHING, NOTHING],
    places: [path, path, path],
    directories: [false, false, false],
    matchMask: null,
    dfConflict: false,
    pathConflict: false,
    clean: false,
    result: NOTHING,
    ...input,
  };
}

export const hasFile = ({ versions }: Pick<MergeEntry, "versions">, who: VersionIndex) => versions[who].mode !== 0;
export const hasAnyFile = ({ versions }: MergeEntry) => versions.some(({ mode }) => mode !== 0);
export const hasDirectory = ({ directories }: MergeEntry) => directories.includes(true);

/** The base had it, and both sides removed it. */
export function isGoneFromBoth(entry: MergeEntry): boolean {
  return hasFile(entry, BASE) && !hasFile(entry, OURS) && !hasFile(entry, THEIRS);
}

export function matchMaskOf([base, ours, theirs]: Triple<FileVersion>): MatchMask {
  if (base.mode !== 0 && sameVersion(base, ours)) return "ours and base";
  if (base.mode !== 0 && sameVersion(base, theirs)) return "theirs and base";
  return ours.mode !== 0 && sameVersion(ours, theirs) ? "both sides" : null;
}

export const sameVersion = (a: FileVersion, b: FileVersion) => a.mode === b.mode && a.oid === b.oid;
export function parentDirectory(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
