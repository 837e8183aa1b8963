/** Object ids as bytes without an allocation each: a lookup or a sort of a million of them should not create a million strings. */
import type { Oid } from "../object/oid.ts";

export function putOid(oid: Oid, into: Uint8Array, at: number): void {
  for (let i = 0; i < 20; i++) into[at + i] = (hexDigit(oid, 2 * i) << 4) | hexDigit(oid, 2 * i + 1);
}

function hexDigit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

/** Compares two ids of twenty bytes. */
export function compareOidBytes(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number): number {
  for (let i = 0; i < 20; i++) {
    const difference = (a[aAt + i] as number) - (b[bAt + i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
