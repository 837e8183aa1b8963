/**
 * Compresses and decompresses bodies with the runtime's own streams: a user's build has no Node modules without a flag. The runtime
 * inflates all its input before any output is read, so the input is fed in small steps, and stops when the output exceeds the
 * declared size.
 */
import { isWorthPacking, sampleOf } from "@workspace/protocol";

/** At deflate's best ratio, one step inflates to a thousand times as much. */
const STEP = 4096;

/** Null if compression is not worth it. */
export async function compressBody(body: Uint8Array): Promise<Uint8Array | null> {
  const sample = sampleOf(body);
  if (sample === null || !isWorthPacking(sample.length, (await deflate(sample)).length)) return null;
  if (sample === body) return deflate(body);
  const packed = await deflate(body);
  return isWorthPacking(body.length, packed.length) ? packed : null;
}

/** Returns exactly `length` bytes, or throws. */
export async function unpackBody(packed: Uint8Array, length: number): Promise<Uint8Array> {
  const body = new Uint8Array(length);
  let at = 0;
  const { readable, writable } = new DecompressionStream("deflate-raw");
  const reader = readable.getReader();
  const reading = (async () => {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
      const chunk = value as Uint8Array;
      if (at + chunk.length > length) throw new Error("a packed body that is longer than it says");
      body.set(chunk, at);
      at += chunk.length;
    }
    if (at < length) throw new Error("a packed body that is shorter than it says");
  })();
  const writing = feed(writable, packed);
  try {
    // Rejects with the first failure; the other then has nothing to wait for.
    await Promise.all([reading, writing]);
    return body;
  } catch (error) {
    writing.catch(() => {});
    reading.catch(() => {});
    await reader.cancel(error).catch(() => {});
    await writable.abort(error).catch(() => {});
    throw error;
  }
}

async function deflate(body: Uint8Array): Promise<Uint8Array> {
  const { readable, writable } = new CompressionStream("deflate-raw");
  const writing = (async () => {
    const writer = writable.getWriter();
    await writer.write(body);
    await writer.close();
  })();
  const packed = await new Response(readable).arrayBuffer();
  await writing;
  return new Uint8Array(packed);
}

async function feed(writable: WritableStream<Uint8Array>, bytes: Uint8Array): Promise<void> {
  const writer = writable.getWriter();
  try {
    for (let at = 0; at < bytes.length; at += STEP) await writer.write(bytes.subarray(at, at + STEP));
    await writer.close();
  } finally {
    writer.releaseLock();
  }
}
