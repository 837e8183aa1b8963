/** Text and bytes, and git's order of names: by bytes, which for names outside the basic plane is not JavaScript's. */

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

export function encode(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Bytes that are no UTF-8 become U+FFFD, as git's own output shows them on most terminals. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function concat(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The order of `a` and `b` as UTF-8. UTF-16 agrees with it but for surrogates against U+E000–U+FFFF. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    const surrogates = (x >= 0xd800 && x <= 0xdfff ? 1 : 0) - (y >= 0xd800 && y <= 0xdfff ? 1 : 0);
    if (surrogates !== 0 && (x >= 0xe000 || y >= 0xe000)) return surrogates;
    return x - y;
  }
  return a.length - b.length;
}
