/**
 * What entries of the log changed, cell by cell: the meaning of each name, and the bytes, mode and time of each inode. Entries are
 * taken in newest first; for a chosen one a cell's target becomes what was before it, for any other the cell remembers that
 * somebody else came later. A chosen entry below a later one of somebody else is a conflict of that cell and of no other.
 */
import type { ContentRef } from "../content/reader.ts";
import type { Inode } from "../inode.ts";
import type { PastEntry } from "../store/past-entry.ts";
import { lastName, slotsOf } from "./rewind.ts";

export class Cell<T> {
  /** Before anything is undone. */
  readonly now: T;
  /** What it was before the oldest of the chosen entries. */
  target: T;
  touched = false;
  /** The newest entry of somebody else, if it came after a chosen one and something of it is left. */
  conflict: PastEntry | null = null;
  /** The oldest of the chosen entries. */
  oldest: PastEntry | null = null;
  /** The newest of somebody else's since the last chosen one. */
  #later: PastEntry | null = null;
  /** Before the entries taken in so far. */
  #state: T;

  constructor(now: T) {
    this.now = now;
    this.target = now;
    this.#state = now;
  }

  take(entry: PastEntry, chosen: boolean, before: T): void {
    if (!chosen) {
      this.#later ??= entry;
      this.#state = before;
      return;
    }
    // What others made of it they have taken back themselves: it is again what this entry left, and nothing of theirs can be lost.
    if (this.#later !== null && !isEqual(this.#state, this.target)) this.conflict ??= this.#later;
    this.#later = null;
    this.#state = before;
    this.target = before;
    this.touched = true;
    this.oldest = entry;
  }
}

/** Bytes are the same where they are the same row. */
function isEqual<T>(a: T, b: T): boolean {
  if (typeof a !== "object" || a === null) return a === b;
  const [one, other] = [a, b] as unknown as [ContentRef, ContentRef];
  return one.content === other.content && one.size === other.size;
}

export interface SlotCell extends Cell<number> {
  readonly parent: number;
  readonly name: string;
}

/** Bytes that the chosen entries put in the place of others, without a foreign entry between them: newest first. */
export interface Rewrite {
  readonly after: ContentRef;
  before: ContentRef;
}

export class InodeCells {
  readonly inode: Inode;
  readonly content: Cell<ContentRef>;
  readonly mode: Cell<number>;
  readonly mtime: Cell<number>;
  readonly rewrites: Rewrite[] = [];
  #lastWriteChosen = false;
  /** As it was before the entries taken in so far. */
  #state: Pick<Inode, "content" | "size" | "mode" | "mtime">;

  constructor(inode: Inode) {
    this.inode = inode;
    this.#state = inode;
    this.content = new Cell<ContentRef>({ content: inode.content, size: inode.size });
    this.mode = new Cell(inode.mode);
    this.mtime = new Cell(inode.mtime);
  }

  write(entry: PastEntry, chosen: boolean): void {
    const { content, size } = this.#state;
    const before = { content: entry.oldContent ?? content, size: entry.oldSize ?? size };
    this.content.take(entry, chosen, before);
    const last = this.rewrites.at(-1);
    if (chosen && this.#lastWriteChosen && last !== undefined) last.before = before;
    else if (chosen) this.rewrites.push({ after: { content, size }, before });
    this.#lastWriteChosen = chosen;
    this.#state = { ...this.#state, ...before };
    this.touch(entry, chosen, entry.oldMtime);
  }

  attributes(entry: PastEntry, chosen: boolean): void {
    const mode = entry.oldMode ?? this.#state.mode;
    if (mode !== this.#state.mode) this.mode.take(entry, chosen, mode);
    this.#state = { ...this.#state, mode };
    this.touch(entry, chosen, entry.oldMtime);
  }

  touch(entry: PastEntry, chosen: boolean, mtime: number | null): void {
    if (mtime === null) return;
    this.mtime.take(entry, chosen, mtime);
    this.#state = { ...this.#state, mtime };
  }
}

export interface SeenPlace {
  readonly parent: number;
  readonly name: string;
  /** At the time. */
  readonly path: string;
}

export class Cells {
  readonly inodes = new Map<number, InodeCells>();
  /** Revisions of the chosen entries. */
  readonly chosen = new Set<number>();
  /** Inodes that chosen entries made. */
  readonly created = new Set<number>();
  /** What entries that were not chosen have to do with. */
  readonly #others = new Set<number>();
  readonly #slots = new Map<number, Map<string, SlotCell>>();
  /** Where inodes were last seen by an entry of their own, at a name that no later entry took from them. */
  readonly #places = new Map<number, SeenPlace>();
  /** Names that entries took from inodes. */
  readonly #taken = new Set<string>();

  /** Inodes as they are now must have been given before an entry that concerns them. */
  know(inodes: Iterable<Inode>): void {
    for (const inode of inodes) if (!this.inodes.has(inode.ino)) this.inodes.set(inode.ino, new InodeCells(inode));
  }

  /** What has not been given yet. */
  unknown(entries: readonly PastEntry[]): number[] {
    const missing = new Set<number>();
    for (const { ino, parent, fromParent, replaced } of entries) {
      for (const each of [ino, parent, fromParent, replaced])
        if (each !== null && each !== 0 && !this.inodes.has(each)) missing.add(each);
    }
    return [...missing];
  }

  take(entry: PastEntry, chosen: boolean): void {
    if (!chosen) for (const ino of [entry.ino, entry.parent, entry.fromParent ?? 0]) this.#others.add(ino);
    else {
      this.chosen.add(entry.rev);
      if (entry.op === "create") this.created.add(entry.ino);
    }
    this.#see(entry);
    for (const { parent, name, before, after } of slotsOf(entry)) {
      this.#slot(parent, name, after).take(entry, chosen, before);
      if (before !== 0 && before !== after) this.#taken.add(`${before} ${parent}/${name}`);
    }
    if (entry.op === "write") this.inodes.get(entry.ino)?.write(entry, chosen);
    if (entry.op === "attr") this.inodes.get(entry.ino)?.attributes(entry, chosen);
    if (entry.prevParent !== null) this.inodes.get(entry.parent)?.touch(entry, chosen, entry.parentMtime);
    if (entry.fromParent !== null && entry.fromParent !== entry.parent)
      this.inodes.get(entry.fromParent)?.touch(entry, chosen, entry.fromMtime);
  }

  #see({ op, ino, parent, path }: PastEntry): void {
    const name = lastName(path);
    if (op === "remove" || this.#places.has(ino) || this.#taken.has(`${ino} ${parent}/${name}`)) return;
    this.#places.set(ino, { parent, name, path });
  }

  /** Names that meant something else before the chosen entries. */
  changedSlots(): SlotCell[] {
    const changed: SlotCell[] = [];
    for (const names of this.#slots.values())
      for (const cell of names.values()) if (cell.touched && cell.now !== cell.target) changed.push(cell);
    return changed;
  }

  /** Takes away the name that something was last seen under, though no chosen entry gave it; null when it is not there now. */
  leave(ino: number): SlotCell | null {
    const place = this.#places.get(ino);
    if (place === undefined) return null;
    const slot = this.#slot(place.parent, place.name, ino);
    if (slot.now !== ino) return null;
    slot.target = 0;
    slot.touched = true;
    return slot;
  }

  /** Whether nobody else has touched what the chosen entries made, or anything directly in it. */
  get createdUntouched(): boolean {
    for (const ino of this.created) if (this.#others.has(ino)) return false;
    return true;
  }

  placeOf(ino: number): SeenPlace | undefined {
    return this.#places.get(ino);
  }

  /** Whether a file may be somewhere else than where it was last seen. A name in a tree that was removed counts in `nlink`. */
  isElsewhere({ ino, nlink }: Inode): boolean {
    return nlink > 1 || !this.#places.has(ino);
  }

  putPlace(ino: number, place: SeenPlace): void {
    this.#places.set(ino, place);
  }

  #slot(parent: number, name: string, now: number): SlotCell {
    let names = this.#slots.get(parent);
    if (names === undefined) this.#slots.set(parent, (names = new Map()));
    let cell = names.get(name);
    if (cell === undefined) names.set(name, (cell = Object.assign(new Cell(now), { parent, name })));
    return cell;
  }
}
