/**
 * Streams a response's bytes in one reused buffer: a piece is valid until the next is requested. Otherwise workerd allocates a new
 * buffer every 4 KiB. A broken or idle connection is git's error, and leaving early closes it.
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
      // The last bytes may arrive together with the end signal.
      if (value !== undefined && value.length > 0) yield value;
      if (done) return;
    }
  } finally {
    idleTimeout.stop();
    if (!ended) await read.cancel().catch(() => {});
  }
}

/** git's messages: of the transport, then of the command. */
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

/** A stream that is not a byte stream, as a custom `fetch` may return, is read as is. */
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
      // On a fast stream, a turn for every packet would cost more than the packet; a slow one is not delayed.
      const { value, done } = await reader.read(room, { min: last < MUCH ? 1 : MUCH });
      if (value !== undefined) buffer = value.buffer as ArrayBuffer;
      last = value?.length ?? 0;
      return { value, done };
    },
    cancel: () => reader.cancel(),
  };
}

/** `min` is newer than the types. Runtimes that do not know it ignore it. */
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
