/** Tracks the location of the inodes in a revert plan: where they are now, and where they are after the plan. */

import { type InodeLocation, selectAllNames } from "../../store/names.ts";
import { type Inode, isDirectory } from "../../tree/inode.ts";
import type { ReadView } from "../../volume/views.ts";
import { DirectoryPaths } from "./directory-paths.ts";
import type { DentryChange, InodeChanges, RevertSet } from "./revert-set.ts";

export class Placement {
  readonly before: DirectoryPaths;
  /** After the plan: an inode without a path in it is gone. */
  readonly after: DirectoryPaths;
  /** Names that an inode loses and gains. */
  readonly losses: ReadonlyMap<number, readonly DentryChange[]>;
  readonly gains: ReadonlyMap<number, readonly DentryChange[]>;
  readonly #cells: RevertSet;
  /** Of files that may have moved since they were last seen. */
  readonly #names: ReadonlyMap<number, readonly InodeLocation[]>;

  constructor(volume: ReadView, cells: RevertSet, changed: readonly DentryChange[]) {
    this.#cells = cells;
    this.losses = Map.groupBy(changed, ({ now }) => now);
    this.gains = Map.groupBy(changed, ({ target }) => target);
    this.#names = Map.groupBy(selectAllNames(volume.store.db, this.#uncertain()), ({ ino }) => ino);
    const known = (ino: number) => cells.inodes.get(ino)?.inode;
    this.before = DirectoryPaths.load(volume.store.db, this.#directories(changed), known);
    this.after = this.before.copy();
    for (const { now } of changed) if (cells.isDirectory(now)) this.after.set(now, null);
    for (const { target, parent, name } of changed)
      if (cells.isDirectory(target)) this.after.set(target, { parent, name });
    this.#placeUncertain();
  }

  exists({ inode }: InodeChanges): boolean {
    if (isDirectory(inode)) return this.before.path(inode.ino) !== null;
    const place = this.#cells.placeOf(inode.ino);
    return inode.nlink > 0 && place !== undefined && this.before.path(place.parent) !== null;
  }

  willExist({ inode }: InodeChanges): boolean {
    const { ino } = inode;
    if (isDirectory(inode)) return this.after.path(ino) !== null;
    if (this.gains.get(ino)?.some(({ parent }) => this.after.path(parent) !== null)) return true;
    if (inode.nlink <= (this.losses.get(ino)?.length ?? 0)) return false;
    const place = this.#cells.placeOf(ino);
    return inode.nlink > 1 || place === undefined || this.after.path(place.parent) !== null;
  }

  /** For an inode that will not exist: the head of its removed tree, or itself. */
  headOf(inode: Inode): number {
    if (isDirectory(inode)) return this.after.above(inode.ino).at(-1) as number;
    const place = inode.nlink === 0 ? undefined : this.#cells.placeOf(inode.ino);
    return place === undefined ? inode.ino : (this.after.above(place.parent).at(-1) as number);
  }

  pathOf({ parent, name, path }: DentryChange): string {
    return this.before.pathIn(parent, name) ?? this.after.pathIn(parent, name) ?? path;
  }

  pathOfInode(ino: number): string {
    const place = this.before.get(ino) ?? this.#cells.placeOf(ino);
    if (place === undefined) return `inode ${ino}`;
    return this.before.pathIn(place.parent, place.name) ?? this.#cells.placeOf(ino)?.path ?? place.name;
  }

  /** Files that get other bytes, modes or times, and whose entries do not tell where they are. */
  #uncertain(): Inode[] {
    return [...this.#cells.inodes.values()]
      .filter((cells) => cells.touched)
      .map(({ inode }) => inode)
      .filter((inode) => !isDirectory(inode) && inode.nlink > 0 && this.#cells.isElsewhere(inode));
  }

  /** Places files at a name that they have after the plan, else at a current one; prefers the name they were last seen at. */
  #placeUncertain(): void {
    for (const [ino, names] of this.#names) {
      const lost = this.losses.get(ino) ?? [];
      const isIn = (
        list: readonly { parent: number; name: string }[],
        { parent, name }: { parent: number; name: string },
      ) => list.some((one) => one.parent === parent && one.name === name);
      const retained = names.filter((name) => !isIn(lost, name) && this.after.path(name.parent) !== null);
      const choice = retained.length > 0 ? retained : names.filter(({ parent }) => this.before.path(parent) !== null);
      const seen = this.#cells.placeOf(ino);
      if (choice.length === 0 || (seen !== undefined && isIn(choice, seen))) continue;
      const { parent, name } = choice[0] as InodeLocation;
      const path = this.before.pathIn(parent, name) ?? this.after.pathIn(parent, name) ?? name;
      this.#cells.putPlace(ino, { parent, name, path });
    }
  }

  /** All directories whose path may be needed. */
  #directories(changed: readonly DentryChange[]): Set<number> {
    const wanted = new Set<number>();
    for (const { parent, now, target } of changed) {
      wanted.add(parent);
      for (const ino of [now, target]) if (this.#cells.isDirectory(ino)) wanted.add(ino);
    }
    for (const cells of this.#cells.inodes.values()) {
      if (!cells.touched) continue;
      const { inode } = cells;
      const parent = isDirectory(inode) ? inode.ino : this.#cells.placeOf(inode.ino)?.parent;
      if (parent !== undefined) wanted.add(parent);
      for (const name of this.#names.get(inode.ino) ?? []) wanted.add(name.parent);
    }
    return wanted;
  }
}
