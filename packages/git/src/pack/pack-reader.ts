/**
 * Reads objects of one pack by range. Follows a delta chain without recursion down to a whole or cached base, and applies it
 * upward; results are cached, since the next requested object is often a delta on one of them.
 */
import type { FileSystem } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import type { GitLimits } from "../limits.ts";
import type { ByteCache } from "../memory/byte-cache.ts";
import { type Oid, oidFromBytes } from "../object/oid.ts";
import type { GitObject, ObjectHeader, ObjectType } from "../odb/object-database.ts";
import { InflateError, MIN_ROOM } from "../zlib/inflater.ts";
import { acquireInflater, returnInflater } from "../zlib/inflater-pool.ts";
import { type ByteSource, MIN_SPAN } from "./byte-source.ts";
import { applyDelta, deltaSizes } from "./delta.ts";
import { streamDeltaChain } from "./delta-chain-stream.ts";
import { entryHeader, OFS_DELTA, parseEntryHeader, REF_DELTA, typeOfCode } from "./entry-header.ts";
import { inflateStream } from "./inflate-stream.ts";
import type { PackIndex } from "./pack-index.ts";
import type { PackWindow } from "./pack-window.ts";
import { PAGE, type PagedFile } from "./paged-file.ts";

/** A delta's base: `offset` in this pack, or elsewhere by id. */
interface PackEntry {
  readonly code: number;
  readonly size: number;
  readonly dataAt: number;
  readonly baseAt: number;
  readonly baseOid: Oid | null;
}

export type BaseCache = ByteCache<number, GitObject>;

interface PackReaderOptions {
  readonly fs: FileSystem;
  readonly limits: GitLimits;
  readonly bases: BaseCache;
  /** Reads an object that is not in this pack; packs on disk should be self-contained, so this is for malformed ones. */
  readonly readExternalBase: (oid: Oid) => Promise<GitObject | null>;
  /** Distinguishes the opened files from later ones of the same name. */
  readonly mark?: string;
}

const MAX_TYPES = 16384;
/** Compressed bytes rarely exceed the inflated size by more than this. */
const MARGIN = 64;

/** Bytes produced by deltas between two pauses. */
const PAUSE_BYTES = 32 * 1024 * 1024;
/** A chain may expand to this multiple of a small pack's limit: fifty versions of a file of 16 MiB are not rare. */
const LARGE_CHAIN = 16;

let packs = 0;

export class PackReader {
  readonly index: PackIndex;
  readonly file: PagedFile;
  readonly #options: PackReaderOptions;
  readonly #id = ++packs;
  /** Types of deltas, by offset. */
  readonly #types = new Map<number, ObjectType>();

  constructor(index: PackIndex, file: PagedFile, options: PackReaderOptions) {
    this.index = index;
    this.file = file;
    this.#options = options;
  }

  /** Offset, or -1. */
  async find(oid: Oid): Promise<number> {
    const found = this.index.find(oid);
    if (found !== null && found >= -1) return found;
    if (found === null) await this.index.load(Number.parseInt(oid.slice(0, 2), 16));
    return this.index.far(this.index.find(oid) ?? -1);
  }

  /** A cached object, or a whole one that lies on a page in memory; null: `read` it. */
  readCached(offset: number): GitObject | null {
    const retained = this.#cached(offset);
    if (retained !== undefined) return retained;
    if (offset < 12 || offset >= this.file.size - 20) return null;
    let bytes = this.file.peek(offset);
    if (bytes === null || !parseEntryHeader(bytes, 0, bytes.length)) return null;
    const { code, size, dataAt } = entryHeader;
    const type = typeOfCode(code);
    if (type === undefined) return null;
    // A small object is worth a try although it may continue on the next page; for a large one half the inflating would be wasted.
    const wanted = dataAt + size + MARGIN;
    if (size > MIN_SPAN && wanted > bytes.length) bytes = wanted > PAGE ? null : this.file.peek(offset, wanted);
    if (bytes === null) return null;
    const room = new Uint8Array(size + MIN_ROOM);
    const inflater = acquireInflater(size);
    try {
      const status = inflater.inflate(bytes, dataAt, bytes.length, room, 0, room.length, 0);
      if (status !== "done" || inflater.outputAt !== size) return null;
    } catch (error) {
      throw this.#inflateFailed(error);
    } finally {
      returnInflater(inflater);
    }
    const object: GitObject = { type, body: room.subarray(0, size) };
    this.#keep(offset, object);
    return object;
  }

  /** The body may be shared with other callers. */
  isCached(offset: number): boolean {
    return this.#cached(offset) !== undefined;
  }

  /**
   * The object at an offset from the index. With `span`, the result is for the caller alone and only bases are cached; the bytes
   * are searched there first.
   */
  async read(offset: number, span?: PackWindow): Promise<GitObject> {
    const keep = span === undefined;
    const source = span ?? this.file;
    const held = this.#cached(offset);
    if (held !== undefined) return held;
    const chain: { at: number; delta: Uint8Array }[] = [];
    let base: GitObject | undefined;
    let deltaBytes = 0;
    for (let at = offset; base === undefined; ) {
      const entry = await this.entry(at, source);
      const type = typeOfCode(entry.code);
      if (entry.size > this.#options.limits.wholeObject) throw tooBig(entry.size);
      const bytes = await this.#inflate(entry, source);
      if (type !== undefined) {
        base = { type, body: bytes };
        if (keep || at !== offset) this.#keep(at, base);
        break;
      }
      chain.push({ at, delta: bytes });
      deltaBytes += bytes.length;
      if (deltaBytes > this.#options.limits.memory) throw tooBig(deltaBytes);
      if (chain.length > this.#options.limits.deltaDepth) throw this.#corrupt("delta chain too long");
      if (entry.baseAt < 0) base = await this.#external(entry.baseOid as Oid);
      else {
        at = entry.baseAt;
        base = this.#cached(at);
      }
    }
    this.#checkWork(chain);
    let created = 0;
    for (let link = chain.pop(); link !== undefined; link = chain.pop()) {
      base = { type: (base as GitObject).type, body: applyDelta((base as GitObject).body, link.delta) };
      if (keep || link.at !== offset) this.#keep(link.at, base);
      created += base.body.length;
      if (created < PAUSE_BYTES) continue;
      created = 0;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return base as GitObject;
  }

  /** Before any delta is applied: checks the size of each result, and the total. */
  #checkWork(chain: readonly { readonly delta: Uint8Array }[]): void {
    const { wholeObject, resolvedBytes } = this.#options.limits;
    const max = LARGE_CHAIN * resolvedBytes;
    let bytes = 0;
    for (const { delta } of chain) {
      const { resultSize } = deltaSizes(delta);
      if (resultSize > wholeObject) throw tooBig(resultSize);
      bytes += resultSize;
    }
    if (bytes > max)
      throw new GitError("ETOOBIG", `a chain of deltas comes to ${bytes} bytes, over the limit of ${max}`);
  }

  /** For a delta, inflates only the first bytes, for its size, and reads the headers down to its base, for its type. */
  async header(offset: number): Promise<ObjectHeader> {
    const held = this.#cached(offset);
    if (held !== undefined) return { type: held.type, size: held.body.length };
    const entry = await this.entry(offset);
    let size = entry.size;
    if (typeOfCode(entry.code) === undefined) size = deltaSizes(await this.#inflatePrefix(entry)).resultSize;
    return { type: this.#types.get(offset) ?? (await this.#type(offset, entry)), size };
  }

  /** Streams objects too large to hold, including deltas. A piece is valid until the next is requested. */
  async *stream(offset: number): AsyncGenerator<Uint8Array> {
    const chain: PackEntry[] = [];
    const { limits, fs } = this.#options;
    let largest = 0;
    for (let at = offset; ; ) {
      const entry = await this.entry(at);
      chain.unshift(entry);
      largest = Math.max(largest, entry.size);
      if (typeOfCode(entry.code) !== undefined) break;
      largest = Math.max(largest, deltaSizes(await this.#inflatePrefix(entry)).resultSize);
      if (entry.baseAt < 0 || chain.length > limits.deltaDepth) throw this.#corrupt("delta chain too long");
      at = entry.baseAt;
    }
    const [base, ...deltas] = chain as [PackEntry, ...PackEntry[]];
    if (largest <= limits.wholeObject / 4) yield (await this.read(offset)).body;
    else if (deltas.length === 0) yield* inflateStream(this.file, base);
    else yield* streamDeltaChain({ fs, directory: this.directory }, this.file, base, deltas);
  }

  get mark(): string | undefined {
    return this.#options.mark;
  }

  /** Where the pack is. */
  get directory(): string {
    return this.file.path.slice(0, this.file.path.lastIndexOf("/"));
  }

  async entry(offset: number, source: ByteSource = this.file): Promise<PackEntry> {
    if (offset < 12 || offset >= this.file.size - 20) throw this.#corrupt(`offset ${offset} is beyond the pack`);
    const bytes = source.peek(offset) ?? (await source.at(offset));
    if (!parseEntryHeader(bytes, 0, bytes.length)) throw this.#corrupt(`truncated at ${offset}`);
    const { code, size, back, nameAt, dataAt } = entryHeader;
    let baseAt = -1;
    let baseOid: Oid | null = null;
    if (code === OFS_DELTA) {
      baseAt = offset - back;
      if (back === 0 || baseAt < 12) throw this.#corrupt(`delta base offset out of bound at ${offset}`);
    } else if (code === REF_DELTA) {
      baseOid = oidFromBytes(bytes, nameAt);
      baseAt = await this.find(baseOid);
    }
    return { code, size, dataAt: offset + dataAt, baseAt, baseOid };
  }

  /** Follows the headers of the chain and caches them, since neighbors share their bases. */
  async #type(offset: number, first: PackEntry): Promise<ObjectType> {
    const passed: number[] = [];
    let at = offset;
    let entry = first;
    let type = typeOfCode(entry.code);
    while (type === undefined) {
      if (passed.push(at) > this.#options.limits.deltaDepth) throw this.#corrupt("delta chain too long");
      if (entry.baseAt < 0) type = (await this.#external(entry.baseOid as Oid)).type;
      else {
        at = entry.baseAt;
        type = this.#types.get(at) ?? this.#cached(at)?.type;
        if (type !== undefined) break;
        entry = await this.entry(at);
        type = typeOfCode(entry.code);
      }
    }
    if (this.#types.size > MAX_TYPES) this.#types.clear();
    for (const delta of passed) this.#types.set(delta, type);
    return type;
  }

  async #external(oid: Oid): Promise<GitObject> {
    const object = await this.#options.readExternalBase(oid);
    if (object === null) throw this.#corrupt(`delta base ${oid} is missing`);
    return object;
  }

  async #inflate({ dataAt, size }: PackEntry, source: PagedFile | PackWindow): Promise<Uint8Array> {
    const room = new Uint8Array(size + MIN_ROOM);
    const inflater = acquireInflater(size);
    try {
      let at = dataAt;
      let out = 0;
      // Reads everything at once if possible: a stream is rarely longer than its inflated size.
      let wanted = Math.max(MIN_SPAN, Math.min(size + MARGIN, PAGE));
      for (;;) {
        const bytes = source.peek(at, wanted) ?? (await source.at(at, wanted));
        wanted = MIN_SPAN;
        const status = inflater.inflate(bytes, 0, bytes.length, room, out, room.length, 0);
        out = inflater.outputAt;
        if (status === "done") break;
        if (status === "output" || inflater.inputAt === 0 || out > size) throw new InflateError("incorrect length");
        at += inflater.inputAt;
      }
      if (out !== size) throw new InflateError("incorrect length");
      return room.subarray(0, size);
    } catch (error) {
      throw this.#inflateFailed(error);
    } finally {
      returnInflater(inflater);
    }
  }

  async #inflatePrefix({ dataAt }: PackEntry): Promise<Uint8Array> {
    const room = new Uint8Array(MIN_ROOM + 32);
    const bytes = this.file.peek(dataAt) ?? (await this.file.at(dataAt));
    const inflater = acquireInflater();
    try {
      inflater.inflate(bytes, 0, bytes.length, room, 0, room.length, 0);
      return room.subarray(0, inflater.outputAt);
    } catch (error) {
      throw this.#inflateFailed(error);
    } finally {
      returnInflater(inflater);
    }
  }

  #cached(offset: number): GitObject | undefined {
    return this.#options.bases.get(this.#id * 2 ** 40 + offset);
  }

  #keep(offset: number, object: GitObject): void {
    this.#options.bases.set(this.#id * 2 ** 40 + offset, object, object.body.length + MIN_ROOM);
  }

  #inflateFailed(error: unknown): unknown {
    if (!(error instanceof InflateError)) return error;
    return new GitError("ECORRUPT", `inflate: data stream error (${error.message})`, { cause: error });
  }

  #corrupt(reason: string): GitError {
    return new GitError("ECORRUPT", `packfile ${this.file.path} is corrupt: ${reason}`);
  }
}

function tooBig(size: number): GitError {
  return new GitError("ETOOBIG", `object of ${size} bytes is over the limit for one held whole`);
}
