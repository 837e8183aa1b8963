/**
 * Encodes outgoing content: small text and bytes inside the message, all else as a byte stream that is pulled, never pushed, so
 * that a slow object slows its source. A broken stream arrives without its reason; it is stored here for the caller.
 */
import { ownBytes, RPC_LIMITS } from "@workspace/protocol";
import { type Content, encodeText, FsError, type TextEncodingName } from "@workspace/vfs";

export interface OutgoingOptions {
  path: string;
  encoding?: TextEncodingName;
  signal?: AbortSignal;
}

export interface Outgoing {
  sent?: string | Uint8Array;
  body?: ReadableStream<Uint8Array>;
  /** Why the body broke off: the source's own error, or the caller's signal. */
  broken?: () => { error: unknown } | undefined;
}

export function encodeContent(content: Content, options: OutgoingOptions): Outgoing {
  if (typeof content === "string" && content.length <= RPC_LIMITS.inlineTextLength) return { sent: content };
  if (typeof content === "string") return pulled([chunkBytes(content, options)], options);
  const bytes = asBytes(content);
  if (bytes !== null)
    return bytes.length <= RPC_LIMITS.inlineBytes ? { sent: ownBytes(bytes) } : pulled([bytes], options);
  if (content instanceof ReadableStream) return pulled(chunksOfStream(content), options);
  if (isIterable(content)) return pulled(content, options);
  // Neither: the object reports the error.
  return { sent: content as never };
}

export function asBytes(content: unknown): Uint8Array | null {
  if (content instanceof Uint8Array) return content;
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  return ArrayBuffer.isView(content) ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength) : null;
}

type Chunks = Iterable<unknown> | AsyncIterable<unknown>;

function pulled(chunks: Chunks, options: OutgoingOptions): Outgoing {
  const source = pieces(chunks, options);
  const { signal, path } = options;
  let broken: { error: unknown } | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal?.addEventListener("abort", () => {
          broken ??= { error: new FsError("ABORT_ERR", { syscall: "write", path, cause: signal.reason }) };
          controller.error(broken.error);
          source.return(undefined).catch(() => {});
        });
      },
      async pull(controller) {
        try {
          const { done, value } = await source.next();
          if (broken) return;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          broken ??= { error };
          controller.error(error);
        }
      },
      async cancel() {
        await source.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, broken: () => broken };
}

async function* pieces(chunks: Chunks, options: OutgoingOptions): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of chunks) {
    const bytes = chunkBytes(chunk, options);
    for (let at = 0; at < bytes.length; at += RPC_LIMITS.chunkBytes)
      yield bytes.subarray(at, at + RPC_LIMITS.chunkBytes);
  }
  return undefined;
}

function chunkBytes(chunk: unknown, { path, encoding }: OutgoingOptions): Uint8Array {
  const bytes = typeof chunk === "string" ? encodeText(chunk, encoding, "write", path) : asBytes(chunk);
  if (bytes !== null) return bytes;
  throw new FsError("EINVAL", { syscall: "write", path, reason: "content must be text, bytes or a stream of them" });
}

async function* chunksOfStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    ended = true;
  } finally {
    // Not awaited: a slow source may take long to cancel.
    if (!ended) reader.cancel().catch(() => {});
  }
}

function isIterable(content: unknown): content is Chunks {
  return (
    typeof content === "object" && content !== null && (Symbol.asyncIterator in content || Symbol.iterator in content)
  );
}
