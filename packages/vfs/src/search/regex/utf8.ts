/**
 * Decodes one character at a time from bytes, in both directions. A byte that is part of no valid character is -1 and one byte
 * long. Valid sequences never overlap, so both directions agree.
 */

/** Packed: `code * 8 + length`; negative for an invalid byte. `at < end`. */
export function decodeAt(bytes: Uint8Array, at: number, end: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return lead * 8 + 1;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const second = at + 1 < end ? (bytes[at + 1] as number) : 0;
  if ((second & 0xc0) !== 0x80) return -1;
  if (lead < 0xe0) return (((lead & 0x1f) << 6) | (second & 0x3f)) * 8 + 2;
  const third = at + 2 < end ? (bytes[at + 2] as number) : 0;
  if ((third & 0xc0) !== 0x80) return -1;
  if (lead < 0xf0) {
    const code = ((lead & 0x0f) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
    return code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? -1 : code * 8 + 3;
  }
  const fourth = at + 3 < end ? (bytes[at + 3] as number) : 0;
  if ((fourth & 0xc0) !== 0x80) return -1;
  const code = ((lead & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f);
  return code < 0x10000 || code > 0x10ffff ? -1 : code * 8 + 4;
}

/** The character that ends before `at`, not reaching back beyond `start`; `start < at`. */
export function decodeBefore(bytes: Uint8Array, start: number, at: number): number {
  const last = bytes[at - 1] as number;
  if (last < 0x80) return last * 8 + 1;
  const min = Math.max(start, at - 4);
  for (let i = at - 1; i >= min; i--) {
    if (((bytes[i] as number) & 0xc0) === 0x80) continue;
    const packed = decodeAt(bytes, i, at);
    return packed >= 0 && i + (packed & 7) === at ? packed : -1;
  }
  return -1;
}
