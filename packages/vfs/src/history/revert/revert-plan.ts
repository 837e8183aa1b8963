/**
 * Turns field changes into a plan: which names change, which inodes get other bytes, modes or times, and the conflicts. Everything
 * that could be lost and was not made by the chosen entries is a conflict, found here before anything is changed.
 */

import type { Conflict, Kept } from "../../api/history.ts";
import type { ContentRef } from "../../content/reader.ts";
import type { LogRow } from "../../store/log-row.ts";
import { isDirectory, PURGED } from "../../tree/inode.ts";
import type { ReadView } from "../../volume/views.ts";
import { Conflicts } from "./conflicts.ts";
import type { DirectoryPaths } from "./directory-paths.ts";
import { joinLines } from "./join-lines.ts";
import { findMovedByOthers, type MovedByOthers } from "./moved-by-others.ts";
import { Placement } from "./placement.ts";
import { refuseForeign } from "./refuse-foreign.ts";
import { Removals } from "./removals.ts";
import { revertRewrites } from "./revert-rewrites.ts";
import type { DentryChange, InodeChanges, RevertSet } from "./revert-set.ts";
import type { Store, StorePolicy } from "./store-policy.ts";
import { Stores } from "./stores.ts";

export interface PlannedInode {
  readonly ino: number;
  readonly content?: ContentRef | { readonly merged: Uint8Array };
  readonly mode?: number;
  readonly mtime?: number;
  /**
   * The plan removes this inode, or it lies in a removed tree. The change is invisible, but a later undo must find the old state.
   */
  readonly hidden?: true;
}

export interface RevertPlan {
  readonly slots: readonly DentryChange[];
  readonly inodes: readonly PlannedInode[];
  readonly conflicts: readonly Conflict[];
  /** Before the plan and after it. */
  readonly places: { readonly before: DirectoryPaths; readonly after: DirectoryPaths };
  readonly cells: RevertSet;
  readonly retained: readonly Kept[];
  /** Stores that must regain what was removed from them since the chosen entries. */
  readonly stores: { readonly needed: readonly Store[]; readonly since: number };
}

export interface PlanOptions {
  readonly force?: boolean | undefined;
  readonly merge?: boolean | undefined;
  /** Entries of others can be among the chosen ones, or follow them. */
  readonly partial: boolean;
  readonly stores?: StorePolicy | undefined;
}

export function makePlan(volume: ReadView, cells: RevertSet, options: PlanOptions): RevertPlan {
  const planner = new Planner(volume, cells, options);
  return planner.plan();
}

class Planner {
  readonly #volume: ReadView;
  readonly #cells: RevertSet;
  readonly #options: PlanOptions;
  readonly #conflicts: Conflicts;
  readonly #removals: Removals;
  readonly #stores: Stores;
  readonly #elsewhere: MovedByOthers["elsewhere"];
  readonly #placement: Placement;

  constructor(volume: ReadView, cells: RevertSet, options: PlanOptions) {
    this.#volume = volume;
    this.#cells = cells;
    this.#options = options;
    this.#conflicts = new Conflicts(volume);
    this.#removals = new Removals(volume.store.db, cells.oldestChosen);
    const { changed, elsewhere } = options.partial
      ? findMovedByOthers(cells, options.force === true)
      : { changed: cells.changedSlots(), elsewhere: new Map<number, LogRow>() };
    this.#elsewhere = elsewhere;
    // When everything since a point in time is reverted, nothing later is left that could refer to a store.
    this.#stores = new Stores(volume, cells, changed, options.partial ? options.stores : undefined);
    this.#placement = new Placement(volume, cells, this.#stores.changed);
  }

  plan(): RevertPlan {
    const { before, after } = this.#placement;
    const stores = this.#stores;
    const slots = stores.changed.filter((slot) => this.#acceptsSlot(slot));
    const inodes: PlannedInode[] = this.#joinLists();
    for (const cells of this.#cells.inodes.values()) {
      const planned = this.#planInode(cells);
      if (planned !== null) inodes.push(planned);
    }
    if (this.#options.partial && !this.#options.force) {
      refuseForeign(this.#volume, this.#cells, this.#placement, slots, this.#conflicts);
      for (const slot of stores.packedByOthers())
        this.#conflicts.later(this.#placement.pathOf(slot), slot.conflict as LogRow);
    }
    for (const { parent, target } of slots) if (target !== 0) stores.refer(parent);
    for (const { ino, content } of inodes)
      if (content !== undefined) stores.refer(this.#cells.placeOf(ino)?.parent ?? 0);
    return {
      slots,
      inodes,
      conflicts: this.#conflicts.list,
      places: { before, after },
      cells: this.#cells,
      retained: stores.retained,
      stores: { needed: stores.needed, since: this.#cells.oldestChosen - 1 },
    };
  }

  #joinLists(): PlannedInode[] {
    return this.#stores.lists.flatMap(({ ino, now, before }) => {
      const merged = joinLines(this.#volume, now, before);
      return merged === null ? [] : [{ ino, content: { merged } }];
    });
  }

  #acceptsSlot(slot: DentryChange): boolean {
    const { parent, target, conflict } = slot;
    if (this.#placement.after.path(parent) === null) return this.#acceptsHidden(slot);
    const path = this.#placement.pathOf(slot);
    if (conflict !== null && !this.#options.force) return this.#conflicts.later(path, conflict);
    const others = this.#elsewhere.get(target);
    if (others !== undefined)
      return others === null
        ? this.#conflicts.laterAt(path, this.#cells.inodes.get(target)?.inode.rev ?? 0, "it was moved later")
        : this.#conflicts.later(path, others);
    const inode = target === 0 ? undefined : this.#cells.inodes.get(target)?.inode;
    if (target !== 0 && inode === undefined) return this.#conflicts.purged(path);
    if (inode !== undefined && inode.content === PURGED) return this.#conflicts.purged(path);
    if (inode !== undefined && isDirectory(inode) && this.#placement.after.path(target) === null)
      return this.#conflicts.add({
        path,
        reason: "it would lie inside itself, because what is around it was moved later",
      });
    return true;
  }

  /**
   * A name in a directory that does not exist after the plan. In a tree that the plan removes, or that was removed before the
   * chosen entries, it is invisible; but a later undo that restores the tree must find its contents.
   */
  #acceptsHidden(slot: DentryChange): boolean {
    const { parent, now, target, conflict, oldest } = slot;
    const leaves = now !== 0 && this.#placement.gains.has(now);
    const above = this.#placement.after.above(parent);
    if (above.some((ino) => this.#cells.created.has(ino)) || !this.#cells.inodes.has(parent)) return leaves;
    const goes = above.some((ino) => this.#placement.losses.has(ino));
    if (!goes && this.#othersRemoval(above.at(-1) as number, oldest) !== null) {
      if (!this.#options.force)
        this.#conflicts.add({
          path: this.#placement.pathOf(slot),
          reason: "the directory that it was in was removed later",
        });
      return leaves;
    }
    if (conflict !== null || this.#elsewhere.has(target)) return leaves;
    return target === 0 || this.#cells.inodes.has(target);
  }

  /** The revision at which another actor removed the name of a tree's head, or of a file, since a chosen entry. */
  #othersRemoval(ino: number, since: LogRow | null): number | null {
    if (!this.#options.partial || since === null) return null;
    const removal = this.#removals.beforeRemoval(ino);
    return removal !== null && removal > since.rev && !this.#cells.chosen.has(removal) ? removal : null;
  }

  #planInode(cells: InodeChanges): PlannedInode | null {
    const { inode, content, mode, mtime } = cells;
    const { ino } = inode;
    if (this.#cells.created.has(ino) || !cells.touched) return null;
    const rewritten = content.touched && !isSame(content.now, content.target);
    const remoded = mode.touched && mode.target !== mode.now;
    const retimed = mtime.touched && (mtime.conflict === null || this.#options.force === true);
    if (!rewritten && !remoded && !retimed) return null;
    const path = this.#placement.pathOfInode(ino);
    if (!this.#placement.willExist(cells)) {
      const oldest = content.oldest ?? mode.oldest ?? mtime.oldest;
      const removal = this.#placement.exists(cells) ? null : this.#othersRemoval(this.#placement.headOf(inode), oldest);
      if (removal === null) return this.#planHidden(cells, rewritten, retimed);
      if (!this.#options.force && !isDirectory(inode))
        this.#conflicts.laterAt(oldest?.path ?? path, removal, "it was removed later");
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

  /** Later changes by others are not touched; without force they make the plan fail. */
  #planHidden({ inode, content, mode, mtime }: InodeChanges, rewritten: boolean, retimed: boolean): PlannedInode {
    const force = this.#options.force === true;
    const mine = content.conflict === null || force;
    return {
      ino: inode.ino,
      hidden: true,
      ...(rewritten && mine && content.target.content !== PURGED ? { content: content.target } : {}),
      ...(mode.touched && (mode.conflict === null || force) ? { mode: mode.target } : {}),
      ...(retimed && mine ? { mtime: mtime.target } : {}),
    };
  }

  #planContent(cells: InodeChanges, path: string, planned: { content?: PlannedInode["content"] }): boolean {
    const { conflict, target, now } = cells.content;
    if (target.content === PURGED) return this.#conflicts.purged(path);
    const place = this.#cells.placeOf(cells.inode.ino);
    if (place !== undefined && this.#stores.isList(place)) {
      const merged = joinLines(this.#volume, now, target);
      if (merged !== null) planned.content = { merged };
      return merged !== null;
    }
    if (conflict === null || this.#options.force) {
      planned.content = target;
      return true;
    }
    if (!this.#options.merge) return this.#conflicts.later(path, conflict);
    const merged = revertRewrites(this.#volume, cells);
    if (merged === null) return this.#conflicts.later(path, conflict, "and cannot be merged");
    planned.content = { merged };
    return true;
  }
}

function isSame(a: ContentRef, b: ContentRef): boolean {
  return a.content === b.content && a.size === b.size;
}
