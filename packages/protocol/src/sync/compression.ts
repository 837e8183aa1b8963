/**
 * Compressed bodies: raw deflate; `packed` in the header is the uncompressed length. This file holds what both sides share; each
 * uses its platform's deflate. The declared length is checked before inflating and enforced afterwards.
 */
import { FrameError } from "../frames.ts";
import { SYNC_LIMITS } from "./sync-limits.ts";

/** The protocol version from which bodies may be compressed. */
export const PACKING_PROTOCOL = 2;
/** A shorter body is not worth compressing. */
const MIN = 4096;
/** Size of a sample; three samples, from the beginning, the middle and the end, represent the whole. */
const SAMPLE = 4096;
/** A body that shrinks by less than a tenth is sent uncompressed. */
const WORTH = 0.9;
/** Deflate's maximum ratio, so a larger declared length is invalid. */
const MAX_RATIO = 1033;

/** The sample to compress first; null if the body is too short to compress at all. */
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

/** The inflated length of the body; null for an uncompressed one. */
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

/** Concatenates the parts of a body. */
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
