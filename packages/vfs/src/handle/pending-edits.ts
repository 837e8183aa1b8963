/**
 * What a handle has written and not committed: edits in order, neighbours folded into one. Little of it stays in memory; beyond
 * a limit the bytes go to spooled rows. Reads through the handle see it, nobody else does.
 */
import { ContentReader, readRuns } from "../content/reader.ts";
import { dataLength, type Edit, sizeAfter } from "../content/rewrite.ts";
import { Spool } from "../content/spool.ts";
import type { Inode } from "../inode.ts";
import type { Volume } from "../volume.ts";

export class PendingEdits {
  readonly #volume: Volume;
  #reader: { version: string; content: number; size: number; reader: ContentReader } | null = null;
  #edits: Edit[] = [];
  #bytes = 0;

  constructor(volume: Volume) {
    this.#volume = volume;
  }

  get empty(): boolean {
    return this.#edits.length === 0;
  }

  get count(): number {
    return this.#edits.length;
  }

  sizeAfter(size: number): number {
    return sizeAfter(size, this.#edits);
  }

  write(at: number | "end", bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (!this.#fold(at, bytes)) this.#edits.push({ kind: "write", at, data: { bytes: bytes.slice() } });
    this.#bytes += bytes.length;
    if (this.#bytes > this.#volume.limits.handleBytes) this.#spool();
  }

  truncate(length: number): void {
    this.#edits.push({ kind: "truncate", length });
  }

  /** The edits, to be committed; `clear` when they are. */
  get edits(): readonly Edit[] {
    return this.#edits;
  }

  /** Gives up what was not committed: its rows are left to the collector. */
  abandon(): void {
    for (const edit of this.#edits) {
      if (edit.kind === "write" && "runs" in edit.data)
        for (const first of edit.data.spools) this.#volume.liveSpools.delete(first);
    }
    this.clear();
  }

  clear(): void {
    this.#edits = [];
    this.#bytes = 0;
  }

  /** Bytes `[start, end)` of the file as it will be. */
  read(inode: Inode, start: number, end: number): Uint8Array {
    const base = this.#readerOf(inode);
    const to = Math.min(end, this.sizeAfter(inode.size));
    if (this.empty || to <= start) return base.read(start, Math.max(start, to));
    const window = new Uint8Array(to - start);
    window.set(base.read(start, to));
    let size = inode.size;
    for (const edit of this.#edits) {
      if (edit.kind === "truncate") {
        if (edit.length < to) window.fill(0, Math.max(0, edit.length - start));
        size = edit.length;
        continue;
      }
      const at = edit.at === "end" ? size : edit.at;
      const length = dataLength(edit.data);
      const from = Math.max(start, at);
      const until = Math.min(to, at + length);
      if (from < until) {
        const part =
          "bytes" in edit.data
            ? edit.data.bytes.subarray(from - at, until - at)
            : readRuns(this.#volume.db, edit.data.runs, from - at, until - at);
        window.set(part, from - start);
      }
      size = Math.max(size, at + length);
    }
    return window;
  }

  /** As `read`, as much as `into` has room for; how many bytes there were. */
  readInto(into: Uint8Array, inode: Inode, start: number): number {
    if (this.empty) return this.#readerOf(inode).readInto(into, start, start + into.length);
    const bytes = this.read(inode, start, start + into.length);
    into.set(bytes);
    return bytes.length;
  }

  /** Where the pieces of a large file are is read once, as long as the file is the same: by version, which no rollback repeats. */
  #readerOf(inode: Inode): ContentReader {
    const version = this.#volume.versionOf(inode.rev);
    if (
      this.#reader?.version !== version ||
      this.#reader.content !== inode.content ||
      this.#reader.size !== inode.size
    ) {
      const { content, size } = inode;
      this.#reader = { version, content, size, reader: new ContentReader(this.#volume.db, inode) };
    }
    return this.#reader.reader;
  }

  /** A write that starts where the last one ended joins it. */
  #fold(at: number | "end", bytes: Uint8Array): boolean {
    const last = this.#edits.at(-1);
    if (last?.kind !== "write" || !("bytes" in last.data)) return false;
    const follows = last.at === "end" ? at === "end" : at === last.at + last.data.bytes.length;
    if (!follows) return false;
    this.#edits[this.#edits.length - 1] = { ...last, data: { bytes: extend(last.data.bytes, bytes) } };
    return true;
  }

  #spool(): void {
    this.#edits = this.#edits.map((edit) => {
      if (edit.kind !== "write" || !("bytes" in edit.data)) return edit;
      const spool = new Spool(this.#volume);
      const step = this.#volume.limits.rowBytes;
      for (let at = 0; at < edit.data.bytes.length; at += step) spool.push(edit.data.bytes.subarray(at, at + step));
      const spooled = spool.finish("rows");
      return spooled.kind === "rows" ? { ...edit, data: { runs: spooled.runs, spools: spooled.spools } } : edit;
    });
    this.#bytes = 0;
  }
}

/** Room doubles, so that many small writes in a row cost no more than one large one. */
function extend(bytes: Uint8Array, more: Uint8Array): Uint8Array {
  const length = bytes.length + more.length;
  let whole =
    bytes.byteOffset === 0 && bytes.buffer.byteLength >= length ? new Uint8Array(bytes.buffer, 0, length) : null;
  if (whole === null) {
    whole = new Uint8Array(new ArrayBuffer(Math.max(length, bytes.length * 2)), 0, length);
    whole.set(bytes);
  }
  whole.set(more, bytes.length);
  return whole;
}
