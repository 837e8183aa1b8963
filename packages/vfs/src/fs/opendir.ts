/** `opendir`: a page of entries in memory at a time; each page starts after the last name, so changes meanwhile cannot lose one. */
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import type { Dir, Dirent } from "../filesystem.ts";
import { typeName } from "../inode.ts";
import { DirectoryEntry } from "../stats.ts";
import { LISTED_MAX, type Listed } from "../store/listings.ts";
import type { Volume } from "../volume.ts";
import { directoryAt } from "./readdir.ts";

export async function opendir(ctx: FsContext, path: string): Promise<Dir> {
  const { inode } = directoryAt(ctx, path, "opendir");
  return new OpenDirectory(ctx.volume, inode.ino, path);
}

class OpenDirectory implements Dir {
  readonly path: string;
  readonly #volume: Volume;
  readonly #ino: number;
  #page: Listed[] = [];
  #next = 0;
  #after = "";
  #ended = false;
  #closed = false;

  constructor(volume: Volume, ino: number, path: string) {
    this.#volume = volume;
    this.#ino = ino;
    this.path = path;
  }

  async read(): Promise<Dirent | null> {
    if (this.#closed)
      throw new FsError("EBADF", { syscall: "readdir", path: this.path, reason: "directory handle was closed" });
    if (this.#next === this.#page.length && !this.#ended) this.#fetch();
    const entry = this.#page[this.#next++];
    if (entry === undefined) {
      this.#next = this.#page.length;
      return null;
    }
    return new DirectoryEntry(entry[1], this.path, typeName(entry[3]));
  }

  async close(): Promise<void> {
    if (this.#closed)
      throw new FsError("EBADF", { syscall: "close", path: this.path, reason: "directory handle was closed" });
    this.#closed = true;
    this.#page = [];
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

  #fetch(): void {
    const limit = Math.min(this.#volume.limits.listPage, LISTED_MAX);
    this.#page = this.#volume.open().tree.listed(this.#ino, this.#after, limit);
    this.#next = 0;
    this.#ended = this.#page.length < limit;
    this.#after = this.#page.at(-1)?.[1] ?? this.#after;
  }
}
