/**
 * The runtime's own SHA-1, where available: several times as fast as ours from some hundred bytes on. In workerd each call of
 * `node:crypto` creates a stream, which costs more than the hash of a small object, and is garbage; the internal handle below it
 * can be copied. That handle is not a public API: it is tested on known bytes first, and the public call is the fallback.
 */

import { type Oid, oidFromBytes } from "../object/oid.ts";
import { putOid } from "./oid-words.ts";

/** Writes the twenty bytes of the hash of `data` to `into` at `at`. */
export type NativeSha1 = (data: Uint8Array, into: Uint8Array, at: number) => void;

interface Handle {
  update(data: Uint8Array): unknown;
  digest(): ArrayBuffer;
  copy(length: undefined): Handle;
}

interface NativeCrypto {
  hash?(algorithm: string, data: Uint8Array, encoding: "hex"): string;
  createHash?(algorithm: string): Record<symbol, unknown>;
}

/** Below this size the call costs more than the hash, in Node and in workerd alike. */
export const MIN_NATIVE_BYTES = 400;

const KNOWN = Uint8Array.of(0x61, 0x62, 0x63);
const KNOWN_SHA1 = "a9993e364706816aba3e25717850c26c9cd0d89d";

const crypto = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => NativeCrypto | undefined } }
).process?.getBuiltinModule?.("node:crypto");

let found: NativeSha1 | null | undefined;

/** Null: unavailable. */
export function nativeSha1(): NativeSha1 | null {
  if (found === undefined) found = byHandle() ?? byCall();
  return found;
}

function byHandle(): NativeSha1 | null {
  try {
    const hash = crypto?.createHash?.("sha1") ?? {};
    for (const key of Object.getOwnPropertySymbols(hash)) {
      const handle = hash[key];
      if (!isHandle(handle)) continue;
      const sha1: NativeSha1 = (data, into, at) => {
        const copy = handle.copy(undefined);
        copy.update(data);
        into.set(new Uint8Array(copy.digest()), at);
      };
      // Twice: the input of one copy must not leak into the next.
      if (isRight(sha1) && isRight(sha1)) return sha1;
    }
  } catch {
    // Another runtime's handle, or another version's.
  }
  return null;
}

function byCall(): NativeSha1 | null {
  const hash = crypto?.hash;
  if (hash === undefined) return null;
  // As text: a buffer for every object would cost as much as the hash of a small one.
  return (data, into, at) => putOid(hash("sha1", data, "hex") as Oid, into, at);
}

function isHandle(value: unknown): value is Handle {
  const { update, digest, copy } = (value ?? {}) as Partial<Handle>;
  return [update, digest, copy].every((method) => typeof method === "function");
}

function isRight(sha1: NativeSha1): boolean {
  const digest = new Uint8Array(20);
  sha1(KNOWN, digest, 0);
  return oidFromBytes(digest) === KNOWN_SHA1;
}
