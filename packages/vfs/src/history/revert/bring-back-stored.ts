/**
 * Restores the files of a store (see `StorePolicy`) that any actor removed since a revision: other files that an undo or a restore
 * brings back may refer to any of them. Works by path, because their directories may be different ones now.
 */

import type { RevertedChange } from "../../api/history.ts";
import type { Mutation } from "../../mutation/mutation.ts";
import { selectEntries, selectInodes } from "../../store/inodes.ts";
import { countSubdirectories } from "../../store/names.ts";
import { type RemovedName, selectRemovedIn } from "../../store/touched.ts";
import { type Inode, isDirectory, isFile, PURGED, S_IFDIR } from "../../tree/inode.ts";
import { joinPath } from "../../tree/path.ts";
import { lastName } from "../past/rewind.ts";
import type { Store, StorePolicy } from "./store-policy.ts";

const DIRECTORY_MODE = S_IFDIR | 0o755;

export function bringBackStored(
  mutation: Mutation,
  store: Store,
  since: number,
  policy: StorePolicy,
): RevertedChange[] {
  const { db, limits } = mutation.volume.store;
  const removed = selectRemovedIn(db, store.directory, since, limits.bulkEntries);
  if (removed.length === 0) return [];
  const inodes = new Map(
    selectInodes(
      db,
      removed.map(({ ino }) => ino),
    ).map((inode) => [inode.ino, inode]),
  );
  const restorer = new StoreRestorer(mutation, store, policy);
  for (const one of removed) {
    const inode = mutation.inodes.get(one.ino) ?? inodes.get(one.ino);
    if (inode !== undefined) restorer.restore(one, inode);
  }
  return restorer.done;
}

class StoreRestorer {
  readonly done: RevertedChange[] = [];
  readonly #mutation: Mutation;
  readonly #store: Store;
  readonly #policy: StorePolicy;

  constructor(mutation: Mutation, store: Store, policy: StorePolicy) {
    this.#mutation = mutation;
    this.#store = store;
    this.#policy = policy;
  }

  restore({ parent, path }: RemovedName, inode: Inode): void {
    const name = lastName(path);
    const inStore = parent === this.#store.directory;
    if (isDirectory(inode)) {
      if (inStore) this.#restoreDirectory(name, inode);
      return;
    }
    if (!this.#policy.file.test(name)) return;
    const folder = inStore ? "" : lastName(path.slice(0, -name.length - 1));
    const directory = folder === "" ? this.#store.directory : this.#directory(folder);
    if (directory !== null) this.#restoreFile(directory, folder, name, inode);
  }

  #restoreDirectory(name: string, inode: Inode): void {
    const mutation = this.#mutation;
    const { db, limits } = mutation.volume.store;
    const there = mutation.lookup(this.#store.directory, name);
    if (there === null && inode.nlink === 0) {
      mutation.preload([inode]);
      mutation.relink(
        this.#slot(this.#store.directory, "", name),
        inode,
        countSubdirectories(db, [inode.ino]).get(inode.ino) ?? 0,
      );
      this.done.push({ path: this.#path("", name), action: "restore" });
    } else if (there !== null && there.ino !== inode.ino && isDirectory(there)) {
      for (const entry of selectEntries(db, inode.ino, "", limits.bulkEntries))
        if (this.#policy.file.test(entry.name)) this.#restoreFile(there.ino, name, entry.name, entry.inode);
    }
  }

  #restoreFile(directory: number, folder: string, name: string, inode: Inode): void {
    const mutation = this.#mutation;
    if (!isFile(inode) || inode.content === PURGED || mutation.lookup(directory, name) !== null) return;
    const slot = this.#slot(directory, folder, name);
    const { mode, mtime, size } = inode;
    if (inode.nlink === 0) mutation.relink(slot, inode, 0);
    else mutation.create(slot, { mode, mtime, size, content: mutation.addReference(inode.content) });
    this.done.push({ path: slot.path, action: "restore" });
  }

  /** The directory of this name, created if missing; null where something else has the name. */
  #directory(name: string): number | null {
    const there = this.#mutation.lookup(this.#store.directory, name);
    if (there !== null) return isDirectory(there) ? there.ino : null;
    return this.#mutation.create(this.#slot(this.#store.directory, "", name), { mode: DIRECTORY_MODE }).ino;
  }

  #slot(directory: number, folder: string, name: string) {
    return { parent: this.#mutation.inode(directory) as Inode, name, path: this.#path(folder, name) };
  }

  #path(folder: string, name: string): string {
    const directory = joinPath(this.#store.path, this.#policy.directory);
    return joinPath(folder === "" ? directory : joinPath(directory, folder), name);
  }
}
