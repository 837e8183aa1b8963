/** Truncates texts to a budget of UTF-8 bytes, never inside a character. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

export function byteLength(text: string): number {
  // Most texts are ASCII or short: a length that cannot exceed the budget needs no encoding.
  return encoder.encode(text).length;
}

/** The beginning, with a line that reports how much is missing. */
export function cutText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = encoder.encode(text);
  if (bytes.length <= maxBytes) return text;
  const head = decoder.decode(bytes.subarray(0, charBoundary(bytes, maxBytes)));
  return `${head}\n[… ${bytes.length - maxBytes} more bytes]`;
}

export interface HeadAndTail {
  text: string;
  truncated: boolean;
  /** Omitted bytes. */
  omitted: number;
}

/** Keeps both ends, half the budget each, because a command's outcome is at its end. */
export function headAndTail(text: string, maxBytes: number): HeadAndTail {
  const bytes = text.length * 3 <= maxBytes ? null : encoder.encode(text);
  if (bytes === null || bytes.length <= maxBytes) return { text, truncated: false, omitted: 0 };
  const note = 64;
  const room = Math.max(maxBytes - note, 2);
  const headEnd = charBoundary(bytes, Math.ceil(room / 2));
  let tailStart = bytes.length - Math.floor(room / 2);
  while (tailStart < bytes.length && isContinuation(bytes[tailStart])) tailStart++;
  const omitted = tailStart - headEnd;
  const head = decoder.decode(bytes.subarray(0, headEnd));
  const tail = decoder.decode(bytes.subarray(tailStart));
  return { text: `${head}\n[… ${omitted} bytes left out …]\n${tail}`, truncated: true, omitted };
}

/** The largest position up to `at` that is not inside a character. */
export function charBoundary(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return bytes.length;
  let end = at;
  while (end > 0 && at - end < 4 && isContinuation(bytes[end])) end--;
  return isContinuation(bytes[end]) ? at : end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
