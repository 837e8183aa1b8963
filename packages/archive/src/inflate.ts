/** Decompresses chunks. An error of the chunks is thrown as it is; an error of the decompressor is the archive's fault. */
import { invalidArchive } from "./archive-error.ts";

export async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  format: "gzip" | "deflate-raw",
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream(format);
  const writer = writable.getWriter();
  let sourceError: { error: unknown } | undefined;
  const feed = async () => {
    const iterator = chunks[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await iterator.next().catch((error: unknown) => {
          sourceError = { error };
          throw error;
        });
        if (step.done) break;
        await writer.write(step.value);
      }
      await writer.close();
    } catch (error) {
      await writer.abort(error).catch(() => {});
    } finally {
      await iterator.return?.();
    }
  };
  const fed = feed();
  try {
    for await (const chunk of readable) yield chunk as Uint8Array;
  } catch (error) {
    await fed;
    throw sourceError === undefined ? invalidArchive("it is not compressed as it says", error) : sourceError.error;
  }
}
