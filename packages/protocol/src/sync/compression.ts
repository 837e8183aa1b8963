/**
 * Compressed bodies: raw deflate, and `packed` in the header says how long the body is without it. Here is what both sides agree on;
 * each has its platform's own deflate. The declared length is checked before anything is inflated, and held to afterwards.
 */
import { FrameError } from "../frames.ts";
import { SYNC_LIMITS } from "./sync-limits.ts";

/** The protocol's version from which on bodies may be packed. */
export const PACKING_PROTOCOL = 2;
/** A body shorter than this is not worth the trouble. */
const MIN = 4096;
/** Three of these, from the beginning, the middle and the end, speak for the whole. */
const SAMPLE = 4096;
/** What is not at least a tenth shorter goes as it is. */
const WORTH = 0.9;
/** Deflate cannot do better, so whoever says more lies. */
const MAX_RATIO = 1033;

/** What to try first; null where a body is too short to be packed at all. */
export function sampleOf(body: Uint8Array): Uint8Array | null {
  if (body.length < MIN) return null;
  if (body.length <= 3 * SAMPLE) return body;
  const middle = Math.floor((body.length - SAMPLE) / 2);
  const sample = new Uint8Array(3 * SAMPLE);
  sample.set(body.subarray(0, SAMPLE));
  sample.set(body.subarray(middle, middle + SAMPLE), SAMPLE);
  sample.set(body.subarray(-SAMPLE), 2 * SAMPLE);
  return sample;
}

export function isWorthPacking(bytes: number, packed: number): boolean {
  return packed <= bytes * WORTH;
}

/** How long the body is when it is inflated; null for one that is not packed. */
export function packedLength(header: Record<string, unknown>, body: Uint8Array): number | null {
  const { packed } = header;
  if (packed === undefined) return null;
  if (
    !Number.isSafeInteger(packed) ||
    (packed as number) <= body.length ||
    (packed as number) > SYNC_LIMITS.messageBytes
  )
    throw new FrameError("a packed body whose length is not what it can be");
  if ((packed as number) > body.length * MAX_RATIO)
    throw new FrameError("a packed body that is too short for its length");
  return packed as number;
}

/** The parts of a body as one. */
export function joinBody(body: Uint8Array | readonly Uint8Array[]): Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (body.length === 1) return body[0] as Uint8Array;
  const whole = new Uint8Array(body.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of body) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
