/** The objects last written whole to a pack, as delta bases for the next one: a few, of one type, bounded in bytes. */

import { deltaOn, indexSource } from "../pack/create-delta.ts";
import type { ObjectType } from "./object-database.ts";

/** git's own limits: number of candidates and maximum chain length. */
const WINDOW = 10;
const DEPTH = 50;
/** Larger objects are not tried. */
const MAX_DELTA = 512 * 1024;

interface DeltaCandidate {
  readonly type: ObjectType;
  readonly index: NonNullable<ReturnType<typeof indexSource>>;
  readonly size: number;
  readonly position: number;
  readonly depth: number;
}

interface FoundDelta {
  readonly delta: Uint8Array;
  readonly position: number;
  readonly depth: number;
}

export class DeltaWindow {
  #candidates: DeltaCandidate[] = [];

  /** Returns the smallest delta against an object in the window, or null if none saves enough. */
  find(type: ObjectType, body: Uint8Array): FoundDelta | null {
    if (body.length < 50 || body.length > MAX_DELTA) return null;
    let best: FoundDelta | null = null;
    for (const { type: other, index, size, position, depth } of this.#candidates) {
      if (other !== type || depth >= DEPTH || size < body.length / 32) continue;
      // The deeper the chain, the more a delta must save.
      const max: number = best?.delta.length ?? Math.floor(((body.length / 2 - 20) * (DEPTH - depth)) / DEPTH);
      const delta: Uint8Array | null = max > 0 ? deltaOn(index, body, max) : null;
      if (delta !== null && delta.length < (best?.delta.length ?? Number.POSITIVE_INFINITY))
        best = { delta, position, depth: depth + 1 };
    }
    return best;
  }

  add(type: ObjectType, body: Uint8Array, position: number, depth: number): void {
    const index = body.length > MAX_DELTA ? null : indexSource(body);
    if (index === null) return;
    this.#candidates.unshift({ type, index, size: body.length, position, depth });
    if (this.#candidates.length > WINDOW) this.#candidates.pop();
  }
}
