/** Text and bytes, and git's order of names: by bytes, which differs from JavaScript's for names outside the basic plane. */
import { toLatin1 } from "./to-latin1.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** Restores the bytes that `decode` was given, even if they were not UTF-8. */
export function encode(text: string): Uint8Array {
  return text.isWellFormed() ? encoder.encode(text) : encodeHalves(text);
}

/**
 * A byte that is not UTF-8 becomes half of a surrogate pair (0xff: U+DCFF), which never occurs in UTF-8, so that `encode` can
 * restore it: messages, names and configuration of any encoding round-trip.
 */
export function decode(bytes: Uint8Array): string {
  const text = decoder.decode(bytes);
  return text.includes("\ufffd") ? decodeExactly(bytes) : text;
}

const HALVES = 0xdc00;

function encodeHalves(text: string): Uint8Array {
  // The encoder replaces halves that stand for no byte.
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

/** Compares `a` and `b` as UTF-8. UTF-16 order is the same except for surrogates against U+E000–U+FFFF. */
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

/** True if the text has no character that UTF-16 orders differently: then `<` agrees with `compareText` for any other text. */
export function hasPlainOrder(text: string): boolean {
  return !/[\ud800-\uffff]/.test(text);
}
