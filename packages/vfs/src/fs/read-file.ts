/** `readFile`: one statement for a file that fits a row, whatever its depth, once its directory is warm. */

import { FsError, throwIfAborted } from "../api/errors.ts";
import type { FileRead, ReadFileOptions, TextEncodingName } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { isolatePool } from "../cache/memory-pool.ts";
import type { ContentReader } from "../content/reader.ts";
import { decodeText, encodingOf } from "../node-args/encoding.ts";
import { isOffset } from "../node-args/offset.ts";
import { parseFlags } from "../node-args/open-flags.ts";
import type { Inode } from "../tree/inode.ts";
import { type FsContext, type ReadContext, retryStale } from "../volume/context.ts";
import { resolveFile } from "../volume/resolve-file.ts";
import { toStats } from "../volume/to-stats.ts";
import type { ReadView } from "../volume/views.ts";
import { open } from "./open.ts";

/** `writer`: null for a view of the past; a flag may create or truncate the file. */
export async function readFile(
  ctx: ReadContext,
  writer: FsContext | null,
  path: string,
  options?: TextEncodingName | ReadFileOptions | null,
): Promise<Uint8Array | string> {
  const { encoding: named, flag, signal } = optionsOf<ReadFileOptions>("readFile", options, path);
  const encoding = encodingOf(named, "open", path);
  throwIfAborted(signal, "open", path);
  if (flag !== undefined && flag !== null && flag !== "r") return readOpened(ctx, writer, path, flag, encoding);
  const inode = resolveFile(ctx, path);
  // Small files take no lease: most reads need no await at all.
  if (inode.size <= ctx.volume.limits.rowBytes) return textOrBytes(bytesAt(ctx, path, inode), encoding, path);
  using _lease = await leaseFor(ctx, inode, path);
  throwIfAborted(signal, "read", path);
  return textOrBytes(bytesAt(ctx, path), encoding, path);
}

/** If a content is missing, perhaps of a rolled-back transaction, the file is read again in its current state. */
function bytesAt(ctx: ReadContext, path: string, known?: Inode): Uint8Array {
  let inode = known;
  return retryStale(ctx.volume, () => {
    const found = inode ?? resolveFile(ctx, path);
    inode = undefined;
    return readWhole(ctx, found, path);
  });
}

/** With a flag that may create or truncate the file, as a handle would. */
async function readOpened(
  ctx: ReadContext,
  writer: FsContext | null,
  path: string,
  flag: string | number,
  encoding: TextEncodingName | undefined,
): Promise<Uint8Array | string> {
  // Checked before truncating a file that could not be read afterwards.
  if (!parseFlags(flag, path).read) throw new FsError("EBADF", { syscall: "read", path });
  await using file = await open(ctx, writer, path, flag);
  return encoding === undefined ? await file.readFile() : await file.readFile(encoding);
}

function textOrBytes(bytes: Uint8Array, encoding: TextEncodingName | undefined, path: string): Uint8Array | string {
  return encoding === undefined ? bytes : decodeText(bytes, encoding, "read", path);
}

export async function read(ctx: ReadContext, path: string): Promise<FileRead> {
  using _lease = await leaseFor(ctx, resolveFile(ctx, path), path);
  return retryStale(ctx.volume, () => {
    const inode = resolveFile(ctx, path);
    const stat = toStats(ctx.volume, inode);
    return { content: readWhole(ctx, inode, path), version: stat.version, stat };
  });
}

export async function readRange(ctx: ReadContext, path: string, start: number, length: number): Promise<Uint8Array> {
  if (!isOffset(start) || !isOffset(length))
    throw new FsError("EINVAL", { syscall: "read", path, reason: "not a range" });
  if (length > ctx.volume.limits.readFileBytes) throw tooLarge(path);
  return retryStale(ctx.volume, () => readerOf(ctx.volume, resolveFile(ctx, path)).read(start, start + length));
}

function readerOf(volume: ReadView, inode: Inode): ContentReader {
  if (inode.content >= 0) return volume.contents.reader(inode);
  return volume.contents.readerOfVersion(volume.revisions.format(inode.rev), inode);
}

/** The bytes are assembled whole, and briefly exist twice: as rows and as the result. */
function leaseFor({ volume }: ReadContext, inode: Inode, path: string): Promise<Disposable> {
  if (inode.size > volume.limits.readFileBytes) throw tooLarge(path);
  return isolatePool.lease(inode.size);
}

function readWhole({ volume }: ReadContext, inode: Inode, path: string): Uint8Array {
  if (inode.size > volume.limits.readFileBytes) throw tooLarge(path);
  return volume.contents.reader(inode).read();
}

function tooLarge(path: string): FsError {
  return new FsError("EFBIG", { syscall: "read", path, reason: "file too large to hold in memory; use readStream" });
}
