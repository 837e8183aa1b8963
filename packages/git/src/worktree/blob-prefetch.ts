/**
 * Blobs that will be written lie beside the trees that name them, in packs of a repository without tags at least. What is on a page
 * that a tree was just read from is inflated right then and stays in the database's cache, so that `readMany` need not read the
 * page once more. Nothing is read from the file system for it.
 */
import type { ObjectDatabase } from "../object-database.ts";
import type { Oid } from "../oid.ts";

/** Well within what the cache holds: what it had to drop would be inflated twice. */
const MAX_BYTES = 10 * 1024 * 1024;
/** How many trees may be read until the page that one goes on with must have come. */
const IDLE_STEPS = 3;

export class BlobPrefetch {
  readonly #odb: ObjectDatabase;
  #directory = "";
  #waiting: { readonly oid: Oid; left: number }[] = [];
  #room = MAX_BYTES;

  constructor(odb: ObjectDatabase) {
    this.#odb = odb;
  }

  /** A blob of the tree that was read last. */
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
