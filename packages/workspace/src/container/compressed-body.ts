/**
 * Packs and unpacks bodies with the runtime's own streams: a user's build has no Node modules unless a flag asks for them. The runtime
 * inflates all that it is given before anybody reads of it, so it is given little at a time, and stops when more comes than was said.
 */
import { isWorthPacking, sampleOf } from "@workspace/protocol";

/** At deflate's best, a thousand times as much comes of it at once. */
const STEP = 4096;

/** Null where it would not be worth it. */
export async function compressBody(body: Uint8Array): Promise<Uint8Array | null> {
  const sample = sampleOf(body);
  if (sample === null || !isWorthPacking(sample.length, (await deflate(sample)).length)) return null;
  if (sample === body) return deflate(body);
  const packed = await deflate(body);
  return isWorthPacking(body.length, packed.length) ? packed : null;
}

/** Exactly `length` bytes, or it throws. */
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
    // Whichever fails first; the other then has nothing to wait for.
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
