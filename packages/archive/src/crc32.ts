/**
 * CRC-32, the checksum of zip, gzip and git's packs: four bytes a step, or the runtime's zlib where it is available and faster. Git
 * computes it over every byte of a pack (`npm run bench git`: clone).
 */

type NativeCrc = (bytes: Uint8Array, before: number) => number;

const native = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => { crc32?: NativeCrc } | undefined } }
).process?.getBuiltinModule?.("node:zlib")?.crc32;

/** Below this size the native call costs more. */
const NATIVE_FROM = 1024;

const TABLES = Array.from({ length: 4 }, () => new Int32Array(256));
const [T0, T1, T2, T3] = TABLES as [Int32Array, Int32Array, Int32Array, Int32Array];
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let i = 0; i < 8; i++) crc = (crc & 1) !== 0 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  T0[byte] = crc;
}
for (let byte = 0; byte < 256; byte++) {
  for (let i = 1; i < 4; i++) {
    const before = (TABLES[i - 1] as Int32Array)[byte] as number;
    (TABLES[i] as Int32Array)[byte] = (before >>> 8) ^ (T0[before & 255] as number);
  }
}

/** Computes the CRC of `bytes` from `from` to `to`. `before` is an earlier result to continue from, or 0. */
export function crc32(bytes: Uint8Array, before = 0, from = 0, to = bytes.length): number {
  if (native !== undefined && to - from >= NATIVE_FROM) return native(bytes.subarray(from, to), before);
  let state = ~before;
  let at = from;
  for (const stop = to - 3; at < stop; at += 4) {
    state ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    state =
      (T3[state & 255] as number) ^
      (T2[(state >>> 8) & 255] as number) ^
      (T1[(state >>> 16) & 255] as number) ^
      (T0[state >>> 24] as number);
  }
  for (; at < to; at++) state = (T0[(state ^ (bytes[at] as number)) & 255] as number) ^ (state >>> 8);
  return ~state >>> 0;
}
