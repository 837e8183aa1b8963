/**
 * Finds the names that an undo leaves in place because they are in a store (see `StorePolicy`), and defines how the undo handles
 * them instead.
 */

import type { Kept } from "../../api/history.ts";
import type { ContentRef } from "../../content/reader.ts";
import { selectInode } from "../../store/inodes.ts";
import { selectNamed } from "../../store/names.ts";
import { isDirectory } from "../../tree/inode.ts";
import { joinPath } from "../../tree/path.ts";
import type { NameLookup } from "../../tree/resolve.ts";
import { tryLstat } from "../../tree/try-resolve.ts";
import type { ReadView } from "../../volume/views.ts";
import { DirectoryPaths } from "./directory-paths.ts";
import { readTextLines } from "./join-lines.ts";
import type { DentryChange, RevertSet } from "./revert-set.ts";
import type { Store, StorePolicy } from "./store-policy.ts";

/** A list that regains the lines of an earlier state, and keeps its own. */
export interface JoinedList {
  readonly ino: number;
  readonly now: ContentRef;
  readonly before: ContentRef;
}

interface FoundStore extends Store {
  /** The directory whose files may have moved into one file, and that file; 0 where it is missing. */
  readonly packed: { readonly from: number; readonly into: number };
}

export class Stores {
  /** Names that the undo does change. */
  readonly changed: readonly DentryChange[];
  readonly lists: readonly JoinedList[];
  readonly #volume: ReadView;
  readonly #cells: RevertSet;
  readonly #policy: StorePolicy | undefined;
  readonly #owners: ReadonlyMap<number, FoundStore>;
  readonly #directories: ReadonlyMap<number, FoundStore>;
  readonly #retained = new Map<FoundStore, number>();
  /** Removed directories get their location from these. */
  readonly #gains: ReadonlyMap<number, DentryChange>;
  readonly #needed = new Set<FoundStore>();

  constructor(volume: ReadView, cells: RevertSet, changed: readonly DentryChange[], policy: StorePolicy | undefined) {
    this.#volume = volume;
    this.#cells = cells;
    this.#policy = policy;
    this.#gains = new Map(changed.map((slot) => [slot.target, slot]));
    this.#owners = policy === undefined ? new Map() : findStores(volume, cells, changed, policy);
    this.#directories = new Map([...this.#owners.values()].map((store) => [store.directory, store]));
    const lists: JoinedList[] = [];
    this.changed = this.#owners.size === 0 ? changed : changed.filter((slot) => !this.#leaves(slot, lists));
    this.lists = lists;
  }

  /** Files that stay although the chosen entries created them. */
  get retained(): Kept[] {
    const { directory } = this.#policy ?? {};
    return [...this.#retained].map(([{ path }, files]) => ({
      path: joinPath(path, directory as string),
      files,
      reason: "later changes may refer to them",
    }));
  }

  /** Records that something restored below this directory may refer to a store. */
  refer(parent: number): void {
    if (this.#owners.size === 0 || this.#find(parent, this.#directories) !== null) return;
    const owner = this.#find(parent, this.#owners);
    if (owner !== null) this.#needed.add(owner);
  }

  /** Stores that must regain everything that was removed from them since. */
  get needed(): readonly Store[] {
    return [...this.#needed];
  }

  /** Whether a file is a list to which lines are only added. */
  isList({ parent, name }: { readonly parent: number; readonly name: string }): boolean {
    if (this.#owners.size === 0 || this.#policy?.lists.includes(name) !== true) return false;
    return this.#owners.has(parent) || this.#find(parent, this.#directories) !== null;
  }

  /** Names that the chosen entries created and others removed, and that continue to exist in another file. */
  *packedByOthers(): Generator<DentryChange> {
    const packed = new Map<number, FoundStore>();
    for (const store of this.#owners.values()) if (store.packed.into !== 0) packed.set(store.packed.from, store);
    if (packed.size === 0) return;
    for (const slot of this.#cells.touchedSlots()) {
      if (slot.conflict === null || slot.now !== slot.target) continue;
      const store = this.#find(slot.parent, packed);
      if (store !== null && this.#isPacked(store, slot.path)) yield slot;
    }
  }

  /** Each line ends in the path of a packed file, relative to the store's parent. A file too long to read may contain any path. */
  #isPacked({ path, packed }: FoundStore, slotPath: string): boolean {
    const inode = selectInode(this.#volume.store.db, packed.into);
    const lines = inode === null ? [] : readTextLines(this.#volume, inode);
    const name = slotPath.startsWith(`${path}/`) ? slotPath.slice(path.length + 1) : slotPath;
    return lines === null || lines.some((line) => line.endsWith(` ${name}`));
  }

  #leaves(slot: DentryChange, lists: JoinedList[]): boolean {
    const { parent, name, now, target } = slot;
    const isList = this.isList(slot);
    const store = this.#find(parent, this.#directories) ?? this.#byPath(slot.path);
    if (isList && now !== 0 && target !== 0) {
      const [mine, theirs] = [this.#cells.inodes.get(now)?.inode, this.#cells.inodes.get(target)?.inode];
      if (mine !== undefined && theirs !== undefined) lists.push({ ino: now, now: mine, before: theirs });
      return true;
    }
    if (isList && target === 0) return true;
    const isStore = this.#owners.get(parent)?.directory === now && target === 0;
    if (store === null) return isStore;
    if (target === 0) {
      if (!this.#cells.isDirectory(now)) this.#retained.set(store, (this.#retained.get(store) ?? 0) + 1);
      return true;
    }
    const comesBack = this.#policy?.file.test(name) === true && this.#cells.inodes.get(target)?.inode.nlink === 0;
    const isTree = this.#cells.isDirectory(now) || this.#cells.isDirectory(target);
    // A removed file is restored by its path, wherever its directory is now.
    if (comesBack || isTree) this.#needed.add(store);
    return now === 0 ? comesBack || slot.conflict !== null : isTree || slot.conflict !== null;
  }

  #find<T>(directory: number, among: ReadonlyMap<number, T>): T | null {
    const seen = new Set<number>();
    for (let at = directory; at !== 0 && !seen.has(at); ) {
      const found = among.get(at);
      if (found !== undefined) return found;
      seen.add(at);
      at = this.#cells.inodes.get(at)?.inode.parent || (this.#gains.get(at)?.parent ?? 0);
    }
    return null;
  }

  /** By the path at that time, if the directory is gone. */
  #byPath(path: string): FoundStore | null {
    const { directory } = this.#policy as StorePolicy;
    for (const store of this.#owners.values()) if (path.startsWith(`${joinPath(store.path, directory)}/`)) return store;
    return null;
  }
}

/** The store that contains the path, or whose parent does; null if the path contains the whole store, or there is none. */
export function storeAround(view: NameLookup, path: string, { directory, beside }: StorePolicy): Store | null {
  for (let at = dirnameOrNull(path); at !== null; at = dirnameOrNull(at)) {
    const owner = tryLstat(view, at);
    const store = tryLstat(view, joinPath(at, directory));
    if (owner === null || store === null || !isDirectory(store)) continue;
    if (beside.every((name) => tryLstat(view, joinPath(at, name)) !== null))
      return { owner: owner.ino, path: at, directory: store.ino };
  }
  return null;
}

function dirnameOrNull(path: string): string | null {
  return path === "/" ? null : path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Existing stores that stay: the plan removes a store only as a whole. */
function findStores(
  volume: ReadView,
  cells: RevertSet,
  changed: readonly DentryChange[],
  { directory, beside, packed }: StorePolicy,
): Map<number, FoundStore> {
  const found = new Map<number, FoundStore>();
  const directories = [...cells.inodes.values()]
    .map(({ inode }) => inode)
    .filter((one) => isDirectory(one) && one.nlink > 0);
  const requested = [directory, ...beside, packed.from, packed.into];
  const named = Map.groupBy(
    selectNamed(
      volume.store.db,
      directories.map(({ ino }) => ino),
      [...new Set(requested)],
    ),
    ({ parent }) => parent,
  );
  const going = new Set(changed.filter(({ target }) => target === 0).map(({ now }) => now));
  for (const { target } of changed) going.delete(target);
  for (const [owner, names] of named) {
    const inoOf = (wanted: string) => names.find(({ name }) => name === wanted)?.ino ?? 0;
    if ([directory, ...beside].some((name) => inoOf(name) === 0)) continue;
    if (beside.some((name) => going.has(inoOf(name)))) continue;
    const places = DirectoryPaths.load(volume.store.db, [owner], (ino) => cells.inodes.get(ino)?.inode);
    const path = places.path(owner);
    if (path === null || places.above(owner).some((ino) => going.has(ino))) continue;
    const from = inoOf(packed.from);
    found.set(owner, { owner, path, directory: inoOf(directory), packed: { from, into: inoOf(packed.into) } });
  }
  return found;
}
