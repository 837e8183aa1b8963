/**
 * Hashes objects in a large buffer with free room before them: the header is written right before the body, so that both are
 * one range. From a few hundred bytes on the runtime's own SHA-1 is faster than ours, if it can hash in one call.
 */
import type { ObjectType } from "../odb/object-database.ts";
import { putObjectHeader } from "./hash-object.ts";
import { MIN_NATIVE_BYTES, nativeSha1 } from "./native-hash.ts";
import { Sha1 } from "./sha1.ts";

/** Room that must be free before the body. */
export const HEADER_ROOM = 32;

const sha1 = new Sha1();
const header = new Uint8Array(HEADER_ROOM);

/** Hashes `bytes[at, at + size)` as an object of `type`; writes twenty bytes to `into` at `to`. */
export function hashInPlace(
  type: ObjectType,
  bytes: Uint8Array,
  at: number,
  size: number,
  into: Uint8Array,
  to: number,
): void {
  const length = putObjectHeader(type, size, header);
  const native = size < MIN_NATIVE_BYTES ? null : nativeSha1();
  if (native === null) {
    sha1
      .reset()
      .update(header, 0, length)
      .update(bytes, at, at + size)
      .digestInto(into, to);
    return;
  }
  for (let i = 0; i < length; i++) bytes[at - length + i] = header[i] as number;
  native(bytes.subarray(at - length, at + size), into, to);
}
