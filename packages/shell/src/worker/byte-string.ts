/** Converts bytes to and from just-bash's strings, which hold one byte per character. */
const PIECE = 8192;
const encoder = new TextEncoder();
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true, fatal: false });

/** The runtime decodes ASCII, which is most of what there is, ten times as fast as a loop. */
export function toBinaryString(bytes: Uint8Array): string {
  const decoded = utf8.decode(bytes);
  if (!/[^\0-\x7f]/.test(decoded)) return decoded;
  let text = "";
  for (let i = 0; i < bytes.length; i += PIECE)
    text += String.fromCharCode.apply(null, bytes.subarray(i, i + PIECE) as unknown as number[]);
  return text;
}

/** Piece by piece, so that one character outside ASCII does not send a long output through the loop. */
export function fromBinaryString(latin1: string): Uint8Array {
  const bytes = new Uint8Array(latin1.length);
  for (let i = 0; i < latin1.length; i += PIECE) {
    const piece = latin1.slice(i, i + PIECE);
    if (!/[^\0-\x7f]/.test(piece)) encoder.encodeInto(piece, bytes.subarray(i));
    else for (let k = 0; k < piece.length; k++) bytes[i + k] = piece.charCodeAt(k);
  }
  return bytes;
}
