/**
 * The names in each directory as they were last read. A directory's times change with every name that comes or goes, so one that
 * looks as it did has the names that it had, unless it changed within the clock's tick of being read. What is in the files says
 * nothing of this: each is still looked at.
 */
import { isUtf8 } from "node:buffer";
import { fstatSync, readdirSync, type Stats } from "node:fs";
import type { DirectoryHandle } from "../jail/directory-handle.ts";
import { fingerprint, isRacy, type StatFingerprint, sameFingerprint } from "./manifest.ts";

export interface DirectoryListing {
  looks: StatFingerprint;
  /** Below the root, so that nobody puts them together again. */
  paths: string[];
  /** Names that are not text, with their bytes escaped: two of them may read the same. */
  unfit: string[];
}

const REPLACEMENT = "\ufffd";

export class Listings {
  readonly #listings = new Map<string, DirectoryListing>();

  /** What was read, if the directory still looks so. `prefix`: its path with a slash, or "". */
  find(prefix: string, stat: Stats): DirectoryListing | undefined {
    const listing = this.#listings.get(prefix);
    return listing !== undefined && sameFingerprint(listing.looks, stat) ? listing : undefined;
  }

  /** `now`: the disk's time, before this reading began. */
  read(prefix: string, directory: DirectoryHandle, now: number): DirectoryListing {
    // Before the names are read: what comes meanwhile changes the looks.
    const looks = fingerprint(fstatSync(directory.fd));
    const listing = { looks, ...namesIn(directory, prefix) };
    if (isRacy(looks, now)) this.#listings.delete(prefix);
    else this.#listings.set(prefix, listing);
    return listing;
  }

  /** Those of directories that are gone are of no use to anybody. */
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
