/**
 * What a merge knows of one path: the file that the base and each side have there, which of them have a directory there instead, and
 * what comes out. Whether somebody has a file is asked of the versions themselves, so that the two cannot disagree.
 */
import { type Oid, ZERO_OID } from "../oid.ts";

export interface FileVersion {
  /** 0: there is nothing. */
  readonly mode: number;
  readonly oid: Oid;
}

export const NOTHING: FileVersion = { mode: 0, oid: ZERO_OID };

/** As stages 1, 2 and 3 of the index have them. */
export type Triple<T> = [base: T, ours: T, theirs: T];
export const BASE = 0;
export const OURS = 1;
export const THEIRS = 2;
export type Side = typeof OURS | typeof THEIRS;
export type VersionIndex = typeof BASE | Side;

export const otherSide = (side: Side): Side => (side === OURS ? THEIRS : OURS);

/** Who has the same file: a side as the base had it, or both sides; null: all differ, or are not there to be compared. */
export type MatchMask = "ours and base" | "theirs and base" | "both sides" | null;

export interface MergeEntry {
  /** Files only. */
  versions: Triple<FileVersion>;
  /** Where each version was found: another path after a rename. */
  places: Triple<string>;
  directories: Triple<boolean>;
  matchMask: MatchMask;
  /** A file and a directory want this name. */
  dfConflict: boolean;
  /** Where the file belongs is in doubt, whatever is in it. */
  pathConflict: boolean;
  /** The path that it had to leave to something else of that name. */
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

/** The base had it, and nobody has it now. */
export function isGoneFromBoth(entry: MergeEntry): boolean {
  return hasFile(entry, BASE) && !hasFile(entry, OURS) && !hasFile(entry, THEIRS);
}

export function matchMaskOf([base, ours, theirs]: Triple<FileVersion>): MatchMask {
  if (base.mode !== 0 && sameVersion(base, ours)) return "ours and base";
  if (base.mode !== 0 && sameVersion(base, theirs)) return "theirs and base";
  return ours.mode !== 0 && sameVersion(ours, theirs) ? "both sides" : null;
}

export const sameVersion = (a: FileVersion, b: FileVersion) => a.mode === b.mode && a.oid === b.oid;
export const modeType = (mode: number) => mode & 0o170000;
export const isFile = (mode: number) => modeType(mode) === 0o100000;
export const isLink = (mode: number) => modeType(mode) === 0o120000;
export const isSubmodule = (mode: number) => modeType(mode) === 0o160000;

export function parentDirectory(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
