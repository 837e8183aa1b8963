/**
 * A response's bytes as they come, in one buffer that is used again: a piece is good until the next is asked for. workerd hands out
 * 4 KiB at a time otherwise, a new buffer each. A connection that breaks off is git's error, and leaving early gives it up.
 */
import { cutShort } from "./pkt-line.ts";

const ROOM = 256 * 1024;

export async function* bodyOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const read = openReader(response.body);
  let ended = false;
  try {
    for (;;) {
      const { value, done } = await read.next().catch((cause) => {
        ended = true;
        throw Object.assign(cutShort(), { cause });
      });
      if (done) {
        ended = true;
        return;
      }
      yield value as Uint8Array;
    }
  } finally {
    if (!ended) await read.cancel().catch(() => {});
  }
}

interface PieceReader {
  next(): Promise<{ value?: Uint8Array | undefined; done: boolean }>;
  cancel(): Promise<void>;
}

/** A stream that is none of bytes, as somebody's own `fetch` may give, is read as it is. */
function openReader(body: ReadableStream<Uint8Array>): PieceReader {
  const reader = byteReader(body);
  if (reader === null) {
    const plain = body.getReader();
    return { next: () => plain.read() as ReturnType<PieceReader["next"]>, cancel: () => plain.cancel() };
  }
  let buffer = new ArrayBuffer(ROOM);
  return {
    async next() {
      const { value, done } = await reader.read(new Uint8Array(buffer));
      if (value !== undefined) buffer = value.buffer as ArrayBuffer;
      return { value, done };
    },
    cancel: () => reader.cancel(),
  };
}

function byteReader(body: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null;
  }
}
