/** A zlib stream of content that is too large to hold, by the runtime's own compressor, which works in the background. */

/** Pieces given are taken over; pieces got are the caller's. */
export async function* deflateStream(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const compression = new CompressionStream("deflate");
  const writer = compression.writable.getWriter();
  const feeding = (async () => {
    try {
      for await (const piece of content) await writer.write(piece as Uint8Array<ArrayBuffer>);
      await writer.close();
    } catch (error) {
      await writer.abort(error);
      throw error;
    }
  })();
  // The reader below sees the same failure; this keeps it from being reported as unhandled before that.
  feeding.catch(() => {});
  const reader = compression.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    yield value as Uint8Array;
  }
  await feeding;
}
