/**
 * What a merge knows of one path: what the base and both sides have there, and what comes out. The masks are git's: bit 0 for the
 * base, bit 1 for our side, bit 2 for theirs.
 */
import { type Oid, ZERO_OID } from "../oid.ts";

export interface Version {
  /** 0: there is nothing. */
  readonly mode: number;
  readonly oid: Oid;
}

export const NOTHING: Version = { mode: 0, oid: ZERO_OID };

export type Three<T> = [base: T, ours: T, theirs: T];

export interface MergeEntry {
  stages: Three<Version>;
  /** Where each version was found: another path after a rename. */
  paths: Three<string>;
  filemask: number;
  dirmask: number;
  /** 3: ours is as the base, 5: theirs is, 6: both sides are alike. */
  matchMask: number;
  /** A file and a directory want the same name. */
  dfConflict: boolean;
  /** Where it belongs is in doubt, whatever is in it. */
  pathConflict: boolean;
  clean: boolean;
  result: Version;
}

export function createEntry(path: string, given: Partial<MergeEntry> = {}): MergeEntry {
  return {
    stages: [NOTHING, NOTHING, NOTHING],
    paths: [path, path, path],
    filemask: 0,
    dirmask: 0,
    matchMask: 0,
    dfConflict: false,
    pathConflict: false,
    clean: false,
    result: NOTHING,
    ...given,
  };
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
