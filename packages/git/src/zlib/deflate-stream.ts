/**
 * Compresses content that is too large to hold to a zlib stream, with the runtime's own compressor, which works in the
 * background.
 */

/** Takes ownership of input pieces; the caller owns output pieces. */
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
  // The reader below gets the same error; this prevents an earlier unhandled rejection.
  feeding.catch(() => {});
  const reader = compression.readable.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    yield value as Uint8Array;
  }
  await feeding;
}
