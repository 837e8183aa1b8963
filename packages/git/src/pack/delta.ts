/** Delta instructions: copy `length` bytes from `offset` of the base, or insert literal bytes. */
import { GitError } from "../errors.ts";

interface DeltaSizes {
  readonly baseSize: number;
  readonly resultSize: number;
  /** Where the instructions begin. */
  readonly at: number;
}

/** Needs at most the first twenty bytes. */
export function deltaSizes(delta: Uint8Array, from = 0, to = delta.length): DeltaSizes {
  const sizes = [0, 0];
  let at = from;
  for (let i = 0; i < 2; i++) {
    let size = 0;
    let scale = 1;
    for (;;) {
      if (at >= to || scale > 2 ** 49) throw badDelta();
      const byte = delta[at++] as number;
      size += (byte & 127) * scale;
      if (byte < 128) break;
      scale *= 128;
    }
    sizes[i] = size;
  }
  return { baseSize: sizes[0] as number, resultSize: sizes[1] as number, at };
}

/** Returns a new array of exactly the stated size. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const { baseSize, resultSize, at } = deltaSizes(delta);
  if (baseSize !== base.length || resultSize > 0x7fffffff) throw badDelta();
  const result = new Uint8Array(resultSize);
  applyInstructions(base, 0, baseSize, delta, at, delta.length, result, 0, resultSize);
  return result;
}

/**
 * Applies `delta[at, end)` to `base[baseAt, +baseSize)`, writing `result[resultAt, +resultSize)`, which must be filled
 * exactly.
 */
export function applyInstructions(
  base: Uint8Array,
  baseAt: number,
  baseSize: number,
  delta: Uint8Array,
  at: number,
  end: number,
  result: Uint8Array,
  resultAt: number,
  resultSize: number,
): void {
  const resultEnd = resultAt + resultSize;
  let from = at;
  let to = resultAt;
  while (from < end) {
    const op = delta[from++] as number;
    if (op >= 128) {
      let offset = 0;
      let length = 0;
      // Reads past the end yield zero here; the check after the loop catches them.
      if ((op & 1) !== 0) offset = delta[from++] as number;
      if ((op & 2) !== 0) offset |= (delta[from++] as number) << 8;
      if ((op & 4) !== 0) offset |= (delta[from++] as number) << 16;
      if ((op & 8) !== 0) offset = (offset | ((delta[from++] as number) << 24)) >>> 0;
      if ((op & 16) !== 0) length = delta[from++] as number;
      if ((op & 32) !== 0) length |= (delta[from++] as number) << 8;
      if ((op & 64) !== 0) length |= (delta[from++] as number) << 16;
      if (length === 0) length = 0x10000;
      if (offset + length > baseSize || to + length > resultEnd) throw badDelta();
      copy(base, baseAt + offset, length, result, to);
      to += length;
    } else {
      if (op === 0 || from + op > end || to + op > resultEnd) throw badDelta();
      for (let i = 0; i < op; i++) result[to++] = delta[from++] as number;
    }
  }
  if (from !== end || to !== resultEnd) throw badDelta();
}

function copy(source: Uint8Array, at: number, length: number, target: Uint8Array, to: number): void {
  if (length > 96) {
    // Within one buffer no view is needed, which would be garbage.
    if (source === target) target.copyWithin(to, at, at + length);
    else target.set(source.subarray(at, at + length), to);
    return;
  }
  for (let i = 0; i < length; i++) target[to + i] = source[at + i] as number;
}

export function badDelta(): GitError {
  return new GitError("ECORRUPT", "failed to apply delta");
}
