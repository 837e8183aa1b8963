/** One directory of a walk and the position in it: all its entries, or a page of them if it is too large to cache. */
import { type Listing, makeListing } from "../cache/cached-directory.ts";
import type { EntryDetail } from "../cache/metadata-cache.ts";
import { listInodes, listRows } from "../cache/read-directories.ts";
import { LISTED_MAX } from "../store/listings.ts";
import type { Inode } from "../tree/inode.ts";
import type { ReadView } from "../volume/views.ts";

/** A directory to enter. */
export interface PendingDirectory {
  readonly name: string;
  readonly ino: number;
  /** The previous pending directory that has not been entered yet. */
  readonly before: PendingDirectory | null;
}

/** A page of entries. */
interface FramePage {
  readonly listing: Listing;
  /** Null when not requested. */
  readonly inodes: readonly Inode[] | null;
  /** More entries may follow these. */
  readonly more: boolean;
}

export class DirectoryFrame<State> implements FramePage {
  readonly ino: number;
  readonly name: string;
  /** Null at the start of the walk. */
  readonly above: DirectoryFrame<State> | null;
  /** Path relative to the start of the walk, with a slash, or "" there. */
  readonly prefix: string;
  listing = NO_ENTRIES;
  inodes: readonly Inode[] | null = null;
  more = false;
  /** The indexes at which the walk stops; null for all. */
  picked: readonly number[] | null = null;
  /** The number of stops so far. */
  at = 0;
  wanted: PendingDirectory | null = null;
  /** A write has happened since the entries were read. */
  stale = false;
  /** The walk's own state for this directory. */
  state: State | undefined = undefined;

  constructor(ino: number, name: string, above: DirectoryFrame<State> | null) {
    this.ino = ino;
    this.name = name;
    this.above = above;
    this.prefix = above === null ? "" : `${above.prefix}${name}/`;
  }

  /** The index of the entry to stop at next, or -1 at the end. */
  next(): number {
    const { at, picked } = this;
    if (picked === null) return at < this.listing.names.length ? at : -1;
    return at < picked.length ? (picked[at] as number) : -1;
  }

  /** All entries, or the first page. */
  read(volume: ReadView, what: EntryDetail): void {
    const { cache } = volume;
    const listing =
      what === "inodes" && cache.loadComplete(this.ino) === undefined ? undefined : cache.listing(this.ino);
    if (listing === undefined) this.turnPage(volume, what);
    else if (what === "names") this.listing = listing;
    // A later eviction may drop inodes, so they are read now.
    else this.#take(withInodes(listing, cache.inodesOf(listing.inos)));
  }

  /** Replaces the current page with the next. */
  turnPage(volume: ReadView, what: EntryDetail): void {
    const limit = Math.min(volume.limits.listPage, LISTED_MAX);
    const after = this.listing.names.at(-1) ?? "";
    const page = (what === "names" ? pageOfNames : pageOfInodes)(volume, this.ino, after, limit);
    volume.cache.entriesRead += page.listing.names.length;
    this.#take(page);
  }

  #take({ listing, inodes, more }: FramePage): void {
    this.listing = listing;
    this.inodes = inodes;
    this.more = more;
    this.at = 0;
  }
}

const NO_ENTRIES = makeListing([], [], []);

function withInodes(listing: Listing, inodes: readonly (Inode | null)[]): FramePage {
  if (!inodes.includes(null)) return { listing, inodes: inodes as Inode[], more: false };
  const isThere = (_: unknown, at: number) => inodes[at] !== null;
  return {
    listing: makeListing(listing.names.filter(isThere), listing.inos.filter(isThere), listing.types.filter(isThere)),
    inodes: inodes.filter((inode) => inode !== null),
    more: false,
  };
}

function pageOfNames({ tree }: ReadView, ino: number, after: string, limit: number): FramePage {
  const rows = tree.dirents(ino, after, limit);
  return { listing: listRows(rows), inodes: null, more: rows.length === limit };
}

function pageOfInodes({ tree }: ReadView, ino: number, after: string, limit: number): FramePage {
  const rows = tree.entries(ino, after, limit);
  return { listing: listInodes(rows), inodes: rows.map(({ inode }) => inode), more: rows.length === limit };
}
