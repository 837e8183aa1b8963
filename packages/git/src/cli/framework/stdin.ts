/**
 * A command's standard input, read as it arrives. A co-process writes a line, waits for the answer and then writes the next, so
 * commands that answer line by line must not wait for the end. Only commands that need the whole input read all of it.
 */
import { concat, decode, encode } from "../../text/bytes.ts";

/** A stream is read only as fast as the command needs it. */
export type StdinSource = Uint8Array | string | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Runs `work`, which may wait for a user's typing, and releases the repository lock meanwhile. */
type WaitForInput = <T>(work: () => Promise<T>) => Promise<T>;

export class Stdin {
  readonly #source: StdinSource | undefined;
  readonly #wait: WaitForInput;
  #pieces: AsyncIterator<Uint8Array> | undefined;
  #all: Promise<Uint8Array> | undefined;

  constructor(source: StdinSource | undefined, wait: WaitForInput = (work) => work()) {
    this.#source = source;
    this.#wait = wait;
  }

  /** False: there is no input, as at a terminal. */
  get isGiven(): boolean {
    return this.#source !== undefined;
  }

  /** All remaining input; later calls return the same bytes. */
  bytes(): Promise<Uint8Array> {
    this.#all ??= this.#gather();
    return this.#all;
  }

  async text(): Promise<string> {
    return decode(await this.bytes());
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for (let piece = await this.#next(); piece !== null; piece = await this.#next()) {
      if (piece.length > 0) yield piece;
    }
  }

  /** Lines of text without a CR before the newline. git decides which commands read this way. */
  async *textLines(): AsyncGenerator<string> {
    for await (const line of this.lines("\n", { ends: true })) yield line.replace(/\r?\n$/, () => "");
  }

  /** `ends`: yields each line with its separator, which the last one may lack. */
  async *lines(separator: "\n" | "\0" = "\n", { ends = false } = {}): AsyncGenerator<string> {
    const byte = separator.charCodeAt(0);
    let begun: Uint8Array[] = [];
    for await (const piece of this.chunks()) {
      const last = piece.lastIndexOf(byte);
      if (last < 0) {
        // A copy: the source may reuse its buffer.
        begun.push(piece.slice());
        continue;
      }
      const whole = decode(concat([...begun, piece.subarray(0, last)]));
      begun = last + 1 < piece.length ? [piece.slice(last + 1)] : [];
      for (const line of whole.split(separator)) yield ends ? line + separator : line;
    }
    if (begun.length > 0) yield decode(concat(begun));
  }

  async #next(): Promise<Uint8Array | null> {
    const source = this.#source;
    if (source === undefined) return null;
    if (typeof source === "string" || source instanceof Uint8Array) {
      this.#pieces ??= input(typeof source === "string" ? encode(source) : source);
      const { value, done } = await this.#pieces.next();
      return done ? null : value;
    }
    this.#pieces ??= source instanceof ReadableStream ? streamed(source) : source[Symbol.asyncIterator]();
    const pieces = this.#pieces;
    const { value, done } = await this.#wait(() => pieces.next());
    return done ? null : value;
  }

  async #gather(): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for await (const piece of this.chunks()) parts.push(this.#isWhole ? piece : piece.slice());
    return parts.length === 1 ? (parts[0] as Uint8Array) : concat(parts);
  }

  get #isWhole(): boolean {
    return typeof this.#source === "string" || this.#source instanceof Uint8Array;
  }
}

async function* input(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Not every runtime can iterate over a stream. */
async function* streamed(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read())
    yield value as Uint8Array;
}
