/** Converts ranges of a line from UTF-8 bytes, as the server counts them, to characters of its string. */
interface Range {
  start: number;
  end: number;
}

export function charRanges(text: string, ranges: readonly Range[]): Range[] {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length === text.length) return [...ranges];
  const decoder = new TextDecoder();
  const at = (offset: number) => decoder.decode(bytes.subarray(0, offset)).length;
  return ranges.map(({ start, end }) => ({ start: at(start), end: at(end) }));
}
