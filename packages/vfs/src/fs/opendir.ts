/**
 * `opendir`: one page of entries in memory at a time. Each page starts after the last name, so concurrent changes cannot lose an
 * entry. With `recursive` there is one page per open level: a directory comes before its entries.
 */

import { FsError } from "../api/errors.ts";
import type { Dir, Dirent, OpendirOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { DirectoryEntry } from "../node-args/stats.ts";
import { LISTED_MAX } from "../store/listings.ts";
import { TYPE_CODES, typeName } from "../tree/inode.ts";
import { joinPath } from "../tree/path.ts";
import type { DirentRow } from "../tree/tree.ts";
import type { ReadContext } from "../volume/context.ts";
import type { ReadView } from "../volume/views.ts";
import { directoryAt, stripSlash } from "./readdir.ts";

export async function opendir(ctx: ReadContext, path: string, options: OpendirOptions = {}): Promise<Dir> {
  const { bufferSize = Number.POSITIVE_INFINITY, recursive = false } = optionsOf<OpendirOptions>(
    "opendir",
    options,
    path,
  );
  const { inode } = directoryAt(ctx, path, "opendir");
  const limit = Math.min(ctx.volume.limits.listPage, LISTED_MAX, bufferSize);
  return new OpenDirectory(ctx.volume, new OpenListing(inode.ino, path), limit, recursive);
}

/** How far one directory has been listed. */
class OpenListing {
  page: DirentRow[] = [];
  next = 0;
  after = "";
  ended = false;

  constructor(
    readonly ino: number,
    readonly path: string,
  ) {}
}

class OpenDirectory implements Dir {
  readonly path: string;
  readonly #volume: ReadView;
  readonly #limit: number;
  readonly #recursive: boolean;
  /** The open directories, the innermost last. */
  #levels: OpenListing[];
  #closed = false;

  constructor(volume: ReadView, top: OpenListing, limit: number, recursive: boolean) {
    this.#volume = volume;
    this.#levels = [top];
    this.#limit = limit;
    this.#recursive = recursive;
    this.path = top.path;
  }

  async read(): Promise<Dirent | null> {
    if (this.#closed)
      throw new FsError("EBADF", { syscall: "readdir", path: this.path, reason: "directory handle was closed" });
    for (let level = this.#levels.at(-1); level !== undefined; level = this.#levels.at(-1)) {
      if (level.next === level.page.length && !level.ended) this.#fetch(level);
      const entry = level.page[level.next++];
      if (entry !== undefined) return this.#entered(level, entry);
      this.#levels.pop();
    }
    return null;
  }

  async close(): Promise<void> {
    if (this.#closed)
      throw new FsError("EBADF", { syscall: "close", path: this.path, reason: "directory handle was closed" });
    this.#closed = true;
    this.#levels = [];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Dirent> {
    try {
      for (let entry = await this.read(); entry !== null; entry = await this.read()) yield entry;
    } finally {
      await this[Symbol.asyncDispose]();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#closed) await this.close();
  }

  #entered({ path }: OpenListing, [, name, ino, type]: DirentRow): Dirent {
    if (this.#recursive && type === TYPE_CODES.dir)
      this.#levels.push(new OpenListing(ino, joinPath(stripSlash(path), name)));
    return new DirectoryEntry(name, path, typeName(type));
  }

  #fetch(level: OpenListing): void {
    level.page = this.#volume.ensureOpen().tree.dirents(level.ino, level.after, this.#limit);
    level.next = 0;
    level.ended = level.page.length < this.#limit;
    level.after = level.page.at(-1)?.[1] ?? level.after;
  }
}
