/**
 * Encodes large answers: bytes as a byte stream, long arrays as pages in a stream of frames. Small answers are inside the message.
 */
import { encodeFrame, ownBytes, RPC_LIMITS, type WorkspaceAnswer } from "@workspace/protocol";

/** `value` carries the size, so that the client can detect a truncated body. */
export function answerBytes(bytes: Uint8Array): WorkspaceAnswer {
  if (bytes.byteLength <= RPC_LIMITS.inlineBytes) return { value: ownBytes(bytes) };
  return { value: { size: bytes.byteLength }, stream: toReadableStream(chunksOf(bytes)) };
}

export function answerList(items: readonly unknown[]): WorkspaceAnswer {
  if (items.length <= RPC_LIMITS.inlineItems) return { value: items };
  return { value: { items: items.length }, stream: toReadableStream(pagesOf(items)) };
}

/** One chunk per pull, so that the stream never runs ahead of its reader. */
export function toReadableStream(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

export function* chunksOf(bytes: Uint8Array, size: number = RPC_LIMITS.chunkBytes): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

function* pagesOf(items: readonly unknown[]): Generator<Uint8Array> {
  for (let at = 0; at < items.length; at += RPC_LIMITS.pageItems) {
    yield* encodeFrame(items.slice(at, at + RPC_LIMITS.pageItems));
  }
}
