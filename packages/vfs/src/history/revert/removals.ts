/** Finds when inodes without a name lost it. Reads the log only for the few inodes of a plan, along their own entries. */
import type { Database } from "../../db/database.ts";
import { selectInode } from "../../store/inodes.ts";
import { selectInodeLog } from "../../store/log-reader.ts";

export class Removals {
  readonly #db: Database;
  readonly #after: number;
  readonly #known = new Map<number, number | null>();

  /** `after`: changes up to this revision do not matter. */
  constructor(db: Database, after: number) {
    this.#db = db;
    this.#after = after;
  }

  /** The revision at which an inode lost its last name; null when it has one, or lost it too long ago to matter. */
  beforeRemoval(ino: number): number | null {
    let rev = this.#known.get(ino);
    if (rev === undefined) this.#known.set(ino, (rev = this.#find(ino)));
    return rev;
  }

  #find(ino: number): number | null {
    const inode = selectInode(this.#db, ino);
    if (inode === null || inode.nlink > 0) return null;
    const chain = selectInodeLog(this.#db, [[ino, inode.rev]], this.#after).get(ino) ?? [];
    return (
      chain.find(({ op, ino: subject, replaced }) => replaced === ino || (op === "remove" && subject === ino))?.rev ??
      null
    );
  }
}
