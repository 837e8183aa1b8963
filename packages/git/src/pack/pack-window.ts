/**
 * A section of a pack in one reused buffer, for reading many objects in pack order: cached pages would be garbage as soon as they
 * are passed. It reads whole rows of a large file of a workspace, since a part of a row costs as much. Bytes outside the section,
 * such as a distant base, are read by page. For one reader.
 */
import type { FileHandle, FileSystem } from "@workspace/vfs";
import { freeBuffer } from "../memory/free-buffer.ts";
import { type ByteSource, MIN_SPAN } from "./byte-source.ts";
import { entryHeader, parseEntryHeader } from "./entry-header.ts";
import { PAGE, type PagedFile } from "./paged-file.ts";

export const SPAN = 8 * PAGE;

/** Compressed bytes rarely exceed the inflated size by more than this. */
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

  /** Whether the entry that begins there is complete here, as far as can be determined without inflating it. */
  holdsEntry(offset: number): boolean {
    return offset >= this.#start && offset < this.#end && this.#endOfEntry(offset) <= this.#end;
  }

  /**
   * Loads the rows from that of `first` to that of `last`, as many as fit, and further if the entry at `first` continues.
   * Invalidates bytes returned from the previous section.
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

  /** Upper bound for the end of the entry at `offset`, which is here; an entry longer than a page is read in parts anyway. */
  #endOfEntry(offset: number): number {
    const from = offset - this.#start;
    const here = this.#end - this.#start;
    if (!parseEntryHeader(this.#bytes, from, here)) return Math.min(offset + MIN_SPAN, this.size);
    const length = Math.min(entryHeader.dataAt - from + entryHeader.size + MARGIN, PAGE);
    return Math.min(offset + Math.max(length, MIN_SPAN), this.size);
  }

  async #read(start: number, end: number): Promise<void> {
    const length = Math.min(end, start + SPAN, this.size) - start;
    // The last row of the previous section is often the first of this one.
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
