/**
 * Cache of each directory's names. A directory's times change whenever a name is added or removed, so an unchanged stat means
 * unchanged names, unless it changed within the clock's tick of being read. This does not cover file contents: every file is
 * still checked.
 */
import { isUtf8 } from "node:buffer";
import { fstatSync, readdirSync, type Stats } from "node:fs";
import type { DirectoryHandle } from "../jail/directory-handle.ts";
import { fingerprint, isRacy, type StatFingerprint, sameFingerprint } from "./manifest.ts";

export interface DirectoryListing {
  looks: StatFingerprint;
  /** Paths below the root, stored so that they need not be joined again. */
  paths: string[];
  /** Names that are not valid text, with their bytes escaped: two of them may decode to the same string. */
  unfit: string[];
}

const REPLACEMENT = "\ufffd";

export class Listings {
  readonly #listings = new Map<string, DirectoryListing>();

  /** The cached names, if the directory's stat is unchanged. `prefix`: its path with a slash, or "". */
  find(prefix: string, stat: Stats): DirectoryListing | undefined {
    const listing = this.#listings.get(prefix);
    return listing !== undefined && sameFingerprint(listing.looks, stat) ? listing : undefined;
  }

  /** `now`: the disk's time before this read began. */
  read(prefix: string, directory: DirectoryHandle, now: number): DirectoryListing {
    // Stat before reading the names: a later change then alters the stat.
    const looks = fingerprint(fstatSync(directory.fd));
    const listing = { looks, ...namesIn(directory, prefix) };
    if (isRacy(looks, now)) this.#listings.delete(prefix);
    else this.#listings.set(prefix, listing);
    return listing;
  }

  /** Drops listings of directories that no longer exist. */
  keepOnly(isThere: (prefix: string) => boolean): void {
    for (const prefix of this.#listings.keys()) if (!isThere(prefix)) this.#listings.delete(prefix);
  }

  get size(): number {
    return this.#listings.size;
  }
}

function namesIn(directory: DirectoryHandle, prefix: string): { paths: string[]; unfit: string[] } {
  const names = readdirSync(directory.path);
  if (!names.some((name) => name.includes(REPLACEMENT)))
    return { paths: names.map((name) => prefix + name), unfit: [] };
  const paths: string[] = [];
  const unfit: string[] = [];
  for (const bytes of readdirSync(directory.path, { encoding: "buffer" })) {
    if (isUtf8(bytes)) paths.push(prefix + bytes.toString());
    else unfit.push(prefix + escaped(bytes));
  }
  return { paths, unfit };
}

function escaped(bytes: Uint8Array): string {
  const isPlain = (byte: number) => byte >= 0x20 && byte < 0x7f;
  return Array.from(bytes, (byte) =>
    isPlain(byte) ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
  ).join("");
}
