/** The files of a volume that have open handles, by inode. */
import type { OpenInode } from "../handle/open-inode.ts";
import type { Mutation } from "../mutation/mutation.ts";

export class OpenInodes extends Map<number, OpenInode> {
  /** Call after a rollback, before the inode number of a rolled-back file is reused. */
  dropLost(headRev: number): void {
    for (const [ino, open] of this) {
      if (ino <= headRev) continue;
      open.isLost = true;
      this.delete(ino);
    }
  }

  /** Updates the names of open files after a commit. */
  followNames(mutation: Mutation): void {
    if (this.size === 0) return;
    for (const [parent, name, before] of mutation.namesBefore)
      if (before !== null) this.get(before.ino)?.unnamed(parent, name);
    for (const [parent, names] of mutation.entries) for (const [name, ino] of names) this.get(ino)?.named(parent, name);
  }
}
