/**
 * git's iteration order over known objects: an open hash table by the first four bytes of the id, which doubles when it is half
 * full and moves a looked-up entry to the front of its run.
 */
import type { Oid } from "../../object/oid.ts";

export class ObjectOrder {
  #slots: (Oid | null)[] = [];
  #count = 0;

  /** Looks up an object as git would, and inserts it if new. */
  visit(oid: Oid): void {
    const size = this.#slots.length;
    if (size > 0) {
      const first = oidHash(oid) & (size - 1);
      for (let at = first; this.#slots[at] !== null; at = (at + 1) & (size - 1)) {
        if (this.#slots[at] !== oid) continue;
        if (at !== first) [this.#slots[at], this.#slots[first]] = [this.#slots[first] as Oid, oid];
        return;
      }
    }
    if (size - 1 <= this.#count * 2) this.#grow();
    this.#put(oid);
    this.#count++;
  }

  *oids(): Generator<Oid> {
    for (const oid of this.#slots) if (oid !== null) yield oid;
  }

  #put(oid: Oid): void {
    const mask = this.#slots.length - 1;
    let at = oidHash(oid) & mask;
    while (this.#slots[at] !== null) at = (at + 1) & mask;
    this.#slots[at] = oid;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Array(before.length < 32 ? 32 : before.length * 2).fill(null);
    for (const oid of before) if (oid !== null) this.#put(oid);
  }
}

/** The first four bytes, little-endian. */
function oidHash(oid: Oid): number {
  const swapped = oid.slice(6, 8) + oid.slice(4, 6) + oid.slice(2, 4) + oid.slice(0, 2);
  return Number.parseInt(swapped, 16);
}
