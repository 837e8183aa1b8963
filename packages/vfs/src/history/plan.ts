/**
 * From cells to what has to be done: which names change, which inodes get other bytes, modes or times, and what stands in the way.
 * Everything that could be lost by it and is not the chosen entries' own is a conflict, found here, before anything is changed.
 */
import type { ContentRef } from "../content/reader.ts";
import { isDirectory, PURGED } from "../inode.ts";
import { historyLimits } from "../limits.ts";
import { type PlacedName, selectAllNames } from "../store/names.ts";
import { selectForeign } from "../store/touched.ts";
import type { Volume } from "../volume.ts";
import type { Cells, InodeCells, SlotCell } from "./cells.ts";
import { Conflicts } from "./conflicts.ts";
import type { Conflict } from "./history.ts";
import { mergeRewrites } from "./merge-rewrites.ts";
import { Places } from "./places.ts";

export interface PlannedInode {
  readonly ino: number;
  readonly content?: ContentRef | { readonly merged: Uint8Array };
  readonly mode?: number;
  readonly mtime?: number;
  /** Goes with the plan: it is what it was before it goes, so that whoever brings it back finds that. */
  readonly last?: true;
}

export interface Plan {
  readonly slots: readonly SlotCell[];
  readonly inodes: readonly PlannedInode[];
  readonly conflicts: readonly Conflict[];
  /** Before the plan and after it. */
  readonly places: { readonly before: Places; readonly after: Places };
  readonly cells: Cells;
}

export interface PlanOptions {
  readonly force?: boolean | undefined;
  readonly merge?: boolean | undefined;
  /** Entries of others can be among them, or come after them. */
  readonly partial: boolean;
}

export function makePlan(volume: Volume, cells: Cells, options: PlanOptions): Plan {
  const planner = new Planner(volume, cells, options);
  return planner.plan();
}

class Planner {
  readonly #volume: Volume;
  readonly #cells: Cells;
  readonly #options: PlanOptions;
  readonly #conflicts: Conflicts;
  readonly #changed: SlotCell[];
  /** What should get an old name back, and has one that others gave it, or none because of them. */
  readonly #elsewhere: ReadonlySet<number>;
  /** Names that an inode loses and gains. */
  readonly #losses: Map<number, SlotCell[]>;
  readonly #gains: Map<number, SlotCell[]>;
  /** Of files that may not be where they were last seen. */
  readonly #names: ReadonlyMap<number, readonly PlacedName[]>;
  readonly #now: Places;
  /** When the plan is done. */
  readonly #then: Places;

  constructor(volume: Volume, cells: Cells, options: PlanOptions) {
    this.#volume = volume;
    this.#conflicts = new Conflicts(volume);
    this.#cells = cells;
    this.#options = options;
    this.#changed = cells.changedSlots();
    this.#elsewhere = this.#partOthersMoved();
    this.#losses = Map.groupBy(this.#changed, ({ now }) => now);
    this.#gains = Map.groupBy(this.#changed, ({ target }) => target);
    this.#names = Map.groupBy(selectAllNames(volume.db, this.#uncertain()), ({ ino }) => ino);
    const known = (ino: number) => cells.inodes.get(ino)?.inode;
    this.#now = Places.load(volume.db, this.#directories(), known);
    this.#then = this.#now.copy();
    for (const { now } of this.#changed) if (this.#isDirectory(now)) this.#then.set(now, null);
    for (const { target, parent, name } of this.#changed)
      if (this.#isDirectory(target)) this.#then.set(target, { parent, name });
    this.#placeUncertain();
  }

  plan(): Plan {
    const slots = this.#changed.filter((slot) => this.#acceptsSlot(slot));
    const inodes: PlannedInode[] = [];
    for (const cells of this.#cells.inodes.values()) {
      const planned = this.#planInode(cells);
      if (planned !== null) inodes.push(planned);
    }
    if (this.#options.partial && !this.#options.force) this.#refuseForeign(slots);
    return {
      slots,
      inodes,
      conflicts: this.#conflicts.list,
      places: { before: this.#now, after: this.#then },
      cells: this.#cells,
    };
  }

  /** By force it leaves the name that others gave it; otherwise that is a conflict. */
  #partOthersMoved(): Set<number> {
    const elsewhere = new Set<number>();
    if (!this.#options.partial) return elsewhere;
    const lost = new Set(this.#changed.map(({ now }) => now));
    for (const { target, oldest } of [...this.#changed]) {
      const inode = target === 0 ? undefined : this.#cells.inodes.get(target)?.inode;
      if (inode === undefined || lost.has(target) || elsewhere.has(target)) continue;
      const nameless = isDirectory(inode) ? inode.parent === 0 : inode.nlink === 0;
      // One of several names of a file comes back to the others; a name that was given up for another one does not.
      const isOneMore = !nameless && !isDirectory(inode) && oldest?.op !== "rename";
      if (isOneMore || (nameless && this.#cells.chosen.has(inode.rev))) continue;
      const left = this.#options.force && !nameless ? this.#cells.leave(target) : null;
      lost.add(target);
      if (left !== null) this.#changed.push(left);
      else if (!nameless || !this.#options.force) elsewhere.add(target);
    }
    return elsewhere;
  }

  /** Files that get other bytes, modes or times, and of which the entries do not say where they are. */
  #uncertain(): { ino: number; nlink: number }[] {
    return [...this.#cells.inodes.values()]
      .filter(({ content, mode, mtime }) => content.touched || mode.touched || mtime.touched)
      .map(({ inode }) => inode)
      .filter((inode) => !isDirectory(inode) && inode.nlink > 0 && this.#cells.isElsewhere(inode));
  }

  /** At a name that they have when the plan is done, else at one that they have now: the one they were seen at, if it is among those. */
  #placeUncertain(): void {
    for (const [ino, names] of this.#names) {
      const lost = this.#losses.get(ino) ?? [];
      const isIn = (
        list: readonly { parent: number; name: string }[],
        { parent, name }: { parent: number; name: string },
      ) => list.some((one) => one.parent === parent && one.name === name);
      const kept = names.filter((name) => !isIn(lost, name) && this.#then.path(name.parent) !== null);
      const choice = kept.length > 0 ? kept : names.filter(({ parent }) => this.#now.path(parent) !== null);
      const seen = this.#cells.placeOf(ino);
      if (choice.length === 0 || (seen !== undefined && isIn(choice, seen))) continue;
      const { parent, name } = choice[0] as PlacedName;
      this.#cells.putPlace(ino, { parent, name, path: this.#pathOf(parent, name) });
    }
  }

  /** All whose path may be needed. */
  #directories(): Set<number> {
    const wanted = new Set<number>();
    for (const { parent, now, target } of this.#changed) {
      wanted.add(parent);
      for (const ino of [now, target]) if (this.#isDirectory(ino)) wanted.add(ino);
    }
    for (const { inode, content, mode, mtime } of this.#cells.inodes.values()) {
      if (!content.touched && !mode.touched && !mtime.touched) continue;
      const parent = isDirectory(inode) ? inode.ino : this.#cells.placeOf(inode.ino)?.parent;
      if (parent !== undefined) wanted.add(parent);
      for (const name of this.#names.get(inode.ino) ?? []) wanted.add(name.parent);
    }
    return wanted;
  }

  #isDirectory(ino: number): boolean {
    const inode = ino === 0 ? undefined : this.#cells.inodes.get(ino)?.inode;
    return inode !== undefined && isDirectory(inode);
  }

  #acceptsSlot(slot: SlotCell): boolean {
    const { parent, name, target, conflict } = slot;
    // What is in a directory that will not be there is left, unless it has to be somewhere else.
    if (!this.#isKept(parent, name)) return slot.now !== 0 && this.#gains.has(slot.now);
    const path = this.#pathOf(parent, name);
    if (conflict !== null && !this.#options.force) return this.#conflicts.later(path, conflict);
    if (this.#elsewhere.has(target))
      return this.#conflicts.laterAt(path, this.#cells.inodes.get(target)?.inode.rev ?? 0, "it was moved later");
    const inode = target === 0 ? undefined : this.#cells.inodes.get(target)?.inode;
    if (target !== 0 && inode === undefined) return this.#conflicts.purged(path);
    if (inode !== undefined && inode.content === PURGED) return this.#conflicts.purged(path);
    if (inode !== undefined && isDirectory(inode) && this.#then.path(target) === null)
      return this.#conflicts.add({
        path,
        reason: "it would lie inside itself, because what is around it was moved later",
      });
    return true;
  }

  /** Whether a directory is there when the plan is done; where the plan itself has no use for it, silently not. */
  #isKept(parent: number, name: string): boolean {
    if (this.#then.path(parent) !== null) return true;
    const above = this.#then.above(parent);
    const own = above.some((ino) => this.#cells.created.has(ino) || this.#losses.has(ino));
    if (!own && !this.#options.force && this.#options.partial)
      this.#conflicts.add({
        path: this.#pathOf(parent, name),
        reason: "the directory that it was in was removed later",
      });
    return false;
  }

  #planInode(cells: InodeCells): PlannedInode | null {
    const { inode, content, mode, mtime } = cells;
    const { ino } = inode;
    if (this.#cells.created.has(ino) || !(content.touched || mode.touched || mtime.touched)) return null;
    const rewritten = content.touched && !isSame(content.now, content.target);
    const remoded = mode.touched && mode.target !== mode.now;
    const retimed = mtime.touched && (mtime.conflict === null || this.#options.force === true);
    if (!rewritten && !remoded && !retimed) return null;
    const path = this.#pathOfInode(ino);
    if (!this.#willExist(cells)) {
      if (this.#exists(cells)) return this.#planLast(cells, rewritten, retimed);
      if (this.#options.partial && !this.#options.force && !isDirectory(inode) && !this.#losses.has(ino))
        this.#conflicts.add({ path, reason: "it was removed later" });
      return null;
    }
    const planned: { -readonly [K in keyof PlannedInode]: PlannedInode[K] } = { ino };
    if (rewritten && !this.#planContent(cells, path, planned)) return null;
    if (remoded) {
      if (mode.conflict !== null && !this.#options.force) this.#conflicts.later(path, mode.conflict);
      else planned.mode = mode.target;
    }
    if (retimed && planned.content !== undefined ? !("merged" in planned.content) : retimed)
      planned.mtime = mtime.target;
    return planned;
  }

  /** What others made of it later is not touched: it is theirs, and without force the plan is refused for it. */
  #planLast({ inode, content, mode, mtime }: InodeCells, rewritten: boolean, retimed: boolean): PlannedInode {
    const force = this.#options.force === true;
    const mine = content.conflict === null || force;
    return {
      ino: inode.ino,
      last: true,
      ...(rewritten && mine && content.target.content !== PURGED ? { content: content.target } : {}),
      ...(mode.touched && (mode.conflict === null || force) ? { mode: mode.target } : {}),
      ...(retimed && mine ? { mtime: mtime.target } : {}),
    };
  }

  #planContent(cells: InodeCells, path: string, planned: { content?: PlannedInode["content"] }): boolean {
    const { conflict, target } = cells.content;
    if (target.content === PURGED) return this.#conflicts.purged(path);
    if (conflict === null || this.#options.force) {
      planned.content = target;
      return true;
    }
    if (!this.#options.merge) return this.#conflicts.later(path, conflict);
    const merged = mergeRewrites(this.#volume, cells);
    if (merged === null) return this.#conflicts.later(path, conflict, "and cannot be merged");
    planned.content = { merged };
    return true;
  }

  #exists({ inode }: InodeCells): boolean {
    if (isDirectory(inode)) return this.#now.path(inode.ino) !== null;
    const place = this.#cells.placeOf(inode.ino);
    return inode.nlink > 0 && place !== undefined && this.#now.path(place.parent) !== null;
  }

  #willExist({ inode }: InodeCells): boolean {
    const { ino } = inode;
    if (isDirectory(inode)) return this.#then.path(ino) !== null;
    if (this.#gains.get(ino)?.some(({ parent }) => this.#then.path(parent) !== null)) return true;
    if (inode.nlink <= (this.#losses.get(ino)?.length ?? 0)) return false;
    const place = this.#cells.placeOf(ino);
    return inode.nlink > 1 || place === undefined || this.#then.path(place.parent) !== null;
  }

  /** What goes for good with a plan must be the chosen entries' own. */
  #refuseForeign(slots: readonly SlotCell[]): void {
    const heads = new Map<number, { since: number; path: string }>();
    for (const { now, parent, name, oldest } of slots) {
      const cells = this.#cells.inodes.get(now);
      if (cells === undefined || this.#willExist(cells)) continue;
      heads.set(now, { since: (oldest?.rev ?? 1) - 1, path: this.#pathOf(parent, name) });
    }
    const suspects = [...heads].filter(([ino]) => {
      const inode = this.#cells.inodes.get(ino)?.inode;
      return inode !== undefined && (isDirectory(inode) || !this.#cells.chosen.has(inode.rev));
    });
    // Whatever others did in directories that the chosen entries made has been read along with those.
    if (this.#cells.createdUntouched && suspects.every(([ino]) => this.#cells.created.has(ino))) return;
    const asked = suspects.map(([ino, { since }]) => [ino, since] as const);
    for (const { head, relative, ino, rev } of selectForeign(
      this.#volume.db,
      asked,
      [...this.#cells.chosen],
      historyLimits.named,
    )) {
      if (this.#gains.has(ino)) continue;
      this.#conflicts.laterAt(`${heads.get(head)?.path ?? ""}${relative}`, rev, "it was changed later");
    }
  }

  #pathOf(parent: number, name: string): string {
    return this.#now.pathIn(parent, name) ?? this.#then.pathIn(parent, name) ?? name;
  }

  #pathOfInode(ino: number): string {
    const place = this.#now.get(ino) ?? this.#cells.placeOf(ino);
    if (place === undefined) return `inode ${ino}`;
    return this.#now.pathIn(place.parent, place.name) ?? this.#cells.placeOf(ino)?.path ?? place.name;
  }
}

function isSame(a: ContentRef, b: ContentRef): boolean {
  return a.content === b.content && a.size === b.size;
}
