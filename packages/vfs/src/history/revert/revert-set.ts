/**
 * Collects what log entries changed, by field: the target of each name, and the bytes, mode and time of each inode. Entries are
 * added newest first. A chosen entry sets a field's target to the value before it; any other entry is recorded as a later foreign
 * change. A chosen entry with a later foreign change is a conflict of that field only.
 */
import type { ContentRef } from "../../content/reader.ts";
import type { LogRow } from "../../store/log-row.ts";
import { type Inode, isDirectory } from "../../tree/inode.ts";
import { changedDirents, lastName } from "../past/rewind.ts";
import { FieldChange } from "./field-change.ts";

export interface DentryChange extends FieldChange<number> {
  readonly parent: number;
  readonly name: string;
  /** From the newest entry: the path of a name in a removed tree, which has no other. */
  readonly path: string;
}

/** Bytes that the chosen entries replaced, without a foreign entry between them: newest first. */
export interface Rewrite {
  readonly after: ContentRef;
  before: ContentRef;
}

export class InodeChanges {
  readonly inode: Inode;
  readonly content: FieldChange<ContentRef>;
  readonly mode: FieldChange<number>;
  readonly mtime: FieldChange<number>;
  readonly rewrites: Rewrite[] = [];
  #lastWriteChosen = false;
  /** The state before the entries added so far. */
  #state: Pick<Inode, "content" | "size" | "mode" | "mtime">;

  constructor(inode: Inode) {
    this.inode = inode;
    this.#state = inode;
    this.content = new FieldChange<ContentRef>({ content: inode.content, size: inode.size });
    this.mode = new FieldChange(inode.mode);
    this.mtime = new FieldChange(inode.mtime, { always: true });
  }

  get touched(): boolean {
    return this.content.touched || this.mode.touched || this.mtime.touched;
  }

  write(entry: LogRow, chosen: boolean): void {
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

  attributes(entry: LogRow, chosen: boolean): void {
    const mode = entry.oldMode ?? this.#state.mode;
    if (mode !== this.#state.mode) this.mode.take(entry, chosen, mode);
    this.#state = { ...this.#state, mode };
    this.touch(entry, chosen, entry.oldMtime);
  }

  touch(entry: LogRow, chosen: boolean, mtime: number | null): void {
    if (mtime === null) return;
    this.mtime.take(entry, chosen, mtime);
    this.#state = { ...this.#state, mtime };
  }
}

export interface LastLocation {
  readonly parent: number;
  readonly name: string;
  /** The path at that time. */
  readonly path: string;
}

export class RevertSet {
  readonly inodes = new Map<number, InodeChanges>();
  /** Revisions of the chosen entries. */
  readonly chosen = new Set<number>();
  /** Inodes that chosen entries created. */
  readonly created = new Set<number>();
  /** Inodes that foreign entries concern. */
  readonly #others = new Set<number>();
  /** The newest foreign entry that wrote to an inode. */
  readonly #othersWrites = new Map<number, LogRow>();
  /** For a rename, by its revision: the next entry that changed the name it created. */
  readonly #followed = new Map<number, { readonly entry: LogRow; readonly chosen: boolean }>();
  /** The entry that was added last, for each name. */
  readonly #lastTaken = new Map<DentryChange, { readonly entry: LogRow; readonly chosen: boolean }>();
  readonly #slots = new Map<number, Map<string, DentryChange>>();
  /** Where inodes were last seen by their own entries, at a name that no later entry removed. */
  readonly #places = new Map<number, LastLocation>();
  /** Names that entries removed from inodes. */
  readonly #taken = new Set<string>();

  /** Current inodes must be added before an entry that concerns them. */
  know(inodes: Iterable<Inode>): void {
    for (const inode of inodes) if (!this.inodes.has(inode.ino)) this.inodes.set(inode.ino, new InodeChanges(inode));
  }

  /** Inodes that have not been added yet. */
  missingInodes(entries: readonly LogRow[]): number[] {
    const missing = new Set<number>();
    for (const { ino, parent, fromParent, replaced } of entries) {
      for (const each of [ino, parent, fromParent, replaced])
        if (each !== null && each !== 0 && !this.inodes.has(each)) missing.add(each);
    }
    return [...missing];
  }

  take(entry: LogRow, chosen: boolean): void {
    if (!chosen) {
      for (const ino of [entry.ino, entry.parent, entry.fromParent ?? 0]) this.#others.add(ino);
      if (entry.op === "write" && !this.#othersWrites.has(entry.ino)) this.#othersWrites.set(entry.ino, entry);
    } else {
      this.chosen.add(entry.rev);
      if (entry.op === "create") this.created.add(entry.ino);
    }
    this.#see(entry);
    for (const { parent, name, path, before, after } of changedDirents(entry)) {
      const slot = this.#slot(parent, name, path, after);
      const next = this.#lastTaken.get(slot);
      if (entry.op === "rename" && after === entry.ino && next !== undefined) this.#followed.set(entry.rev, next);
      this.#lastTaken.set(slot, { entry, chosen });
      slot.take(entry, chosen, before);
      if (before !== 0 && before !== after) this.#taken.add(`${before} ${parent}/${name}`);
    }
    if (entry.op === "write") this.inodes.get(entry.ino)?.write(entry, chosen);
    if (entry.op === "attr") this.inodes.get(entry.ino)?.attributes(entry, chosen);
    if (entry.prevParent !== null) this.inodes.get(entry.parent)?.touch(entry, chosen, entry.parentMtime);
    if (entry.fromParent !== null && entry.fromParent !== entry.parent)
      this.inodes.get(entry.fromParent)?.touch(entry, chosen, entry.fromMtime);
  }

  #see({ op, ino, parent, path }: LogRow): void {
    const name = lastName(path);
    if (op === "remove" || this.#places.has(ino) || this.#taken.has(`${ino} ${parent}/${name}`)) return;
    this.#places.set(ino, { parent, name, path });
  }

  isDirectory(ino: number): boolean {
    const inode = ino === 0 ? undefined : this.inodes.get(ino)?.inode;
    return inode !== undefined && isDirectory(inode);
  }

  get oldestChosen(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const rev of this.chosen) oldest = Math.min(oldest, rev);
    return oldest;
  }

  /** Names that the chosen entries changed. */
  *touchedSlots(): Generator<DentryChange> {
    for (const names of this.#slots.values()) for (const cell of names.values()) if (cell.touched) yield cell;
  }

  /** Names that referred to something else before the chosen entries. */
  changedSlots(): DentryChange[] {
    return [...this.touchedSlots()].filter(({ now, target }) => now !== target);
  }

  /** Removes the name under which an inode was last seen, though no chosen entry created it; null when it is not there now. */
  leave(ino: number): DentryChange | null {
    const place = this.#places.get(ino);
    if (place === undefined) return null;
    const slot = this.#slot(place.parent, place.name, place.path, ino);
    if (slot.now !== ino) return null;
    slot.aim(0);
    return slot;
  }

  /** The foreign entry that moved an inode away from where a chosen rename, and the chosen entries after it, had put it. */
  takenFrom(rename: LogRow): LogRow | null {
    for (let at = rename; ; ) {
      const slot = this.#slots.get(at.parent)?.get(lastName(at.path));
      const next = this.#followed.get(at.rev);
      if (next === undefined || slot?.now === rename.ino) return null;
      if (!next.chosen) return next.entry;
      if (next.entry.op !== "rename" || next.entry.ino !== rename.ino) return null;
      at = next.entry;
    }
  }

  /** The newest foreign write to an inode. */
  othersWrite(ino: number): LogRow | null {
    return this.#othersWrites.get(ino) ?? null;
  }

  /** Whether no other actor has touched what the chosen entries created, or anything directly in it. */
  get createdUntouched(): boolean {
    for (const ino of this.created) if (this.#others.has(ino)) return false;
    return true;
  }

  placeOf(ino: number): LastLocation | undefined {
    return this.#places.get(ino);
  }

  /** Whether a file may have moved since it was last seen. A name in a removed tree counts in `nlink`. */
  isElsewhere({ ino, nlink }: Inode): boolean {
    return nlink > 1 || !this.#places.has(ino);
  }

  putPlace(ino: number, place: LastLocation): void {
    this.#places.set(ino, place);
  }

  #slot(parent: number, name: string, path: string, now: number): DentryChange {
    let names = this.#slots.get(parent);
    if (names === undefined) this.#slots.set(parent, (names = new Map()));
    let cell = names.get(name);
    if (cell === undefined) names.set(name, (cell = Object.assign(new FieldChange(now), { parent, name, path })));
    return cell;
  }
}
