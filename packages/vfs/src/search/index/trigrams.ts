/**
 * Trigrams: three consecutive bytes, A–Z folded to a–z, hashed to a number of values that suits the size of the text. A text has a
 * bit for each value that occurs in it; a search can skip it if a value of the pattern does not occur. Every size class uses a
 * quarter to half a bit per byte, so the index stays below a quarter of the text.
 */

const MIN_BITS = 8;
const MAX_BITS = 19;
/** Searching smaller contents is faster than looking up their bits; larger ones are searched in windows. */
export const MIN_SIZE = 128;
export const MAX_SIZE = 8 * 1024 * 1024;

/** Logarithm of the number of hash values for the trigrams of a text of this size. */
export function bitsFor(size: number): number {
  return Math.max(MIN_BITS, Math.min(MAX_BITS, Math.floor(Math.log2(size)) + 1));
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

/** The hash values that a text with this string must have, those of probably rare trigrams first. */
export function bucketsOf(folded: string, bits: number): number[] {
  const trigrams = Array.from({ length: Math.max(0, folded.length - 2) }, (_, at) => folded.slice(at, at + 3));
  trigrams.sort((a, b) => commonness(a) - commonness(b));
  return [...new Set(trigrams.map((trigram) => bucketOf(trigram, bits)))];
}

function bucketOf(trigram: string, bits: number): number {
  const value = (trigram.charCodeAt(0) << 16) | (trigram.charCodeAt(1) << 8) | trigram.charCodeAt(2);
  return Math.imul(value, 0x9e3779b1) >>> (32 - bits);
}

/** The most frequent first. */
const COMMON = " etaoinsrlcduhpmfgy.(";

function commonness(trigram: string): number {
  let sum = 0;
  for (const unit of trigram) {
    const at = COMMON.indexOf(unit);
    sum += at < 0 ? 0 : COMMON.length - at;
  }
  return sum;
}

/**
 * Whether the bits would be wrong for this text: it is UTF-16, and searched in another encoding; or it has a letter that equals `k`
 * or `s` when case is ignored, though it shares no byte with them (U+212A, U+017F).
 */
export function isUnindexable(text: Uint8Array): boolean {
  if ((text[0] === 0xff && text[1] === 0xfe) || (text[0] === 0xfe && text[1] === 0xff)) return true;
  for (let i = text.indexOf(0xc5); i >= 0; i = text.indexOf(0xc5, i + 1)) if (text[i + 1] === 0xbf) return true;
  for (let i = text.indexOf(0x84); i > 0; i = text.indexOf(0x84, i + 1))
    if (text[i - 1] === 0xe2 && text[i + 1] === 0xaa) return true;
  return false;
}
