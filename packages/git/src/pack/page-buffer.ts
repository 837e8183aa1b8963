/**
 * A small page cache over an open file, for indexing a pack. Random reads would allocate pages faster than garbage collection frees
 * them, so it reuses its buffers, the least recently used first. It serves one reader at a time: the next read may overwrite the
 * bytes of the last one.
 */
import type { FileHandle } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import { freeBuffer } from "../memory/free-buffer.ts";
import { type ByteSource, MIN_SPAN } from "./byte-source.ts";

/** Small, since most random reads are for a delta of some hundred bytes. */
const PAGE = 8 * 1024;
/** Read-ahead if the previous two pages are cached: then access is sequential. */
const AHEAD = 4;
/** Maximum length of a range for `whole`. */
const WHOLE = 128 * 1024;

export class PageBuffer implements ByteSource {
  size: number;
  readonly #file: FileHandle;
  readonly #pages: Uint8Array[] = [];
  readonly #max: number;
  /** By buffer: its page number, and the clock at its last use. */
  readonly #numbers: number[] = [];
  readonly #lastUsed: number[] = [];
  readonly #slots = new Map<number, number>();
  readonly #join = new Uint8Array(3 * MIN_SPAN);
  readonly #read = new Uint8Array(AHEAD * PAGE);
  #whole = new Uint8Array(0);
  #clock = 0;

  constructor(file: FileHandle, size: number, bytes: number) {
    this.#file = file;
    this.size = size;
    this.#max = Math.max(2 * AHEAD, Math.floor(bytes / PAGE) - AHEAD);
  }

  peek(position: number): Uint8Array | null {
    const number = Math.floor(position / PAGE);
    const page = this.#buffered(number);
    if (page === null) return null;
    const within = position - number * PAGE;
    const length = Math.min(PAGE, this.size - number * PAGE);
    const isLast = (number + 1) * PAGE >= this.size;
    if (isLast || length - within >= MIN_SPAN) return page.subarray(within, length);
    const next = this.#buffered(number + 1);
    if (next === null) return null;
    const nextLength = Math.min(2 * MIN_SPAN, this.size - (number + 1) * PAGE);
    this.#join.set(page.subarray(within));
    this.#join.set(next.subarray(0, nextLength), PAGE - within);
    return this.#join.subarray(0, PAGE - within + nextLength);
  }

  async at(position: number): Promise<Uint8Array> {
    if (position >= this.size) return this.#join.subarray(0, 0);
    for (;;) {
      const retained = this.peek(position);
      if (retained !== null) return retained;
      const number = Math.floor(position / PAGE);
      await this.#load(this.#slots.has(number) ? number + 1 : number);
    }
  }

  /** Reads a range in one piece, bypassing the pages. Null: the range is too long for that, or so short that pages suffice. */
  async whole(start: number, end: number): Promise<Uint8Array | null> {
    const length = end - start;
    if (length <= MIN_SPAN || length > WHOLE) return null;
    if (this.#whole.length === 0) this.#whole = new Uint8Array(WHOLE);
    await this.#fill(this.#whole, start, length);
    return this.#whole.subarray(0, length);
  }

  [Symbol.dispose](): void {
    freeBuffer(...this.#pages, this.#join, this.#read, this.#whole);
  }

  /** Call after the file has grown: drops the pages from the old end on, because the last bytes may have changed. */
  grow(size: number): void {
    for (let number = Math.floor((this.size - 20) / PAGE); number * PAGE < size; number++) {
      const slot = this.#slots.get(number);
      if (slot === undefined) continue;
      this.#slots.delete(number);
      this.#lastUsed[slot] = 0;
    }
    this.size = size;
  }

  #buffered(number: number): Uint8Array | null {
    const slot = this.#slots.get(number);
    if (slot === undefined) return null;
    this.#lastUsed[slot] = ++this.#clock;
    return this.#pages[slot] as Uint8Array;
  }

  async #load(number: number): Promise<void> {
    const inOrder = this.#slots.has(number - 1) && this.#slots.has(number - 2);
    const start = number * PAGE;
    const length = Math.min(inOrder ? AHEAD * PAGE : PAGE, this.size - start);
    await this.#fill(this.#read, start, length);
    for (let at = 0; at < length; at += PAGE) this.#keep(number + at / PAGE, this.#read.subarray(at, at + PAGE));
  }

  async #fill(buffer: Uint8Array, start: number, length: number): Promise<void> {
    for (let at = 0; at < length; ) {
      const { bytesRead } = await this.#file.read(buffer, at, length - at, start + at);
      if (bytesRead === 0) throw new GitError("ECORRUPT", "pack is too short");
      at += bytesRead;
    }
  }

  #keep(number: number, bytes: Uint8Array): void {
    if (this.#slots.has(number)) return;
    const slot = this.#free();
    (this.#pages[slot] as Uint8Array).set(bytes);
    this.#numbers[slot] = number;
    this.#slots.set(number, slot);
    this.#lastUsed[slot] = ++this.#clock;
  }

  /** A new buffer, or the least recently used one. */
  #free(): number {
    if (this.#pages.length < this.#max) {
      this.#lastUsed.push(0);
      this.#numbers.push(-1);
      return this.#pages.push(new Uint8Array(PAGE)) - 1;
    }
    let oldest = 0;
    for (let slot = 1; slot < this.#pages.length; slot++)
      if ((this.#lastUsed[slot] as number) < (this.#lastUsed[oldest] as number)) oldest = slot;
    this.#slots.delete(this.#numbers[oldest] as number);
    return oldest;
  }
}
