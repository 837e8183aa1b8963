/** Paths found by a walk over names, and their inodes: those not in memory are fetched together. */
import type { MetadataView } from "../cache/metadata-cache.ts";
import type { Inode } from "../tree/inode.ts";

export class InodeBatch {
  readonly #paths: string[] = [];
  /** A number is the id of an inode that was not in memory. */
  readonly #inodes: (Inode | number)[] = [];
  #missing = 0;

  get length(): number {
    return this.#paths.length;
  }

  get missing(): number {
    return this.#missing;
  }

  add(path: string, inode: Inode | number): void {
    this.#paths.push(path);
    this.#inodes.push(inode);
    if (typeof inode === "number") this.#missing++;
  }

  /** Maps each with `make`, in order. One that was removed while the walk yielded may be gone by now. */
  map<T>(cache: MetadataView, make: (path: string, inode: Inode) => T): T[] {
    const fetched = cache.inodesOf(this.#inodes.filter((inode) => typeof inode === "number"));
    const created: T[] = [];
    let next = 0;
    for (let at = 0; at < this.#paths.length; at++) {
      const held = this.#inodes[at] as Inode | number;
      const inode = typeof held === "number" ? fetched[next++] : held;
      if (inode) created.push(make(this.#paths[at] as string, inode));
    }
    return created;
  }
}
