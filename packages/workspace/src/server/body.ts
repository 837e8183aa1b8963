/**
 * Reads an incoming body in chunks of a useful size. A stream from RPC delivers 4 KiB at a time to a plain reader; a BYOB reader
 * gets its buffer filled, and a large body takes half the time. The first buffer is small: most bodies are, and large, hardly used
 * buffers trigger garbage collection pauses.
 */
const FIRST_BYTES = 16 * 1024;
const FILL_BYTES = 256 * 1024;

export async function* chunksOfBody(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = byteReader(body);
  if (reader === null) return yield* body;
  let ended = false;
  let size = FIRST_BYTES;
  try {
    for (;;) {
      const { done, value } = await reader.readAtLeast(size, new Uint8Array(size));
      if (value !== undefined && value.length > 0) yield value;
      if (done) break;
      size = Math.min(FILL_BYTES, size * 4);
    }
    ended = true;
  } finally {
    if (!ended) reader.cancel().catch(() => {});
  }
}

/** Null for a stream without BYOB support: one made in JavaScript, by an object that wraps its callers' bodies. */
function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch (error) {
    if (error instanceof TypeError && !body.locked) return null;
    throw error;
  }
}
