/**
 * A ring of bytes that objects are inflated into, one after another: no allocation per object and nothing to evict. Places are
 * counted on without end; an object is there until the ring has come round to it.
 */
import { HEADER_ROOM } from "../hash/object-hasher.ts";
import { MIN_ROOM } from "../zlib/inflater.ts";

const MARGIN = HEADER_ROOM + MIN_ROOM;
/** Places are counted in units of this many bytes, so that 31 bits reach far. */
const UNIT = 16;

export class Arena {
  readonly bytes: Uint8Array;
  readonly capacity: number;
  /** Units of all that was ever reserved. */
  #head = 0;
  readonly #units: number;

  constructor(capacity: number) {
    this.#units = Math.floor(capacity / UNIT);
    this.capacity = this.#units * UNIT;
    this.bytes = new Uint8Array(this.capacity);
  }

  /** What one object may take: a part, so that its base and its neighbours stay. */
  get largest(): number {
    return this.capacity / 8;
  }

  /** A place for `size` bytes, with room for a header before and for the inflater behind. */
  reserve(size: number): number {
    const units = Math.ceil((size + MARGIN) / UNIT);
    const within = this.#head % this.#units;
    if (within + units > this.#units) this.#head += this.#units - within;
    const position = this.#head;
    this.#head += units;
    return position;
  }

  /** Gives back the last reservation. */
  giveBack(place: number): void {
    this.#head = place;
  }

  holds(place: number): boolean {
    return place >= 0 && place >= this.#head - this.#units;
  }

  /** Where in `bytes` the object at a place begins. */
  at(place: number): number {
    return (place % this.#units) * UNIT + HEADER_ROOM;
  }
}
