/**
 * A stretch of a pack in one buffer that is used again, for who reads many objects in the order they lie in: a page for each part of
 * the file would be garbage as soon as it is passed. What is not in the stretch, a base far away, comes by page. For one reader.
 */
import type { FileHandle, FileSystem } from "@workspace/vfs";
import { freeBuffer } from "../memory/free-buffer.ts";
import { type ByteSource, LEAST_SPAN } from "./byte-source.ts";
import type { PagedFile } from "./paged-file.ts";

export const SPAN = 512 * 1024;

export class PackSpan implements ByteSource {
  readonly size: number;
  readonly #file: PagedFile;
  readonly #handle: FileHandle;
  readonly #bytes = new Uint8Array(SPAN);
  #start = 0;
  #end = 0;

  private constructor(file: PagedFile, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
    this.size = file.size;
  }

  static async open(fs: FileSystem, file: PagedFile): Promise<PackSpan> {
    return new PackSpan(file, await fs.open(file.path, "r"));
  }

  covers(position: number): boolean {
    return position >= this.#start && position < this.#end - LEAST_SPAN;
  }

  /** From `start` on, `SPAN` bytes at most. What was given of the stretch before is not to be used any more. */
  async fill(start: number, end: number): Promise<void> {
    const length = Math.min(end, this.size) - start;
    this.#start = start;
    this.#end = start;
    let at = 0;
    while (at < length) {
      const { bytesRead } = await this.#handle.read(this.#bytes, at, length - at, start + at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    this.#end = start + at;
  }

  peek(position: number, wanted = LEAST_SPAN): Uint8Array | null {
    const isHere = position >= this.#start && position < this.#end;
    const isEnough = position + wanted <= this.#end || this.#end === this.size;
    if (isHere && isEnough) return this.#bytes.subarray(position - this.#start, this.#end - this.#start);
    return this.#file.peek(position, wanted);
  }

  async at(position: number, wanted = LEAST_SPAN): Promise<Uint8Array> {
    return this.peek(position, wanted) ?? this.#file.at(position, wanted);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    freeBuffer(this.#bytes);
    await this.#handle.close();
  }
}
