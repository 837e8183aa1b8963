/**
 * Ring buffer that objects are inflated into, one after another: no allocation per object and no eviction. Positions grow
 * without end; an object is valid until the ring overwrites it.
 */
import { HEADER_ROOM } from "../hash/object-hasher.ts";
import { MIN_ROOM } from "../zlib/inflater.ts";

const MARGIN = HEADER_ROOM + MIN_ROOM;
/** Positions are in units of this many bytes, which extends the range of 31 bits. */
const UNIT = 16;

export class Arena {
  readonly bytes: Uint8Array;
  readonly capacity: number;
  /** Total units ever reserved. */
  #head = 0;
  readonly #units: number;

  constructor(capacity: number) {
    this.#units = Math.floor(capacity / UNIT);
    this.capacity = this.#units * UNIT;
    this.bytes = new Uint8Array(this.capacity);
  }

  /** Maximum size of one object: a fraction, so that its base and its neighbors stay. */
  get largest(): number {
    return this.capacity / 8;
  }

  /** Reserves `size` bytes, with room for a header before and for the inflater behind. */
  reserve(size: number): number {
    const units = Math.ceil((size + MARGIN) / UNIT);
    const within = this.#head % this.#units;
    if (within + units > this.#units) this.#head += this.#units - within;
    const position = this.#head;
    this.#head += units;
    return position;
  }

  /** Undoes the last reservation. */
  free(place: number): void {
    this.#head = place;
  }

  holds(place: number): boolean {
    return place >= 0 && place >= this.#head - this.#units;
  }

  /** Index in `bytes` of the object at a position. */
  at(place: number): number {
    return (place % this.#units) * UNIT + HEADER_ROOM;
  }
}
