/**
 * A set of object ids with a byte of flags each, as columns: as strings, a million objects would take a hundred megabytes. Rows
 * are numbered in insertion order.
 */

import { freeBuffer } from "../memory/free-buffer.ts";
import { type Oid, oidFromBytes } from "../object/oid.ts";
import { compareOidBytes, putOid } from "./oid-words.ts";

const scratch = new Uint8Array(20);

/** A power of two, at most half of them used. */
const slotsFor = (capacity: number) => 2 ** Math.ceil(Math.log2(2 * capacity + 1));

export class OidTable {
  count = 0;
  names: Uint8Array;
  flags: Uint8Array;
  #slots: Int32Array;

  /** `capacity`: number of ids before it grows. */
  constructor(capacity = 1024) {
    this.names = new Uint8Array(20 * capacity);
    this.flags = new Uint8Array(capacity);
    this.#slots = new Int32Array(slotsFor(capacity)).fill(-1);
  }

  /** Memory of a table with this capacity. */
  static bytesFor(capacity: number): number {
    return 21 * capacity + 4 * slotsFor(capacity);
  }

  /** Frees its memory at once; the table must not be used afterwards. */
  free(): void {
    freeBuffer(this.names, this.flags, this.#slots);
  }

  /** The row of an id, added if new. */
  add(oid: Oid): number {
    putOid(oid, scratch, 0);
    return this.addBytes(scratch, 0);
  }

  addBytes(bytes: Uint8Array, at: number): number {
    let slot = this.#slot(bytes, at);
    const row = this.#slots[slot] as number;
    if (row >= 0) return row;
    if (this.count === this.flags.length) this.#grow();
    if (this.count * 2 >= this.#slots.length) {
      this.#rehash();
      slot = this.#slot(bytes, at);
    }
    this.#slots[slot] = this.count;
    // A view of the bytes for each id would be garbage.
    for (let i = 0; i < 20; i++) this.names[this.count * 20 + i] = bytes[at + i] as number;
    return this.count++;
  }

  /** -1: not present. */
  find(oid: Oid): number {
    putOid(oid, scratch, 0);
    return this.#slots[this.#slot(scratch, 0)] as number;
  }

  findBytes(bytes: Uint8Array, at: number): number {
    return this.#slots[this.#slot(bytes, at)] as number;
  }

  has(oid: Oid): boolean {
    return this.find(oid) >= 0;
  }

  oid(row: number): Oid {
    return oidFromBytes(this.names, row * 20);
  }

  /** The slot where an id is, or would be. */
  #slot(bytes: Uint8Array, at: number): number {
    const mask = this.#slots.length - 1;
    let slot =
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24)) &
      mask;
    for (let row = this.#slots[slot] as number; row >= 0; row = this.#slots[slot] as number) {
      if (compareOidBytes(this.names, row * 20, bytes, at) === 0) return slot;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const names = new Uint8Array(this.names.length * 2);
    names.set(this.names);
    this.names = names;
    const flags = new Uint8Array(this.flags.length * 2);
    flags.set(this.flags);
    this.flags = flags;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let row = 0; row < this.count; row++) this.#slots[this.#slot(this.names, row * 20)] = row;
  }
}
