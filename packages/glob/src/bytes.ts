/**
 * Byte strings: git and ripgrep match bytes, so their `?` is one byte of a name, not one character. A byte string is a string whose
 * units are the bytes of the UTF-8 text, so that both use the same automaton. An ASCII string is its own byte string, at no cost.
 */
const NOT_ASCII = /[^\0-\x7f]/;
const encoder = new TextEncoder();

export function toByteString(text: string): string {
  return NOT_ASCII.test(text) ? bytesToString(encoder.encode(text)) : text;
}

export function bytesToString(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The text of a byte string; bytes that are not UTF-8 become U+FFFD. */
export function fromByteString(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return new TextDecoder().decode(Uint8Array.from(text, (unit) => unit.charCodeAt(0)));
}
