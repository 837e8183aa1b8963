/**
 * Three bytes in a row, A–Z as a–z, hashed to as many values as suit the size of a text: a text has a bit for each value that
 * occurs in it, and a search whose text has a value that does not occur need not look. Every size has a quarter of a bit to half
 * a bit per byte, so the index stays below a quarter of the text.
 */

const LEAST_BITS = 8;
const MOST_BITS = 19;
/** Smaller contents are searched faster than their bits are looked up; larger ones are searched in windows. */
export const LEAST_SIZE = 128;
export const MOST_SIZE = 8 * 1024 * 1024;

/** Logarithm of how many hash values the trigrams of a text of this size have. */
export function bitsFor(size: number): number {
  return Math.max(LEAST_BITS, Math.min(MOST_BITS, Math.floor(Math.log2(size)) + 1));
}

const fold = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

/** Sets bit `column` of every hash value's row, rows being `stride` bytes. */
export function markTrigrams(text: Uint8Array, bits: number, rows: Uint8Array, stride: number, column: number): void {
  const shift = 32 - bits;
  const byte = column >> 3;
  const mask = 1 << (column & 7);
  let window = ((fold[text[0] as number] as number) << 8) | (fold[text[1] as number] as number);
  for (let i = 2; i < text.length; i++) {
    window = ((window << 8) | (fold[text[i] as number] as number)) & 0xffffff;
    const at = (Math.imul(window, 0x9e3779b1) >>> shift) * stride + byte;
    rows[at] = (rows[at] as number) | mask;
  }
}

/** The hash values that a text with this string in it must have; at most `most`, spread over the string. */
export function bucketsOf(folded: string, bits: number, most: number): number[] {
  const count = folded.length - 2;
  const picked = new Set<number>();
  for (let i = 0; i < Math.min(count, most); i++) {
    const at = count <= most ? i : Math.floor((i * (count - 1)) / (most - 1));
    const trigram = (folded.charCodeAt(at) << 16) | (folded.charCodeAt(at + 1) << 8) | folded.charCodeAt(at + 2);
    picked.add(Math.imul(trigram, 0x9e3779b1) >>> (32 - bits));
  }
  return [...picked];
}

/**
 * Whether the bits would lie for this text: it is UTF-16, and searched as something else; or it has a letter that equals `k` or
 * `s` when case is ignored, though it shares no byte with them (U+212A, U+017F).
 */
export function isUnindexable(text: Uint8Array): boolean {
  if ((text[0] === 0xff && text[1] === 0xfe) || (text[0] === 0xfe && text[1] === 0xff)) return true;
  for (let i = text.indexOf(0xc5); i >= 0; i = text.indexOf(0xc5, i + 1)) if (text[i + 1] === 0xbf) return true;
  for (let i = text.indexOf(0x84); i > 0; i = text.indexOf(0x84, i + 1))
    if (text[i - 1] === 0xe2 && text[i + 1] === 0xaa) return true;
  return false;
}
