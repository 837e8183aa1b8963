/**
 * The shared state of all handles of one inode. It tracks the file's current names, so that a commit finds one whatever was
 * renamed, linked or removed since the file was opened. It also holds edits synced after the last name was removed; no database row
 * may hold those, because the row is the file as history knows it. The last handle that closes frees it.
 */

import type { Dentry } from "../mutation/dentry.ts";
import { selectHardlinks, selectNameOf } from "../store/inodes.ts";
import { selectNamesOf } from "../store/names.ts";
import { type Inode, isDirectory } from "../tree/inode.ts";
import { joinPath, parsePath, utf8Length } from "../tree/path.ts";
import { resolve } from "../tree/resolve.ts";
import type { ReadView } from "../volume/views.ts";
import { pathOfDirectory } from "../walk/path-of.ts";
import { WriteBuffer } from "./write-buffer.ts";

interface Name {
  readonly parent: number;
  readonly name: string;
}

export type Attributes = { mode?: number; mtime?: number };

export class OpenInode {
  /** A rollback removed the file. */
  isLost = false;
  readonly #volume: ReadView;
  readonly #ino: number;
  /** Edits synced while the file had no name; they are written to it if it gets one again. */
  readonly unlinked: WriteBuffer;
  #unlinkedAttributes: Attributes = {};
  #handles = 0;
  /** The file's names. After a rollback some may be wrong and others missing: each is checked before use. */
  #names: Name[];
  /** The last known path of the file, without symlinks. */
  #lastPath: string;

  private constructor(volume: ReadView, ino: number, { parent, name, path }: Dentry) {
    this.#volume = volume;
    this.#ino = ino;
    this.#names = [{ parent: parent.ino, name }];
    this.#lastPath = path;
    this.unlinked = new WriteBuffer(volume);
  }

  /** Opens it for one more handle, which calls `close` when it closes. */
  static hold(volume: ReadView, ino: number, slot: Dentry): OpenInode {
    // Without a policy: handles of other views share it, and each commit applies the policy of its own view.
    const open = volume.handles.get(ino) ?? new OpenInode(volume.unrestricted, ino, slot);
    volume.handles.set(ino, open);
    open.#handles++;
    return open;
  }

  close(): void {
    if (--this.#handles > 0) return;
    this.unlinked.close();
    if (!this.isLost) this.#volume.handles.delete(this.#ino);
  }

  get unlinkedAttributes(): Attributes {
    return this.#unlinkedAttributes;
  }

  set unlinkedAttributes(next: Attributes) {
    const before = this.#unlinkedAttributes;
    this.#unlinkedAttributes = next;
    this.#volume.store.db.onRollback(() => (this.#unlinkedAttributes = before));
  }

  named(parent: number, name: string): void {
    this.#names.unshift({ parent, name });
  }

  unnamed(parent: number, name: string): void {
    this.#names = this.#names.filter((one) => one.parent !== parent || one.name !== name);
  }

  /** A current name of the file; null when none can be reached. */
  slot(inode: Inode): Dentry | null {
    if (inode.nlink === 0) return null;
    const found = this.#slotAtLastPath() ?? this.#slotAmong(this.#names);
    if (found !== null) return this.#found(found);
    // The only name is in a removed tree.
    if (inode.nlink === 1 && this.#names.some((name) => this.#isName(name))) return null;
    this.#names = this.#selectNames(inode);
    const other = this.#slotAmong(this.#names);
    return other === null ? null : this.#found(other);
  }

  #selectNames(inode: Inode): Name[] {
    const { db } = this.#volume.store;
    const { ino, nlink, parent } = inode;
    if (!isDirectory(inode)) return nlink > 1 ? selectHardlinks(db, ino) : selectNamesOf(db, [ino]);
    const name = selectNameOf(db, parent, ino);
    return name === null ? [] : [{ parent, name }];
  }

  #found(slot: Dentry): Dentry {
    this.#lastPath = slot.path;
    return slot;
  }

  #slotAtLastPath(): Dentry | null {
    // Moved trees can be deeper than the maximum path length.
    if (utf8Length(this.#lastPath) >= this.#volume.limits.pathBytes) return null;
    try {
      const there = resolve(this.#volume.cache, parsePath(this.#lastPath, "open"), "open", "itself");
      return there.inode?.ino === this.#ino ? there : null;
    } catch {
      return null;
    }
  }

  #slotAmong(names: readonly Name[]): Dentry | null {
    for (const name of names) {
      const parent = this.#isName(name) ? this.#volume.cache.inode(name.parent) : null;
      const directory = parent === null ? null : pathOfDirectory(this.#volume, parent);
      if (parent !== null && directory !== null)
        return { parent, name: name.name, path: joinPath(directory, name.name) };
    }
    return null;
  }

  #isName({ parent, name }: Name): boolean {
    return this.#volume.cache.lookup(parent, name)?.ino === this.#ino;
  }
}
