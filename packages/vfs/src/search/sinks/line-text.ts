/** Lines as text, at the rim: bytes until here. */

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
const LF = 0x0a;

/** Without its last line ending, and at most `most` bytes of it, whole characters. */
export function lineText(bytes: Uint8Array, most: number): { text: string; cut?: true } {
  const end = bytes.length > 0 && bytes[bytes.length - 1] === LF ? bytes.length - 1 : bytes.length;
  if (end <= most) return { text: decoder.decode(bytes.subarray(0, end)) };
  let at = most;
  while (at > 0 && ((bytes[at] as number) & 0xc0) === 0x80) at--;
  return { text: decoder.decode(bytes.subarray(0, at)), cut: true };
}
