/** A directory in memory: its names as a map, for lookups, and after the first walk also as a listing. */
import { type Inode, TYPE_CODES, type TypeCode, typeCode } from "../tree/inode.ts";
import { sortNames } from "./sort-names.ts";

export interface CachedDirectory {
  /** 0: known to be missing. */
  readonly entries: Map<string, number>;
  complete: boolean;
  /** Complete, but its inodes were not read along. */
  namesOnly: boolean;
  /** Entries are in byte order of names. */
  sorted: boolean;
  listing: Listing | null;
  misses: number;
  /** A load was tried; the directory is too large to cache. */
  tooLarge: boolean;
  used: number;
}

/**
 * Entries in byte order of names, as arrays: a walk allocates no object per entry. Immutable; a change replaces the whole listing.
 */
export interface Listing {
  readonly names: readonly string[];
  readonly inos: readonly number[];
  readonly types: readonly TypeCode[];
  /** The indexes of the directories among them. */
  readonly directories: readonly number[];
}

export function emptyDirectory(): CachedDirectory {
  return {
    entries: new Map(),
    complete: false,
    namesOnly: false,
    sorted: true,
    listing: null,
    misses: 0,
    tooLarge: false,
    used: 0,
  };
}

/** In byte order of names; null when an inode that provides a type is not in memory. */
export function listEntries(entries: ReadonlyMap<string, number>, inodes: ReadonlyMap<number, Inode>): Listing | null {
  const names = sortNames(copied([...entries.keys()].filter((name) => entries.get(name) !== 0)));
  const inos = names.map((name) => entries.get(name) as number);
  const known = inos.map((ino) => inodes.get(ino));
  return known.includes(undefined) ? null : makeListing(names, inos, (known as Inode[]).map(typeCode));
}

export function makeListing(names: readonly string[], inos: readonly number[], types: readonly TypeCode[]): Listing {
  const directories: number[] = [];
  for (let i = 0; i < types.length; i++) if (types[i] === TYPE_CODES.dir) directories.push(i);
  return { names, inos, types, directories };
}

/**
 * Names are slices of the paths they came with. V8 keeps a slice as a view: slow to read, and it retains the whole path. A round
 * trip through JSON makes independent strings.
 */
function copied(names: readonly string[]): string[] {
  return JSON.parse(JSON.stringify(names)) as string[];
}
