/**
 * Retains compressed deltas whose base is not in memory yet, which saves a second read in the second pass. Also has room for one
 * inflated delta, the current one.
 */
import { MIN_ROOM } from "../zlib/inflater.ts";

/** A larger delta is streamed instead of held. */
const MAX_DELTA = 512 * 1024;

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

  /** Stores compressed bytes: returns -2 minus their position, or -1 if there is no room. */
  keep(bytes: Uint8Array, from: number, to: number): number {
    if (this.tail + to - from > this.bytes.length) return -1;
    this.bytes.set(bytes.subarray(from, to), this.tail);
    const position = -2 - this.tail;
    this.tail += to - from;
    return position;
  }
}
