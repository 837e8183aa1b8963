/**
 * What a merge knows of one path: the file that the base and each side have there, which of them have a directory there instead, and
 * what comes out. Whether somebody has a file is asked of the versions themselves, so that the two cannot disagree.
 */
import { type Oid, ZERO_OID } from "../oid.ts";

export interface Version {
  /** 0: there is nothing. */
  readonly mode: number;
  readonly oid: Oid;
}

export const NOTHING: Version = { mode: 0, oid: ZERO_OID };

/** As stages 1, 2 and 3 of the index have them. */
export type Three<T> = [base: T, ours: T, theirs: T];
export const BASE = 0;
export const OURS = 1;
export const THEIRS = 2;
export type Side = typeof OURS | typeof THEIRS;
export type Who = typeof BASE | Side;

export const otherSide = (side: Side): Side => (side === OURS ? THEIRS : OURS);

/** Who has the same file: a side as the base had it, or both sides; null: all differ, or are not there to be compared. */
export type Likeness = "ours and base" | "theirs and base" | "both sides" | null;

export interface MergeEntry {
  /** Files only. */
  versions: Three<Version>;
  /** Where each version was found: another path after a rename. */
  places: Three<string>;
  directories: Three<boolean>;
  alike: Likeness;
  /** A file and a directory want this name. */
  contested: boolean;
  /** Where the file belongs is in doubt, whatever is in it. */
  misplaced: boolean;
  /** The path that it had to leave to something else of that name. */
  movedFrom?: string;
  clean: boolean;
  result: Version;
}

export function createEntry(path: string, given: Partial<MergeEntry> = {}): MergeEntry {
  return {
    versions: [NOTHING, NOTHING, NOTHING],
    places: [path, path, path],
    directories: [false, false, false],
    alike: null,
    contested: false,
    misplaced: false,
    clean: false,
    result: NOTHING,
    ...given,
  };
}

export const hasFile = ({ versions }: Pick<MergeEntry, "versions">, who: Who) => versions[who].mode !== 0;
export const hasAnyFile = ({ versions }: MergeEntry) => versions.some(({ mode }) => mode !== 0);
export const hasDirectory = ({ directories }: MergeEntry) => directories.includes(true);

/** The base had it, and nobody has it now. */
export function isGoneFromBoth(entry: MergeEntry): boolean {
  return hasFile(entry, BASE) && !hasFile(entry, OURS) && !hasFile(entry, THEIRS);
}

export function likenessOf([base, ours, theirs]: Three<Version>): Likeness {
  if (base.mode !== 0 && sameVersion(base, ours)) return "ours and base";
  if (base.mode !== 0 && sameVersion(base, theirs)) return "theirs and base";
  return ours.mode !== 0 && sameVersion(ours, theirs) ? "both sides" : null;
}

export const sameVersion = (a: Version, b: Version) => a.mode === b.mode && a.oid === b.oid;
export const typeOf = (mode: number) => mode & 0o170000;
export const isFile = (mode: number) => typeOf(mode) === 0o100000;
export const isLink = (mode: number) => typeOf(mode) === 0o120000;
export const isSubmodule = (mode: number) => typeOf(mode) === 0o160000;

export function directoryOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
