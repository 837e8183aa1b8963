/** Handles byte-order marks: UTF-16 is searched as UTF-8, and the mark is not part of the text. */

export function hasMark(bytes: Uint8Array): boolean {
  const [a, b, c] = bytes;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a === 0xef && b === 0xbb && c === 0xbf);
}

/** The text as UTF-8 without a mark; the same bytes where there is none. */
export function toUtf8(bytes: Uint8Array): Uint8Array {
  if (!hasMark(bytes)) return bytes;
  if (bytes[0] === 0xef) return bytes.subarray(3);
  const units = bytes.slice(2);
  if (bytes[0] === 0xfe) swapPairs(units);
  return new TextEncoder().encode(new TextDecoder("utf-16le").decode(units));
}

function swapPairs(bytes: Uint8Array): void {
  for (let i = 0; i + 1 < bytes.length; i += 2) {
    const first = bytes[i] as number;
    bytes[i] = bytes[i + 1] as number;
    bytes[i + 1] = first;
  }
}
