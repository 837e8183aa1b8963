/** Computes the id of an object: the SHA-1 of `type size\0body`. */

import { type Oid, oidFromBytes } from "../object/oid.ts";
import type { ObjectType } from "../odb/object-database.ts";
import { MIN_NATIVE_BYTES, type NativeSha1, nativeSha1 } from "./native-hash.ts";
import { Sha1 } from "./sha1.ts";
import { createStreamingHash } from "./streaming-hash.ts";

const sha1 = new Sha1();
const digest = new Uint8Array(20);
const header = new Uint8Array(32);
/**
 * The runtime's hash needs header and body in one range: up to this size they are copied together, which is cheap in
 * comparison.
 */
const JOINED = 64 * 1024;
let joined = new Uint8Array(0);

export function hashObject(type: ObjectType, body: Uint8Array): Oid {
  const native = body.length < MIN_NATIVE_BYTES ? null : nativeSha1();
  if (native !== null) return hashNatively(native, type, body);
  hashObjectInto(type, body, 0, body.length, digest, 0);
  return oidFromBytes(digest);
}

function hashNatively(sha1: NativeSha1, type: ObjectType, body: Uint8Array): Oid {
  const length = putObjectHeader(type, body.length, header);
  if (body.length > JOINED) {
    const hash = createStreamingHash();
    hash.update(header.subarray(0, length));
    hash.update(body);
    return oidFromBytes(hash.digest());
  }
  if (joined.length === 0) joined = new Uint8Array(32 + JOINED);
  joined.set(header.subarray(0, length));
  joined.set(body, length);
  sha1(joined.subarray(0, length + body.length), digest, 0);
  return oidFromBytes(digest);
}

/** As `hashObject` of `bytes[from, to)`; writes the twenty bytes to `into` at `at`. Nothing is allocated. */
function hashObjectInto(
  type: ObjectType,
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Uint8Array,
  at: number,
): void {
  sha1
    .reset()
    .update(header, 0, putObjectHeader(type, to - from, header))
    .update(bytes, from, to)
    .digestInto(into, at);
}

/** `blob 12\0` */
export function objectHeader(type: ObjectType, size: number): Uint8Array {
  const bytes = new Uint8Array(32);
  return bytes.subarray(0, putObjectHeader(type, size, bytes));
}

/** Writes to the start of `into`, at most 32 bytes; returns how many. */
export function putObjectHeader(type: ObjectType, size: number, into: Uint8Array): number {
  let at = 0;
  for (; at < type.length; at++) into[at] = type.charCodeAt(at);
  into[at++] = 0x20;
  let digits = 1;
  for (let rest = size; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  let rest = size;
  for (let i = at + digits - 1; i >= at; i--) {
    into[i] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  at += digits;
  into[at++] = 0;
  return at;
}
