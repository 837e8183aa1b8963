/**
 * Length-framed messages in a byte stream, because object streams do not cross Workers RPC. A frame is a JSON header and a body:
 * u32 length of what follows, u32 length of the header, header, body; big-endian. A stream that ends inside a frame is an error.
 */
import { RPC_LIMITS } from "./rpc-limits.ts";

export interface Frame {
  header: unknown;
  body: Uint8Array;
}

export class FrameError extends Error {
  override readonly name = "FrameError";
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const EMPTY = new Uint8Array(0);
const COPIED_BYTES = 64 * 1024;

/** A frame as chunks to write in order; a large body is its own chunk, not copied. */
export function encodeFrame(header: unknown, body: Uint8Array = EMPTY): Uint8Array[] {
  const head = encoder.encode(JSON.stringify(header));
  const alone = body.length > COPIED_BYTES;
  const first = new Uint8Array(8 + head.length + (alone ? 0 : body.length));
  const view = new DataView(first.buffer);
  view.setUint32(0, 4 + head.length + body.length);
  view.setUint32(4, head.length);
  first.set(head, 8);
  if (alone) return [first, body];
  first.set(body, 8 + head.length);
  return [first];
}

export interface FrameLimits {
  frameBytes?: number;
  headerBytes?: number;
}

/** The frames of a stream, one at a time. Leaving the loop early cancels the stream. */
export async function* readFrames(stream: AsyncIterable<Uint8Array>, limits: FrameLimits = {}): AsyncGenerator<Frame> {
  const { frameBytes = RPC_LIMITS.frameBytes, headerBytes = RPC_LIMITS.frameHeaderBytes } = limits;
  const chunks = stream[Symbol.asyncIterator]();
  const source = new ByteQueue(chunks);
  try {
    for (;;) {
      const prefix = await source.take(4, "start");
      if (prefix === null) return;
      const length = uint32(prefix);
      if (length < 4 || length > frameBytes)
        throw new FrameError(`a frame of ${length} bytes is outside 4 to ${frameBytes}`);
      const frame = await source.take(length, "inside");
      yield split(frame!, headerBytes);
    }
  } finally {
    await chunks.return?.()?.catch(() => {});
  }
}

function split(frame: Uint8Array, headerBytes: number): Frame {
  const length = uint32(frame);
  if (length > headerBytes || 4 + length > frame.length)
    throw new FrameError(`a frame's header of ${length} bytes does not fit`);
  try {
    return { header: JSON.parse(decoder.decode(frame.subarray(4, 4 + length))), body: frame.subarray(4 + length) };
  } catch (cause) {
    throw new FrameError("a frame's header is not JSON", { cause });
  }
}

function uint32(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0);
}

/** Collects arrived bytes; a declared length allocates nothing until the bytes are there. */
class ByteQueue {
  readonly #source: AsyncIterator<Uint8Array>;
  #chunks: Uint8Array[] = [];
  #held = 0;

  constructor(source: AsyncIterator<Uint8Array>) {
    this.#source = source;
  }

  /** Exactly this many bytes; null if the stream ended cleanly at the start of a frame. */
  async take(length: number, where: "start" | "inside"): Promise<Uint8Array | null> {
    while (this.#held < length) {
      const { done, value } = await this.#source.next();
      if (done && where === "start" && this.#held === 0) return null;
      if (done) throw new FrameError("the stream ended inside a frame");
      if (!(value instanceof Uint8Array)) throw new FrameError("the stream holds something other than bytes");
      if (value.length === 0) continue;
      this.#chunks.push(value);
      this.#held += value.length;
    }
    const taken = new Uint8Array(length);
    let filled = 0;
    let used = 0;
    while (filled < length) {
      const chunk = this.#chunks[used]!;
      const wanted = length - filled;
      taken.set(chunk.length > wanted ? chunk.subarray(0, wanted) : chunk, filled);
      filled += Math.min(chunk.length, wanted);
      if (chunk.length > wanted) this.#chunks[used] = chunk.subarray(wanted);
      else used++;
    }
    this.#chunks.splice(0, used);
    this.#held -= length;
    return taken;
  }
}
