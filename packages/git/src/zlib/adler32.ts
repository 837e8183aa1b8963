/** Adler-32, the checksum at the end of a zlib stream, as two sums that can be continued. */

/** How many bytes can be added before 32 bits overflow. */
const MAX = 5552;

/** `adler` is the value so far (1 at the start). */
export function adler32(adler: number, bytes: Uint8Array, from: number, to: number): number {
  let a = adler & 0xffff;
  let b = adler >>> 16;
  let at = from;
  while (at < to) {
    const stop = Math.min(at + MAX, to);
    const even = at + ((stop - at) & ~3);
    for (; at < even; at += 4) {
      const x = bytes[at] as number;
      const y = bytes[at + 1] as number;
      const z = bytes[at + 2] as number;
      const w = bytes[at + 3] as number;
      b += 4 * (a + x) + 3 * y + 2 * z + w;
      a += x + y + z + w;
    }
    for (; at < stop; at++) {
      a += bytes[at] as number;
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return ((b << 16) | a) >>> 0;
}
