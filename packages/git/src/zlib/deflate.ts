/** Compresses bytes into one zlib stream, in a single call. Level 0 stores them uncompressed. */
import { adler32 } from "./adler32.ts";
import { Deflater } from "./deflater.ts";

let deflater: Deflater | undefined;

/** `level` as zlib's, -1 its default. */
export function deflate(bytes: Uint8Array, level = -1): Uint8Array {
  if (level === 0) return store(bytes);
  deflater ??= new Deflater();
  return deflater.deflate(bytes, level < 0 ? 6 : Math.min(level, 9));
}

function store(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / 65535));
  const out = new Uint8Array(2 + blocks * 5 + bytes.length + 4);
  out.set([0x78, 0x01]);
  let at = 2;
  for (let i = 0; i < blocks; i++) {
    const part = bytes.subarray(i * 65535, (i + 1) * 65535);
    out.set([i === blocks - 1 ? 1 : 0, part.length, part.length >> 8, ~part.length, ~part.length >> 8], at);
    out.set(part, at + 5);
    at += 5 + part.length;
  }
  new DataView(out.buffer).setUint32(at, adler32(1, bytes, 0, bytes.length));
  return out;
}
