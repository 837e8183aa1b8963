/** Reads chunks of any size in pieces of the requested size. Every byte counts against the budget, skipped ones too. */
import type { ArchiveBudget } from "./archive-budget.ts";
import { invalidArchive } from "./archive-error.ts";

export class ByteSource implements AsyncDisposable {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #budget: ArchiveBudget;
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>, budget: ArchiveBudget) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#budget = budget;
  }

  /** Exactly `length` bytes; null at the end. */
  async read(length: number): Promise<Uint8Array | null> {
    const bytes = new Uint8Array(length);
    let at = 0;
    for await (const part of this.#parts(length)) {
      bytes.set(part, at);
      at += part.length;
    }
    if (at === 0 && length > 0) return null;
    if (at < length) throw cutShort();
    return bytes;
  }

  /** The next `length` bytes as they arrive. */
  async *stream(length: number): AsyncGenerator<Uint8Array> {
    let seen = 0;
    for await (const part of this.#parts(length)) {
      seen += part.length;
      yield part;
    }
    if (seen < length) throw cutShort();
  }

  async skip(length: number): Promise<void> {
    for await (const _ of this.stream(length));
  }

  /** Everything up to the end. */
  rest(): AsyncGenerator<Uint8Array> {
    return this.#parts(Number.POSITIVE_INFINITY);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.();
  }

  async *#parts(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next();
        if (done) return;
        await this.#budget.spendBytes(value.length);
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      if (part.length > 0) yield part;
    }
  }
}

function cutShort(): Error {
  return invalidArchive("it ends in the middle of an entry");
}
