/**
 * A response's bytes as they come, in one buffer that is used again: a piece is good until the next is asked for. workerd hands out
 * 4 KiB at a time otherwise, a new buffer each. A connection that breaks off, or falls silent, is git's error, and leaving early gives it up.
 */
import { GitError } from "../errors.ts";
import { type IdleTimeout, TransferAborted } from "./idle-timeout.ts";
import { cutShort } from "./pkt-line.ts";

const ROOM = 256 * 1024;
const MUCH = 32 * 1024;

export async function* readResponseBody(response: Response, idleTimeout: IdleTimeout): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const read = openReader(response.body);
  let ended = false;
  try {
    for (;;) {
      const { value, done } = await idleTimeout.raceChunk(read.next()).catch((cause) => {
        if (cause instanceof TransferAborted) throw gaveUp(cause);
        ended = true;
        throw Object.assign(cutShort(), { cause });
      });
      ended = done;
      // The last bytes may come with the word that they are the last.
      if (value !== undefined && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    idleTimeout.stop();
    if (!ended) await read.cancel().catch(() => {});
  }
}

/** git's words: of the transport, then of the command. */
function gaveUp(cause: TransferAborted): GitError {
  return new GitError("ENETWORK", `RPC failed; curl ${cause.curlCode} ${cause.message}`, {
    prefix: "error",
    hint: `fatal: ${cutShort().message}\n`,
    cause,
  });
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
  let last = 0;
  return {
    async next() {
      const room = new Uint8Array(buffer);
      // Where much comes, a turn for every packet would cost more than the packet; what comes a line at a time is not waited for.
      const { value, done } = await reader.read(room, { min: last < MUCH ? 1 : MUCH });
      if (value !== undefined) buffer = value.buffer as ArrayBuffer;
      last = value?.length ?? 0;
      return { value, done };
    },
    cancel: () => reader.cancel(),
  };
}

/** `min` is younger than the types. Where it is not known it is passed over. */
interface ByteReader {
  read(
    view: Uint8Array<ArrayBuffer>,
    options: { min: number },
  ): Promise<{ value: Uint8Array | undefined; done: boolean }>;
  cancel(): Promise<void>;
}

function byteReader(body: ReadableStream<Uint8Array>): ByteReader | null {
  try {
    return body.getReader({ mode: "byob" }) as ByteReader;
  } catch {
    return null;
  }
}
