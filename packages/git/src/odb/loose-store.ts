/** Loose objects, `objects/ab/cdef…`: `type size\0body`, deflated. */
import type { BulkEntry, FileSystem } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import { objectHeader } from "../hash/hash-object.ts";
import type { GitLimits } from "../limits.ts";
import type { Oid } from "../object/oid.ts";
import { inflateStream } from "../pack/inflate-stream.ts";
import { type PageCache, PagedFile } from "../pack/paged-file.ts";
import { decode } from "../text/bytes.ts";
import { deflate } from "../zlib/deflate.ts";
import { inflatePrefix } from "../zlib/inflate.ts";
import { InflateError, MIN_ROOM } from "../zlib/inflater.ts";
import { acquireInflater, returnInflater } from "../zlib/inflater-pool.ts";
import type { GitObject, ObjectHeader, ObjectType } from "./object-database.ts";

const STEP = 128 * 1024;
/** More than the longest header, with room for the inflater. */
const HEAD_ROOM = 64 + MIN_ROOM;

export class LooseStore {
  readonly directory: string;
  readonly #fs: FileSystem;
  readonly #limits: GitLimits;

  constructor(fs: FileSystem, directory: string, limits: GitLimits) {
    this.#fs = fs;
    this.directory = directory;
    this.#limits = limits;
  }

  path(oid: Oid): string {
    return `${this.directory}/${oid.slice(0, 2)}/${oid.slice(2)}`;
  }

  has(oid: Oid): Promise<boolean> {
    return this.#fs.exists(this.path(oid));
  }

  async read(oid: Oid): Promise<GitObject | null> {
    const first = await this.#first(oid);
    if (first === null) return null;
    const { type, size, headerLength } = this.#parse(oid, first);
    if (size > this.#limits.wholeObject)
      throw new GitError("ETOOBIG", `object ${oid} of ${size} bytes is over the limit for one held whole`);
    const room = new Uint8Array(headerLength + size + MIN_ROOM);
    const inflater = acquireInflater(headerLength + size);
    try {
      let bytes = first;
      let at = 0;
      let out = 0;
      for (;;) {
        const status = inflater.inflate(bytes, 0, bytes.length, room, out, room.length, 0);
        out = inflater.outputAt;
        at += inflater.inputAt;
        if (status === "done") break;
        if (status === "output") throw new InflateError("incorrect length");
        bytes = await this.#fs.readRange(this.path(oid), at, STEP);
        if (bytes.length === 0 || (inflater.inputAt === 0 && bytes.length < STEP)) throw new InflateError("truncated");
      }
      if (out !== headerLength + size) throw new InflateError("incorrect length");
      return { type, body: room.subarray(headerLength, out) };
    } catch (error) {
      throw this.#failed(oid, error);
    } finally {
      returnInflater(inflater);
    }
  }

  async header(oid: Oid): Promise<ObjectHeader | null> {
    const first = await this.#first(oid, 4096);
    return first === null ? null : this.#parse(oid, first);
  }

  /** Streams the body; null: missing. */
  async stream(oid: Oid, pages: PageCache): Promise<AsyncIterable<Uint8Array> | null> {
    const first = await this.#first(oid, 4096);
    if (first === null) return null;
    const { size, headerLength } = this.#parse(oid, first);
    const file = await this.#fs.stat(this.path(oid));
    const source = new PagedFile(this.#fs, this.path(oid), file.size, pages);
    return without(inflateStream(source, { dataAt: 0, size: headerLength + size }), headerLength);
  }

  /** Returns files to write; the caller batches them. */
  entry(oid: Oid, type: ObjectType, body: Uint8Array, level: number, mtime?: Date): BulkEntry {
    const header = objectHeader(type, body.length);
    const whole = new Uint8Array(header.length + body.length);
    whole.set(header);
    whole.set(body, header.length);
    return {
      path: this.path(oid),
      content: deflate(whole, level),
      mode: 0o444,
      ...(mtime === undefined ? {} : { mtime }),
    };
  }

  /** Every object here, in order. */
  async *list(prefix = ""): AsyncGenerator<Oid> {
    for (let byte = 0; byte < 256; byte++) {
      const directory = byte.toString(16).padStart(2, "0");
      if (!directory.startsWith(prefix.slice(0, 2))) continue;
      const rest = prefix.slice(2);
      for (const name of await this.#names(`${this.directory}/${directory}`))
        if (/^[0-9a-f]{38}$/.test(name) && name.startsWith(rest)) yield `${directory}${name}` as Oid;
    }
  }

  async #names(directory: string): Promise<string[]> {
    try {
      return (await this.#fs.readdir(directory)).sort();
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  }

  async #first(oid: Oid, length = STEP): Promise<Uint8Array | null> {
    try {
      return await this.#fs.readRange(this.path(oid), 0, length);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  #parse(oid: Oid, bytes: Uint8Array): ObjectHeader & { headerLength: number } {
    const head = new Uint8Array(HEAD_ROOM);
    let length: number;
    try {
      length = inflatePrefix(bytes, 0, head);
    } catch (error) {
      throw this.#failed(oid, error);
    }
    const end = head.subarray(0, Math.min(length, 48)).indexOf(0);
    const match = /^(commit|tree|blob|tag) (0|[1-9]\d{0,14})$/.exec(decode(head.subarray(0, Math.max(0, end))));
    if (match === null) throw this.#corrupt(oid);
    return { type: match[1] as ObjectType, size: Number(match[2]), headerLength: end + 1 };
  }

  #failed(oid: Oid, error: unknown): unknown {
    return error instanceof InflateError ? this.#corrupt(oid, error) : error;
  }

  #corrupt(oid: Oid, cause?: unknown): GitError {
    return new GitError("ECORRUPT", `loose object ${oid} (stored in ${this.path(oid)}) is corrupt`, { cause });
  }
}

async function* without(pieces: AsyncIterable<Uint8Array>, first: number): AsyncGenerator<Uint8Array> {
  let skip = first;
  for await (const piece of pieces) {
    const skipped = Math.min(skip, piece.length);
    skip -= skipped;
    if (skipped < piece.length) yield piece.subarray(skipped);
  }
}

export function isAbsent(error: unknown): boolean {
  const code = (error as { code?: string } | null)?.code;
  return code === "ENOENT" || code === "ENOTDIR";
}
