/**
 * The output of an execution, by `seq`: durable pages, and the current one. Small output is in the pages themselves, more goes to
 * the spool, and beyond its limit only the newest is retained. Readers pull; none of them blocks the log.
 */
import { concatBytes } from "../bytes.ts";
import { ShellError } from "../errors.ts";
import type { ShellLimits } from "../limits.ts";
import type { ExecStore, OutputPage } from "../store/exec-store.ts";
import type { Spool } from "./spool.ts";
import { Utf8Boundary } from "./utf8-boundary.ts";

export type StreamName = "stdout" | "stderr";

export interface OutputChunk {
  readonly seq: number;
  readonly name: StreamName;
  readonly value: Uint8Array;
}

const STREAMS: readonly StreamName[] = ["stdout", "stderr"];

export class OutputLog {
  readonly #id: string;
  readonly #store: ExecStore;
  readonly #spool: Spool;
  readonly #limits: ShellLimits;
  readonly #boundaries: readonly [Utf8Boundary, Utf8Boundary];
  #pages: OutputPage[];
  #pending: OutputChunk[] = [];
  #pendingBytes = 0;
  #nextSeq: number;
  #flushed: Promise<void> = Promise.resolve();
  readonly bytes = { stdout: 0, stderr: 0 };

  /** With `pages`: restores the state from before an eviction. */
  constructor(id: string, store: ExecStore, spool: Spool, limits: ShellLimits, pages: OutputPage[] = []) {
    this.#id = id;
    this.#store = store;
    this.#spool = spool;
    this.#limits = limits;
    this.#pages = pages;
    const last = pages.at(-1);
    this.#boundaries = [new Utf8Boundary(last?.held[0]), new Utf8Boundary(last?.held[1])];
    this.#nextSeq = last === undefined ? 1 : last.first + last.lengths.length;
    for (const { lengths } of pages) {
      for (const length of lengths) this.bytes[STREAMS[length & 1] as StreamName] += length >>> 1;
    }
  }

  /** The seq of the last received event. */
  get lastSeq(): number {
    return this.#nextSeq - 1;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  get printed(): number {
    return this.bytes.stdout + this.bytes.stderr;
  }

  get spooled(): number {
    return this.#spool.size;
  }

  /** Appends a backend's events in order: the next one has the next seq. */
  append(name: StreamName, value: Uint8Array): void {
    this.#take(name, this.#boundaries[STREAMS.indexOf(name)]!.push(value));
  }

  /** After the last event: incomplete characters at the end, each as its own event, so that seqs stay the same. */
  end(): void {
    for (const [i, name] of STREAMS.entries()) this.#take(name, this.#boundaries[i]!.end());
  }

  #take(name: StreamName, value: Uint8Array): void {
    this.#pending.push({ seq: this.#nextSeq++, name, value });
    this.#pendingBytes += value.length;
    this.bytes[name] += value.length;
  }

  /** Makes pending output durable. */
  flush(): Promise<void> {
    const flushed = this.#flushed.then(async () => {
      const page = await this.#seal();
      if (page !== null) this.#store.putPage(this.#id, page);
    });
    // A failed flush does not block the next one; its caller gets the error.
    this.#flushed = flushed.catch(() => {});
    return flushed;
  }

  /** Waits for pending flushes and returns the last page, which the caller stores with the end of its record. */
  async lastPage(): Promise<OutputPage | null> {
    await this.#flushed;
    return this.#seal();
  }

  async #seal(): Promise<OutputPage | null> {
    const chunks = this.#pending.slice();
    if (chunks.length === 0) return null;
    const bytes = concatBytes(chunks.map(({ value }) => value));
    const at = await this.#toSpool(bytes);
    const page: OutputPage = {
      first: chunks[0]!.seq,
      lengths: Uint32Array.from(chunks, ({ name, value }) => value.length * 2 + STREAMS.indexOf(name)),
      at,
      bytes: at === null ? bytes : null,
      held: [this.#boundaries[0].partialChar, this.#boundaries[1].partialChar],
    };
    // Readers now see the page instead of its chunks; more chunks may have arrived meanwhile.
    this.#pages.push(page);
    this.#pending = this.#pending.slice(chunks.length);
    this.#pendingBytes -= bytes.length;
    this.#forgetMiddle();
    return page;
  }

  /** Null: it stays in the page, because it is small or because the file is full. */
  async #toSpool(bytes: Uint8Array): Promise<number | null> {
    const { spoolFrom, spoolBytes } = this.#limits;
    if (this.#spool.size === 0) {
      const before = this.#pages.map((page) => page.bytes ?? new Uint8Array(0));
      const inline = before.reduce((sum, { length }) => sum + length, 0);
      if (inline + bytes.length <= spoolFrom) return null;
      if (inline > 0) await this.#spool.append(concatBytes(before));
    }
    if (this.#spool.size + bytes.length > spoolBytes) return null;
    return this.#spool.append(bytes);
  }

  /** Past the end of the spool, pages hold their bytes: only the newest are retained. */
  #forgetMiddle(): void {
    if (this.#spool.size === 0) return;
    const after = this.#pages.filter((page) => page.at === null && page.first > this.#lastSpooled());
    let retained = 0;
    for (const page of after.toReversed()) {
      retained += page.bytes!.length;
      if (retained <= this.#limits.keptBytes / 2 + this.#limits.pageBytes) continue;
      this.#store.dropPage(this.#id, page.first);
      this.#pages = this.#pages.filter((other) => other !== page);
    }
  }

  #lastSpooled(): number {
    return this.#pages.findLast((page) => page.at !== null)?.first ?? 0;
  }

  /** One page of the events after `seq`; empty if there are none yet. */
  async after(seq: number): Promise<OutputChunk[]> {
    const page = this.#pages.find(({ first, lengths }) => first + lengths.length > seq + 1);
    if (page === undefined) return this.#pending.filter((chunk) => chunk.seq > seq);
    if (page.first > seq + 1) {
      const reason = `events ${seq + 1} to ${page.first - 1} were beyond the ${this.#limits.spoolBytes} bytes that are kept; resume after ${page.first - 1}`;
      throw new ShellError("EIO", reason);
    }
    return (await this.#chunksOf(page)).filter((chunk) => chunk.seq > seq);
  }

  /** All retained output in order, with the gap if there is one. */
  async *retained(): AsyncGenerator<OutputChunk | "gap"> {
    let next = 1;
    for (const page of this.#pages) {
      if (page.first > next) yield "gap";
      yield* await this.#chunksOf(page);
      next = page.first + page.lengths.length;
    }
    yield* this.#pending;
  }

  async #chunksOf({ first, lengths, at, bytes }: OutputPage): Promise<OutputChunk[]> {
    const total = lengths.reduce((sum, length) => sum + (length >>> 1), 0);
    const all = bytes ?? (await this.#spool.read(at as number, total));
    let offset = 0;
    return Array.from(lengths, (length, i) => {
      const start = offset;
      offset += length >>> 1;
      return { seq: first + i, name: STREAMS[length & 1] as StreamName, value: all.subarray(start, offset) };
    });
  }
}
