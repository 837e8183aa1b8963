/** Text and bytes, and git's order of names: by bytes, which for names outside the basic plane is not JavaScript's. */
import { toLatin1 } from "./to-latin1.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** The bytes that `decode` was given, whatever they were. */
export function encode(text: string): Uint8Array {
  return text.isWellFormed() ? encoder.encode(text) : encodeHalves(text);
}

/**
 * A byte that is no UTF-8 becomes half of a surrogate pair (0xff: U+DCFF), which occurs in no UTF-8, so that `encode` can give it
 * back: messages, names and configuration of any encoding pass through.
 */
export function decode(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  return text.includes("\ufffd") ? decodeExactly(bytes) : text;
}

const HALVES = 0xdc00;

function encodeHalves(text: string): Uint8Array {
  // Halves of no byte are left for the encoder to replace.
  return concat(
    text.split(/([\udc80-\udcff]+)/u).map((part, i) => {
      if (i % 2 === 0) return encoder.encode(part);
      return Uint8Array.from(part, (half) => half.charCodeAt(0) - HALVES);
    }),
  );
}

/** One character of UTF-8, of two bytes or more, among bytes as characters. */
const CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|(?:\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f])[\x80-\xbf]|(?:\xf0[\x90-\xbf]|[\xf1-\xf3][\x80-\xbf]|\xf4[\x80-\x8f])[\x80-\xbf]{2}|[\x80-\xff]/g;

function decodeExactly(bytes: Uint8Array): string {
  return toLatin1(bytes).replace(CHARACTER, (part) =>
    part.length === 1
      ? String.fromCharCode(HALVES + part.charCodeAt(0))
      : decoder.decode(Uint8Array.from(part, (byte) => byte.charCodeAt(0))),
  );
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

/** No letter for which UTF-16's order is another: beside such a text `<` says what `compareText` would, whatever the other is. */
export function hasPlainOrder(text: string): boolean {
  return !/[\ud800-\uffff]/.test(text);
}
