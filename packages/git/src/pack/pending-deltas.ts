/**
 * Deltas whose base is not at hand, kept as they came, compressed, until it is: the second pass need not read them again. Beside
 * them is room for one delta inflated, the one that is being looked at.
 */
import { MIN_ROOM } from "../zlib/inflater.ts";

/** A larger delta is not held, but streamed. */
export const MAX_DELTA = 512 * 1024;

export class PendingDeltas {
  readonly bytes: Uint8Array;
  readonly inflated: Uint8Array;
  readonly largest: number;
  tail = 0;

  constructor(room: number) {
    this.bytes = new Uint8Array(room);
    this.largest = Math.min(MAX_DELTA, room);
    this.inflated = new Uint8Array(this.largest + MIN_ROOM);
  }

  get retainedBytes(): number {
    return this.bytes.length + this.inflated.length;
  }

  /** Keeps compressed bytes: -2 less their place, or -1 when there is no room for them. */
  keep(bytes: Uint8Array, from: number, to: number): number {
    if (this.tail + to - from > this.bytes.length) return -1;
    this.bytes.set(bytes.subarray(from, to), this.tail);
    const position = -2 - this.tail;
    this.tail += to - from;
    return position;
  }
}
