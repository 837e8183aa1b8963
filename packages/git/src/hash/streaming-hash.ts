/** SHA-1 of a long stream in large pieces: uses the runtime's own where available, which is several times as fast. */
import { Sha1 } from "./sha1.ts";

export interface StreamingHash {
  update(bytes: Uint8Array): unknown;
  digest(): Uint8Array;
}

interface NativeCrypto {
  createHash(algorithm: string): StreamingHash;
}

const native = (
  globalThis as { process?: { getBuiltinModule?: (name: string) => NativeCrypto | undefined } }
).process?.getBuiltinModule?.("node:crypto");

export function createStreamingHash(): StreamingHash {
  return native === undefined ? new Sha1() : native.createHash("sha1");
}
