/**
 * The one large file: pseudo-random bytes in chunks as a network body brings them, made on the fly and checked on the fly, so
 * that neither side of the bench holds the file. Every chunk carries its number: no two are alike.
 */
import { Random } from "../../support/random.ts";

const CHUNK_BYTES = 64 * 1024;
const SAMPLES_PER_CHUNK = 64;

export class LargeFile {
  readonly #noise: Uint8Array;

  constructor(
    readonly bytes: number,
    seed: number,
  ) {
    const random = new Random(seed);
    const words = Uint32Array.from({ length: CHUNK_BYTES / 4 }, () => random.between(0, 0xffffffff));
    this.#noise = new Uint8Array(words.buffer);
  }

  stream(): ReadableStream<Uint8Array> {
    let offset = 0;
    return new ReadableStream({
      pull: (controller) => {
        if (offset >= this.bytes) return controller.close();
        const chunk = this.#noise.slice(0, Math.min(CHUNK_BYTES, this.bytes - offset));
        for (let at = 0; at < Math.min(4, chunk.length); at++) chunk[at] = this.#byteAt(offset + at);
        offset += chunk.length;
        controller.enqueue(chunk);
      },
    });
  }

  /** Reads to the end; returns how much came and how many of the sampled bytes were wrong. */
  async check(content: AsyncIterable<Uint8Array>): Promise<{ bytes: number; wrong: number }> {
    let bytes = 0;
    let wrong = 0;
    for await (const chunk of content) {
      const step = Math.max(1, Math.floor(chunk.length / SAMPLES_PER_CHUNK));
      for (let at = 0; at < chunk.length; at += step) if (chunk[at] !== this.#byteAt(bytes + at)) wrong++;
      bytes += chunk.length;
    }
    return { bytes, wrong };
  }

  #byteAt(offset: number): number {
    const within = offset % CHUNK_BYTES;
    if (within >= 4) return this.#noise[within] as number;
    return (Math.floor(offset / CHUNK_BYTES) >>> (8 * within)) & 0xff;
  }
}
