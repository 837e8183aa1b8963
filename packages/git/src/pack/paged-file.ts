/**
 * Reads a file by range through a bounded page cache, shared by all files of a database. A page has the size of a row of a large
 * file in a workspace, so that it costs one statement.
 */
import type { FileSystem } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import { ByteCache } from "../memory/byte-cache.ts";
import { freeBuffer } from "../memory/free-buffer.ts";
import type { MemoryBudget } from "../memory/memory-budget.ts";
import { concat } from "../text/bytes.ts";
import { type ByteSource, MIN_SPAN } from "./byte-source.ts";

export const PAGE = 128 * 1024;

/** A dropped page, and the last read that had begun by then. */
interface DroppedPage {
  readonly page: Uint8Array;
  readonly lastRead: number;
}

/**
 * Number of microtask turns in which a read hands its page to its consumer: through two async functions of three turns, and some
 * more.
 */
const TURNS = 8;

/**
 * The page cache owns its pages. It frees dropped pages early, since many megabytes of them would wait for garbage collection, but
 * only after the reads that had begun by then: one of them may have received the page. A consumer uses a page in the same turn and
 * does not retain it.
 */
export class PageCache extends ByteCache<number, Uint8Array> {
  /** Oldest first. */
  readonly #reads = new Set<number>();
  readonly #dropped: DroppedPage[] = [];
  #lastRead = 0;

  constructor(memory: MemoryBudget, limit: number) {
    super(memory, limit, "pages of packs", (page) => this.#drop(page));
  }

  async read<T>(body: () => Promise<T>): Promise<T> {
    const read = ++this.#lastRead;
    this.#reads.add(read);
    try {
      return await body();
    } finally {
      void this.#end(read);
    }
  }

  async #end(read: number): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await null;
    this.#reads.delete(read);
    this.#free();
  }

  #drop(page: Uint8Array): void {
    this.#dropped.push({ page, lastRead: this.#lastRead });
    this.#free();
  }

  #free(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#reads;
    const retained = this.#dropped.findIndex(({ lastRead }) => lastRead >= oldest);
    for (const { page } of this.#dropped.splice(0, retained < 0 ? this.#dropped.length : retained)) {
      // A view of a larger buffer must not be freed.
      if (page.byteLength === page.buffer.byteLength) freeBuffer(page);
    }
  }
}

let files = 0;

export class PagedFile implements ByteSource {
  readonly path: string;
  readonly size: number;
  readonly #fs: FileSystem;
  readonly #cache: PageCache;
  readonly #id = ++files;
  readonly #loading = new Map<number, Promise<Uint8Array>>();

  constructor(fs: FileSystem, path: string, size: number, cache: PageCache) {
    this.#fs = fs;
    this.path = path;
    this.size = size;
    this.#cache = cache;
  }

  /** Returns `wanted` contiguous bytes, at most a page, even if they span two pages. */
  peek(position: number, wanted = MIN_SPAN): Uint8Array | null {
    const page = Math.floor(position / PAGE);
    const bytes = this.#cache.get(this.#key(page));
    if (bytes === undefined) return null;
    const within = position - page * PAGE;
    const isLast = (page + 1) * PAGE >= this.size;
    if (isLast || bytes.length - within >= wanted) return bytes.subarray(within);
    const next = this.#cache.get(this.#key(page + 1));
    return next === undefined ? null : joined(bytes.subarray(within), next, wanted);
  }

  at(position: number, wanted = MIN_SPAN): Promise<Uint8Array> {
    return this.#cache.read(async () => this.peek(position, wanted) ?? (await this.#load(position, wanted)));
  }

  async #load(position: number, wanted: number): Promise<Uint8Array> {
    if (position >= this.size) return new Uint8Array(0);
    const page = Math.floor(position / PAGE);
    const bytes = await this.#page(page);
    const within = position - page * PAGE;
    if ((page + 1) * PAGE >= this.size || bytes.length - within >= wanted) return bytes.subarray(within);
    const next = await this.#page(page + 1);
    return joined(bytes.subarray(within), next, wanted);
  }

  /** Exactly `[start, start + length)`, bypassing the cache. */
  async range(start: number, length: number): Promise<Uint8Array> {
    const bytes = await this.#fs.readRange(this.path, start, length);
    if (bytes.length !== length) throw new GitError("ECORRUPT", `file ${this.path} is too short`);
    return bytes;
  }

  async #page(page: number): Promise<Uint8Array> {
    const retained = this.#cache.get(this.#key(page)) ?? this.#loading.get(page);
    if (retained !== undefined) return retained;
    const start = page * PAGE;
    const loading = this.range(start, Math.min(PAGE, this.size - start));
    this.#loading.set(page, loading);
    try {
      const bytes = await loading;
      this.#cache.set(this.#key(page), bytes, bytes.length);
      return bytes;
    } finally {
      this.#loading.delete(page);
    }
  }

  #key(page: number): number {
    return this.#id * 2 ** 26 + page;
  }
}

function joined(rest: Uint8Array, next: Uint8Array, wanted: number): Uint8Array {
  return concat([rest, next.subarray(0, Math.max(2 * MIN_SPAN, wanted - rest.length))]);
}
