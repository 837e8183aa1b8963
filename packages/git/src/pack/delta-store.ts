/**
 * Deltas whose base is not at hand, kept as they came, compressed, until it is: the second pass need not read them again. Beside
 * them is room for one delta inflated, the one that is being looked at.
 */
import { LEAST_ROOM } from "../zlib/inflater.ts";

/** A larger delta is not held, but streamed. */
export const LARGEST_DELTA = 512 * 1024;

export class DeltaStore {
  readonly bytes: Uint8Array;
  readonly inflated: Uint8Array;
  readonly largest: number;
  tail = 0;

  constructor(room: number) {
    this.bytes = new Uint8Array(room);
    this.largest = Math.min(LARGEST_DELTA, room);
    this.inflated = new Uint8Array(this.largest + LEAST_ROOM);
  }

  get heldBytes(): number {
    return this.bytes.length + this.inflated.length;
  }

  /** Keeps compressed bytes: -2 less their place, or -1 when there is no room for them. */
  keep(bytes: Uint8Array, from: number, to: number): number {
    if (this.tail + to - from > this.bytes.length) return -1;
    this.bytes.set(bytes.subarray(from, to), this.tail);
    const place = -2 - this.tail;
    this.tail += to - from;
    return place;
  }
}
