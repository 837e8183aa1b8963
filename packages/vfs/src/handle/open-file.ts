/**
 * `FileHandle`: an inode held open. It outlives the name; what is written through it is gathered and becomes visible in one
 * transaction at `sync` or `close`, replayed on whatever the file then holds, as late writes of a POSIX process would be.
 */
import { applyEdits } from "../content/rewrite.ts";
import { type FsContext, mutate } from "../context.ts";
import { decodeText, encodeText, encodingOf } from "../encoding.ts";
import { FsError } from "../errors.ts";
import type { FileHandle, FileStat, TextEncodingName, Time } from "../filesystem.ts";
import type { OpenFlags } from "../flags.ts";
import { type Inode, isDirectory, S_IFMT } from "../inode.ts";
import { modeOf } from "../mode.ts";
import { GrowthLost } from "../mutation/growth-lost.ts";
import type { Slot } from "../mutation/slot.ts";
import { isOffset } from "../offset.ts";
import { statOf } from "../stats.ts";
import { timestampOf } from "../time.ts";
import { pin } from "../volume.ts";
import { currentSlot } from "./current-slot.ts";
import { PendingEdits } from "./pending-edits.ts";

/** Edits gathered before they are committed whether the caller asked or not: each keeps some memory. */
const MAX_EDITS = 4096;

export class OpenFile implements FileHandle {
  readonly #ctx: FsContext;
  readonly #path: string;
  readonly #ino: number;
  readonly #flags: OpenFlags;
  readonly #pending: PendingEdits;
  readonly #held: Disposable;
  /** Where it was last seen, without links. */
  #lastPath: string;
  #position = 0;
  /** With `ifVersion` at open: the revision that the file must still have when this handle commits. */
  #guard: number | undefined;
  /** Mode and time of a file that has no name any more: nobody else can see them. */
  #nameless: { mode?: number; mtime?: number } | undefined;
  #closed = false;

  constructor(ctx: FsContext, path: string, inode: Inode, slot: Slot, flags: OpenFlags, guarded = false) {
    this.#ctx = ctx;
    this.#path = path;
    this.#ino = inode.ino;
    this.#flags = flags;
    this.#lastPath = slot.path;
    if (guarded) this.#guard = inode.rev;
    this.#pending = new PendingEdits(ctx.volume);
    this.#held = pin(ctx.volume.pinnedInodes, inode.ino);
    ctx.volume.openHandles++;
    // With the writes, so that a writer that dies in between has not destroyed what was there.
    if (flags.truncate && inode.size > 0) this.#pending.truncate(0);
  }

  async read(buffer: Uint8Array, offset = 0, length = buffer.byteLength - offset, position: number | null = null) {
    if (length === 0 && !this.#closed) return { bytesRead: 0, buffer };
    const inode = this.#readable("read");
    if (!isOffset(offset) || !isOffset(length) || offset + length > buffer.byteLength)
      throw this.#error("EINVAL", "read", "not a range of the buffer");
    const at = this.#at(position, "read");
    const into = new Uint8Array(buffer.buffer, buffer.byteOffset + offset, length);
    const bytesRead = this.#pending.readInto(into, inode, at);
    if (position === null || position === undefined) this.#position = at + bytesRead;
    return { bytesRead, buffer };
  }

  async write(
    data: Uint8Array | string,
    offset: number | null = null,
    length?: number | string | null,
    position: number | null = null,
  ) {
    if (typeof data !== "string" && data.byteLength === 0 && !this.#closed) return { bytesWritten: 0 };
    this.#writable("write");
    // Node: write(string, position, encoding) and write(buffer, offset, length, position).
    const text = typeof data === "string";
    const bytes = text
      ? encodeText(
          data,
          (typeof length === "string" ? length : undefined) as TextEncodingName | undefined,
          "write",
          this.#path,
        )
      : this.#part(data, offset ?? 0, length as number | undefined);
    const given = text ? offset : position;
    const at = this.#flags.append ? "end" : this.#at(given, "write");
    this.#pending.write(at, bytes);
    if (given === null || given === undefined)
      this.#position = at === "end" ? this.#pending.sizeAfter(this.#inode("write").size) : at + bytes.length;
    if (this.#pending.count >= MAX_EDITS) this.#commit();
    return { bytesWritten: bytes.length };
  }

  async readFile(options?: TextEncodingName | { encoding?: TextEncodingName | null } | null): Promise<never> {
    const encoding = encodingOf(options, "read", this.#path);
    if (this.#closed) throw this.#error("EBADF", "readFile");
    const inode = this.#readable("read");
    const size = this.#pending.sizeAfter(inode.size);
    if (size - this.#position > this.#ctx.volume.limits.readFileBytes)
      throw this.#error("EFBIG", "read", "file too large to hold in memory; read it in parts");
    const bytes = this.#pending.read(inode, this.#position, size);
    this.#position = Math.max(this.#position, size);
    return (encoding === undefined ? bytes : decodeText(bytes, encoding, "read", this.#path)) as never;
  }

  async writeFile(content: string | Uint8Array): Promise<void> {
    if (this.#closed) throw this.#error("EBADF", "writeFile");
    await this.write(content);
  }

  async appendFile(content: string | Uint8Array): Promise<void> {
    await this.writeFile(content);
  }

  async truncate(length = 0): Promise<void> {
    this.#writable("ftruncate", "EINVAL");
    const bytes = Math.max(0, length);
    if (!isOffset(bytes)) throw this.#error("EINVAL", "ftruncate", "not a length");
    if (bytes > this.#ctx.volume.limits.fileBytes) throw this.#error("EFBIG", "ftruncate");
    this.#pending.truncate(bytes);
  }

  async stat(): Promise<FileStat> {
    const inode = this.#inode("fstat");
    return statOf(this.#ctx.volume, { ...inode, size: this.#pending.sizeAfter(inode.size) });
  }

  async chmod(mode: number): Promise<void> {
    const bits = modeOf(mode, 0, "fchmod", this.#path);
    this.#setAttributes("fchmod", (inode) => ({ mode: (inode.mode & S_IFMT) | bits }));
  }

  async utimes(_atime: Time, mtime: Time): Promise<void> {
    const micros = timestampOf(mtime, this.#ctx.volume.now(), "futime", this.#path);
    if (!this.#closed) this.#commit();
    this.#setAttributes("futimes", () => ({ mtime: micros }));
  }

  async sync(): Promise<void> {
    this.#inode("fsync");
    this.#commit();
  }

  async datasync(): Promise<void> {
    this.#inode("fdatasync");
    this.#commit();
  }

  async close(): Promise<void> {
    // Closing twice is harmless, as in Node.
    if (this.#closed) return;
    try {
      this.#commit();
    } finally {
      this.#release();
    }
  }

  /** Lets go without committing: for a host whose client is gone. */
  [Symbol.dispose](): void {
    if (this.#closed) return;
    this.#pending.abandon();
    this.#release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#closed) await this.close();
  }

  #release(): void {
    this.#closed = true;
    this.#held[Symbol.dispose]();
    this.#ctx.volume.openHandles--;
  }

  #commit(): void {
    if (this.#pending.empty) return;
    const { edits } = this.#pending;
    const inode = this.#inode("fsync");
    const slot = this.#currentSlot(inode);
    // A file without a name is seen through this handle only: its edits need not be kept.
    if (slot === null) return;
    if (this.#guard !== undefined && this.#guard !== inode.rev) {
      throw new FsError("ESTALE", { syscall: "fsync", path: this.#path });
    }
    const plan = (growInPlace: boolean) =>
      mutate(this.#ctx, (mutation) => {
        const written = mutation.replaceContent(slot, inode, applyEdits(mutation, inode, edits, growInPlace));
        if (this.#guard !== undefined) this.#guard = written.rev;
      });
    try {
      plan(true);
    } catch (error) {
      if (!(error instanceof GrowthLost)) throw error;
      plan(false);
    }
    this.#pending.clear();
  }

  #setAttributes(syscall: string, next: (inode: Inode) => { mode?: number; mtime?: number }): void {
    const inode = this.#inode(syscall);
    const slot = this.#currentSlot(inode);
    if (slot === null) this.#nameless = { ...this.#nameless, ...next(inode) };
    else mutate(this.#ctx, (mutation) => mutation.setAttributes(slot, inode, next(inode)));
  }

  #currentSlot(inode: Inode): Slot | null {
    const slot = currentSlot(this.#ctx.volume, inode, this.#lastPath);
    if (slot !== null) this.#lastPath = slot.path;
    return slot;
  }

  #inode(syscall: string): Inode {
    if (this.#closed) throw this.#error("EBADF", syscall);
    const inode = this.#ctx.volume.open().cache.inode(this.#ino);
    if (inode === null) {
      throw this.#error("EIO", syscall, "an enclosing transaction took back the file this handle was opened on");
    }
    return this.#nameless === undefined ? inode : { ...inode, ...this.#nameless };
  }

  #readable(syscall: string): Inode {
    const inode = this.#inode(syscall);
    if (!this.#flags.read) throw this.#error("EBADF", syscall);
    if (isDirectory(inode)) throw this.#error("EISDIR", syscall);
    return inode;
  }

  #writable(syscall: string, code: "EBADF" | "EINVAL" = "EBADF"): void {
    this.#inode(syscall);
    if (!this.#flags.write) throw this.#error(code, syscall);
  }

  #at(position: number | null | undefined, syscall: string): number {
    if (position === null || position === undefined || position === -1) return this.#position;
    if (!isOffset(position)) throw this.#error("EINVAL", syscall, "not a position");
    return position;
  }

  #part(data: Uint8Array, offset: number, length: number | undefined): Uint8Array {
    const bytes = ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : null;
    const count = length ?? (bytes?.length ?? 0) - offset;
    if (bytes === null || !isOffset(offset) || !isOffset(count) || offset + count > bytes.length) {
      throw this.#error("EINVAL", "write", "not a range of the buffer");
    }
    return bytes.subarray(offset, offset + count);
  }

  #error(code: "EBADF" | "EINVAL" | "EIO" | "EFBIG" | "EISDIR", syscall: string, reason?: string): FsError {
    return new FsError(code, { syscall, ...(reason === undefined ? {} : { reason }) });
  }
}
