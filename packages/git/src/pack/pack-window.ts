/**
 * A stretch of a pack in one buffer that is used again, for who reads many objects in the order they lie in: a page for each part of
 * the file would be garbage as soon as it is passed. It is read in whole rows of a large file of a workspace, since a part of a row
 * costs as much. What is not in the stretch, a base far away, comes by page. For one reader.
 */
import type { FileHandle, FileSystem } from "@workspace/vfs";
import { freeBuffer } from "../memory/free-buffer.ts";
import { type ByteSource, MIN_SPAN } from "./byte-source.ts";
import { entryHeader, parseEntryHeader } from "./entry-header.ts";
import { PAGE, type PagedFile } from "./paged-file.ts";

export const SPAN = 8 * PAGE;

/** Compressed bytes are hardly ever more than this beyond what they inflate to. */
const MARGIN = 64;

export class PackWindow implements ByteSource {
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

  static async open(fs: FileSystem, file: PagedFile): Promise<PackWindow> {
    return new PackWindow(file, await fs.open(file.path, "r"));
  }

  /** All of the entry that begins there is here, as far as one can tell without inflating it. */
  holdsEntry(offset: number): boolean {
    return offset >= this.#start && offset < this.#end && this.#endOfEntry(offset) <= this.#end;
  }

  /**
   * The rows from the one `first` is in to the one `last` is in, as many as there is room for, and further if the entry at `first` goes
   * on. What was given of the stretch before is not to be used any more.
   */
  async fill(first: number, last: number): Promise<void> {
    const start = first - (first % PAGE);
    await this.#read(start, last - (last % PAGE) + PAGE);
    const end = this.#endOfEntry(first);
    if (end > this.#end && this.#end - start < SPAN) await this.#read(start, end - (end % PAGE) + PAGE);
  }

  peek(position: number, wanted = MIN_SPAN): Uint8Array | null {
    const isHere = position >= this.#start && position < this.#end;
    const isEnough = position + wanted <= this.#end || this.#end === this.size;
    if (isHere && isEnough) return this.#bytes.subarray(position - this.#start, this.#end - this.#start);
    return this.#file.peek(position, wanted);
  }

  async at(position: number, wanted = MIN_SPAN): Promise<Uint8Array> {
    return this.peek(position, wanted) ?? this.#file.at(position, wanted);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    freeBuffer(this.#bytes);
    await this.#handle.close();
  }

  /** Where the entry at `offset`, which is here, may end at the latest; what is longer than a page is read in parts anyway. */
  #endOfEntry(offset: number): number {
    const from = offset - this.#start;
    const here = this.#end - this.#start;
    if (!parseEntryHeader(this.#bytes, from, here)) return Math.min(offset + MIN_SPAN, this.size);
    const length = Math.min(entryHeader.dataAt - from + entryHeader.size + MARGIN, PAGE);
    return Math.min(offset + Math.max(length, MIN_SPAN), this.size);
  }

  async #read(start: number, end: number): Promise<void> {
    const length = Math.min(end, start + SPAN, this.size) - start;
    // The last row of the stretch before is often the first of this one.
    let at = start >= this.#start && start < this.#end ? Math.min(this.#end - start, length) : 0;
    this.#bytes.copyWithin(0, start - this.#start, start - this.#start + at);
    this.#start = start;
    this.#end = start + at;
    while (at < length) {
      const { bytesRead } = await this.#handle.read(this.#bytes, at, length - at, start + at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    this.#end = start + at;
  }
}
