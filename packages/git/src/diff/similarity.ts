/**
 * git's estimate of how much of one file is in another: both are cut into lines (or 64 bytes, whichever is less), each piece is
 * hashed, and the bytes of equal hashes are compared. Bytes after the last line feed are ignored, as in git 2.39.
 */

const PIECE = 64;
const BUCKETS = 107_927;

/** Bytes per hash, hashes ascending. */
export interface Fingerprint {
  readonly numbers: Int32Array;
  readonly bytes: Int32Array;
}

export function fingerprint(content: Uint8Array, isText: boolean): Fingerprint {
  const totals = new Map<number, number>();
  let length = 0;
  let a = 0;
  let b = 0;
  for (let at = 0; at < content.length; at++) {
    const byte = content[at] as number;
    // A file that only changed its line endings is the same text.
    if (isText && byte === 13 && content[at + 1] === 10) continue;
    const previous = a;
    a = ((a << 7) ^ (b >>> 25)) + byte;
    b = (b << 7) ^ (previous >>> 25);
    if (++length < PIECE && byte !== 10) continue;
    const number = ((a + Math.imul(b, 0x61)) >>> 0) % BUCKETS;
    totals.set(number, (totals.get(number) ?? 0) + length);
    length = 0;
    a = 0;
    b = 0;
  }
  const numbers = Int32Array.from(totals.keys()).sort();
  return { numbers, bytes: numbers.map((number) => totals.get(number) as number) };
}

/** Bytes of `from` that are also in `to`, and bytes of `to` that are new. */
export function countChanges(from: Fingerprint, to: Fingerprint): { copied: number; added: number } {
  let copied = 0;
  let added = 0;
  let j = 0;
  for (let i = 0; i < from.numbers.length; i++) {
    const number = from.numbers[i] as number;
    while (j < to.numbers.length && (to.numbers[j] as number) < number) added += to.bytes[j++] as number;
    if (to.numbers[j] !== number) continue;
    const [there, here] = [from.bytes[i] as number, to.bytes[j++] as number];
    copied += Math.min(there, here);
    added += Math.max(here - there, 0);
  }
  while (j < to.numbers.length) added += to.bytes[j++] as number;
  return { copied, added };
}
