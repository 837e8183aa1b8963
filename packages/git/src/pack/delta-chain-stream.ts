/**
 * Streams an object too large to hold that is a delta on equally large ones: each intermediate object goes to a temporary file,
 * from which the next delta copies by range. Slow, but bounded for any size; git creates such deltas for blobs up to 512 MB.
 */
import type { FileSystem } from "@workspace/vfs";
import type { ByteSource } from "./byte-source.ts";
import { badDelta } from "./delta.ts";
import { inflateStream, ownedPieces, type StoredEntry } from "./inflate-stream.ts";

const STEP = 256 * 1024;

export interface DeltaChainContext {
  readonly fs: FileSystem;
  /** Directory for temporary files. */
  readonly directory: string;
}

/** `base` is whole, `deltas` are in the order of application, at least one. A piece is valid until the next is requested. */
export async function* streamDeltaChain(
  { fs, directory }: DeltaChainContext,
  source: ByteSource,
  base: StoredEntry,
  deltas: readonly StoredEntry[],
): AsyncGenerator<Uint8Array> {
  const mark = crypto.randomUUID().slice(0, 8);
  const paths = [`${directory}/tmp_obj_${mark}_0`, `${directory}/tmp_obj_${mark}_1`] as const;
  let size = base.size;
  try {
    await fs.writeFile(paths[0], ownedPieces(inflateStream(source, base)));
    for (const [i, delta] of deltas.entries()) {
      const path = paths[i % 2] as string;
      const read = (start: number, length: number) => fs.readRange(path, start, length);
      const result = applyDeltaStream(inflateStream(source, delta), read, size);
      if (i === deltas.length - 1) {
        yield* result;
        return;
      }
      ({ size } = await fs.writeFile(paths[1 - (i % 2)] as string, ownedPieces(result)));
    }
  } finally {
    await fs.rm(paths[0], { force: true });
    await fs.rm(paths[1], { force: true });
  }
}

/** Applies a delta that arrives in pieces, on a base that is read by range. */
export async function* applyDeltaStream(
  delta: AsyncIterator<Uint8Array>,
  read: (start: number, length: number) => Promise<Uint8Array>,
  baseSize: number,
): AsyncGenerator<Uint8Array> {
  const input = new DeltaInput(delta);
  if ((await input.size()) !== baseSize) throw badDelta();
  const resultSize = await input.size();
  let produced = 0;
  for (let op = await input.byte(); op >= 0; op = await input.byte()) {
    if (op === 0) throw badDelta();
    if (op < 128) {
      if (produced + op > resultSize) throw badDelta();
      produced += op;
      yield await input.bytes(op);
      continue;
    }
    const { offset, length } = await input.copy(op);
    if (offset + length > baseSize || produced + length > resultSize) throw badDelta();
    produced += length;
    for (let at = 0; at < length; at += STEP) yield await read(offset + at, Math.min(STEP, length - at));
  }
  if (produced !== resultSize) throw badDelta();
}

/** Parses instructions from pieces. */
class DeltaInput {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);
  #at = 0;

  constructor(pieces: AsyncIterator<Uint8Array>) {
    this.#pieces = pieces;
  }

  /** -1 at the end. */
  async byte(): Promise<number> {
    while (this.#at === this.#piece.length) {
      const { done, value } = await this.#pieces.next();
      if (done) return -1;
      this.#piece = value;
      this.#at = 0;
    }
    return this.#piece[this.#at++] as number;
  }

  async bytes(count: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(count);
    for (let i = 0; i < count; i++) bytes[i] = await this.#must();
    return bytes;
  }

  async size(): Promise<number> {
    let size = 0;
    for (let scale = 1; ; scale *= 128) {
      if (scale > 2 ** 49) throw badDelta();
      const byte = await this.#must();
      size += (byte & 127) * scale;
      if (byte < 128) return size;
    }
  }

  async copy(op: number): Promise<{ offset: number; length: number }> {
    let offset = 0;
    let length = 0;
    for (let i = 0; i < 4; i++) if ((op & (1 << i)) !== 0) offset += (await this.#must()) * 2 ** (8 * i);
    for (let i = 0; i < 3; i++) if ((op & (16 << i)) !== 0) length += (await this.#must()) * 2 ** (8 * i);
    return { offset, length: length === 0 ? 0x10000 : length };
  }

  async #must(): Promise<number> {
    if (this.#at < this.#piece.length) return this.#piece[this.#at++] as number;
    const byte = await this.byte();
    if (byte < 0) throw badDelta();
    return byte;
  }
}
