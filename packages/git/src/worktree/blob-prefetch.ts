/**
 * Blobs to be written lie beside the trees that name them, at least in packs of a repository without tags. Those on a page that a
 * tree was just read from are inflated at once and stay in the database's cache, so that `readMany` need not read the page again.
 * This reads nothing from the file system.
 */

import type { Oid } from "../object/oid.ts";
import type { ObjectDatabase } from "../odb/object-database.ts";

/** Well below the cache's capacity: an evicted blob would be inflated twice. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Number of further trees after which a blob whose page is still not loaded is dropped. */
const IDLE_STEPS = 3;

export class BlobPrefetch {
  readonly #odb: ObjectDatabase;
  #directory = "";
  #waiting: { readonly oid: Oid; left: number }[] = [];
  #room = MAX_BYTES;

  constructor(odb: ObjectDatabase) {
    this.#odb = odb;
  }

  /** A blob of the last tree read. */
  offer(path: string, oid: Oid): void {
    if (this.#room <= 0) return;
    const directory = path.slice(0, path.lastIndexOf("/") + 1);
    if (directory !== this.#directory) this.#tryAgain();
    this.#directory = directory;
    if (!this.#take(oid)) this.#waiting.push({ oid, left: IDLE_STEPS });
  }

  #tryAgain(): void {
    this.#waiting = this.#waiting.filter((one) => !this.#take(one.oid) && --one.left > 0);
  }

  #take(oid: Oid): boolean {
    const object = this.#odb.peek(oid);
    if (object !== null) this.#room -= object.body.length;
    return object !== null;
  }
}
