/**
 * `FileHandle`: an inode held open. It outlives the name. Writes are buffered and become visible in one transaction at `sync` or
 * `close`, replayed on the file's content at that time, as late writes of a POSIX process would be.
 */

import { FsError } from "../api/errors.ts";
import type { FileStat, Mode, Time, Version } from "../api/file-system.ts";
import { applyEdits, type Edit } from "../content/apply-edits.ts";
import { pin } from "../content/pin.ts";
import { AppendConflict } from "../mutation/append-conflict.ts";
import type { Dentry } from "../mutation/dentry.ts";
import { parseMode } from "../node-args/mode.ts";
import { isOffset } from "../node-args/offset.ts";
import type { OpenFlags } from "../node-args/open-flags.ts";
import { timestampOf } from "../node-args/time.ts";
import { type Inode, isDirectory, S_IFMT } from "../tree/inode.ts";
import { type FsContext, mutateOnce, type ReadContext, retryStale } from "../volume/context.ts";
import { readOnly } from "../volume/read-only.ts";
import { toStats } from "../volume/to-stats.ts";
import { HandleCalls, type Position } from "./handle-calls.ts";
import { type Attributes, OpenInode } from "./open-inode.ts";
import { WriteBuffer } from "./write-buffer.ts";

export class OpenFile extends HandleCalls {
  readonly #ctx: ReadContext;
  /** Null: a view of the past. */
  readonly #writer: FsContext | null;
  protected readonly path: string;
  readonly #ino: number;
  readonly #flags: OpenFlags;
  readonly #pending: WriteBuffer;
  readonly #shared: OpenInode;
  readonly #held: Disposable;
  #position = 0;
  /** With `ifVersion` at open: the version that the file must still have when this handle commits. */
  #guard: Version | undefined;
  #closed = false;

  constructor(
    ctx: ReadContext,
    writer: FsContext | null,
    path: string,
    inode: Inode,
    slot: Dentry,
    flags: OpenFlags,
    guarded = false,
  ) {
    super();
    this.#ctx = ctx;
    this.#writer = writer;
    this.path = path;
    this.#ino = inode.ino;
    this.#flags = flags;
    if (guarded) this.#guard = ctx.volume.revisions.format(inode.rev);
    this.#shared = OpenInode.hold(ctx.volume, inode.ino, slot);
    this.#pending = new WriteBuffer(ctx.volume, this.#shared.unlinked);
    this.#held = pin(ctx.volume.store.pinnedInodes, inode.ino);
    ctx.volume.store.openHandles++;
    // Committed together with the writes, so that a writer that dies in between has not destroyed the old content.
    if (flags.truncate && inode.size > 0) this.#pending.truncate(0);
  }

  protected async readBytes(into: Uint8Array, position: Position): Promise<number> {
    if (into.length === 0 && !this.#closed) return 0;
    const at = position ?? this.#position;
    const bytesRead = retryStale(this.#ctx.volume, () => this.#pending.readInto(into, this.#readable("read"), at));
    if (position === null) this.#position = at + bytesRead;
    return bytesRead;
  }

  protected async writeBytes(bytes: Uint8Array, position: Position): Promise<void> {
    if (bytes.length === 0 && !this.#closed) return;
    this.#writable("write");
    const at = this.#flags.append ? "end" : (position ?? this.#position);
    this.#pending.write(at, bytes);
    if (position === null)
      this.#position = at === "end" ? this.#pending.sizeAfter(this.#inode("write").size) : at + bytes.length;
    if (this.#pending.full) this.#commit();
  }

  protected async readRest(): Promise<Uint8Array> {
    return retryStale(this.#ctx.volume, () => this.#readRestOnce());
  }

  #readRestOnce(): Uint8Array {
    const inode = this.#readable("read");
    const size = this.#pending.sizeAfter(inode.size);
    if (size - this.#position > this.#ctx.volume.limits.readFileBytes)
      throw this.#error("EFBIG", "read", "file too large to hold in memory; read it in parts");
    const bytes = this.#pending.read(inode, this.#position, size);
    this.#position = Math.max(this.#position, size);
    return bytes;
  }

  async truncate(length = 0): Promise<void> {
    this.#writable("ftruncate", "EINVAL");
    const bytes = Math.max(0, length);
    if (!isOffset(bytes)) throw this.#error("EINVAL", "ftruncate", "not a length");
    if (bytes > this.#ctx.volume.limits.fileBytes) throw this.#error("EFBIG", "ftruncate");
    this.#pending.truncate(bytes);
  }

  protected async readStat(): Promise<FileStat> {
    const inode = this.#inode("fstat");
    const { volume } = this.#ctx;
    // A file's last name still counts while the tree that it is in is removed but not collected.
    const nlink = inode.nlink === 1 && this.#writer !== null && this.#shared.slot(inode) === null ? 0 : inode.nlink;
    const size = this.#pending.sizeAfter(inode.size);
    return toStats(volume, { ...inode, nlink, size, ...this.#shared.unlinkedAttributes });
  }

  async chmod(mode: Mode): Promise<void> {
    const bits = parseMode(mode, 0, "fchmod", this.path);
    this.#setAttributes("fchmod", (inode) => ({ mode: (inode.mode & S_IFMT) | bits }));
  }

  async utimes(_atime: Time, mtime: Time): Promise<void> {
    const micros = timestampOf(mtime, this.#ctx.volume.store.now(), "futime", this.path);
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

  /** Closes without committing: for a host whose client is gone. */
  [Symbol.dispose](): void {
    if (!this.#closed) this.#release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#closed) await this.close();
  }

  #release(): void {
    this.#closed = true;
    // Discards edits that were not or could not be committed.
    this.#pending.discard();
    this.#shared.close();
    this.#held[Symbol.dispose]();
    this.#ctx.volume.store.openHandles--;
  }

  #commit(): void {
    retryStale(this.#ctx.volume, () => this.#commitOnce());
  }

  #commitOnce(): void {
    const { unlinked, unlinkedAttributes } = this.#shared;
    if (this.#pending.empty && unlinked.empty && isEmpty(unlinkedAttributes)) return;
    const inode = this.#inode("fsync");
    const slot = this.#shared.slot(inode);
    const stale =
      this.#guard !== undefined && (slot === null || this.#guard !== this.#ctx.volume.revisions.format(inode.rev));
    if (stale && !this.#pending.empty) throw new FsError("ESTALE", { syscall: "fsync", path: this.path });
    if (slot === null) {
      // Without a name the file is visible through its handles only, and is freed with the last of them.
      if (this.#pending.empty) return;
      unlinked.saveForRollback();
      unlinked.take(this.#pending, inode);
      this.#shared.unlinkedAttributes = { ...unlinkedAttributes, mtime: this.#ctx.volume.store.now() };
      return;
    }
    this.#write(this.#requireWriter("fsync"), slot, inode, [...unlinked.edits, ...this.#pending.edits]);
    this.#pending.discard();
    unlinked.saveForRollback();
    unlinked.discard();
    this.#shared.unlinkedAttributes = {};
  }

  #write(writer: FsContext, slot: Dentry, inode: Inode, edits: readonly Edit[]): void {
    const { unlinkedAttributes } = this.#shared;
    const plan = (growInPlace: boolean) =>
      mutateOnce(writer, (mutation) => {
        let written = inode;
        if (edits.length > 0)
          written = mutation.replaceContent(slot, written, applyEdits(mutation, written, edits, growInPlace));
        if (!isEmpty(unlinkedAttributes)) written = mutation.setAttributes(slot, written, unlinkedAttributes);
        return written.rev;
      });
    let rev: number;
    try {
      rev = plan(true);
    } catch (error) {
      if (!(error instanceof AppendConflict)) throw error;
      rev = plan(false);
    }
    const guard = this.#guard;
    if (guard === undefined) return;
    this.#guard = this.#ctx.volume.revisions.format(rev);
    this.#ctx.volume.store.db.onRollback(() => (this.#guard = guard));
  }

  #setAttributes(syscall: string, next: (inode: Inode) => Attributes): void {
    const writer = this.#requireWriter(syscall);
    retryStale(writer.volume, () => {
      const inode = this.#inode(syscall);
      const attributes = { ...this.#shared.unlinkedAttributes, ...next(inode) };
      const slot = this.#shared.slot(inode);
      if (slot !== null) mutateOnce(writer, (mutation) => mutation.setAttributes(slot, inode, attributes));
      this.#shared.unlinkedAttributes = slot === null ? attributes : {};
    });
  }

  #requireWriter(syscall: string): FsContext {
    if (this.#writer === null) throw readOnly(syscall, this.path);
    return this.#writer;
  }

  #inode(syscall: string): Inode {
    if (this.#closed) throw this.#error("EBADF", syscall);
    const inode = this.#ctx.volume.ensureOpen().cache.inode(this.#ino);
    if (inode === null || this.#shared.isLost) {
      throw this.#error("EIO", syscall, "an enclosing transaction took back the file this handle was opened on");
    }
    return inode;
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

  protected checkOpen(syscall: string): void {
    if (this.#closed) throw this.#error("EBADF", syscall);
  }

  #error(code: "EBADF" | "EINVAL" | "EIO" | "EFBIG" | "EISDIR", syscall: string, reason?: string): FsError {
    return new FsError(code, { syscall, ...(reason === undefined ? {} : { reason }) });
  }
}

function isEmpty({ mode, mtime }: Attributes): boolean {
  return mode === undefined && mtime === undefined;
}
