/**
 * Object ids. Plain strings of forty hexadecimal digits, because they are compared, used as map keys and printed far more often
 * than hashed.
 */

/** Forty lower-case hexadecimal digits; made only by `parseOid` and by hashing. */
export type Oid = string & { readonly __brand: "Oid" };

export const ZERO_OID = "0".repeat(40) as Oid;
/** The empty tree; known to git whether or not it is stored. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904" as Oid;
export const EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391" as Oid;

const FULL = /^[0-9a-f]{40}$/i;
const DIGITS = Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
const codes: number[] = new Array(40).fill(0);

/** Null: not a full object id. Accepts upper-case digits, as git does. */
export function parseOid(text: string): Oid | null {
  return FULL.test(text) ? (text.toLowerCase() as Oid) : null;
}

/** Built in one piece: joined from twenty parts it would be a rope, and three times as slow as a map key. */
export function oidFromBytes(bytes: Uint8Array, at = 0): Oid {
  for (let i = 0; i < 20; i++) {
    const byte = bytes[at + i] as number;
    codes[2 * i] = DIGITS[byte >> 4] as number;
    codes[2 * i + 1] = DIGITS[byte & 15] as number;
  }
  return String.fromCharCode.apply(null, codes) as Oid;
}

export function oidToBytes(oid: Oid): Uint8Array {
  const bytes = new Uint8Array(20);
  for (let i = 0; i < 20; i++) bytes[i] = Number.parseInt(oid.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}
