/** `readFile`: one statement for a file that fits a row, whatever its depth, once its directory is warm. */

import { FsError, throwIfAborted } from "../api/errors.ts";
import type { FileRead, ReadFileOptions, TextEncodingName } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { isolatePool } from "../cache/memory-pool.ts";
import { ContentReader } from "../content/reader.ts";
import { decodeText, encodingOf } from "../node-args/encoding.ts";
import { isOffset } from "../node-args/offset.ts";
import { parseFlags } from "../node-args/open-flags.ts";
import type { Inode } from "../tree/inode.ts";
import { type FsContext, retryStale } from "../volume/context.ts";
import { resolveFile } from "../volume/resolve-file.ts";
import { toStats } from "../volume/to-stats.ts";
import type { Volume } from "../volume/volume.ts";
import { open } from "./open.ts";

export async function readFile(
  ctx: FsContext,
  path: string,
  options?: TextEncodingName | ReadFileOptions | null,
): Promise<Uint8Array | string> {
  const { encoding: named, flag, signal } = optionsOf<ReadFileOptions>("readFile", options, path);
  const encoding = encodingOf(named, "open", path);
  throwIfAborted(signal, "open", path);
  if (flag !== undefined && flag !== null && flag !== "r") return readOpened(ctx, path, flag, encoding);
  const inode = resolveFile(ctx, path);
  // Small files take no lease: most reads need no await at all.
  if (inode.size <= ctx.volume.limits.rowBytes) return textOrBytes(bytesAt(ctx, path, inode), encoding, path);
  using _lease = await leaseFor(ctx, inode, path);
  throwIfAborted(signal, "read", path);
  return textOrBytes(bytesAt(ctx, path), encoding, path);
}

/** If a content is missing, perhaps of a rolled-back transaction, the file is read again in its current state. */
function bytesAt(ctx: FsContext, path: string, known?: Inode): Uint8Array {
  let inode = known;
  return retryStale(ctx.volume, () => {
    const found = inode ?? resolveFile(ctx, path);
    inode = undefined;
    return readWhole(ctx, found, path);
  });
}

/** With a flag that may create or truncate the file, as a handle would. */
async function readOpened(
  ctx: FsContext,
  path: string,
  flag: string | number,
  encoding: TextEncodingName | undefined,
): Promise<Uint8Array | string> {
  // Checked before truncating a file that could not be read afterwards.
  if (!parseFlags(flag, path).read) throw new FsError("EBADF", { syscall: "read", path });
  await using file = await open(ctx, path, flag);
  return encoding === undefined ? await file.readFile() : await file.readFile(encoding);
}

function textOrBytes(bytes: Uint8Array, encoding: TextEncodingName | undefined, path: string): Uint8Array | string {
  return encoding === undefined ? bytes : decodeText(bytes, encoding, "read", path);
}

export async function read(ctx: FsContext, path: string): Promise<FileRead> {
  using _lease = await leaseFor(ctx, resolveFile(ctx, path), path);
  return retryStale(ctx.volume, () => {
    const inode = resolveFile(ctx, path);
    const stat = toStats(ctx.volume, inode);
    return { content: readWhole(ctx, inode, path), version: stat.version, stat };
  });
}

export async function readRange(ctx: FsContext, path: string, start: number, length: number): Promise<Uint8Array> {
  if (!isOffset(start) || !isOffset(length))
    throw new FsError("EINVAL", { syscall: "read", path, reason: "not a range" });
  if (length > ctx.volume.limits.readFileBytes) throw tooLarge(path);
  return retryStale(ctx.volume, () => readerOf(ctx.volume, resolveFile(ctx, path)).read(start, start + length));
}

interface RecentReader {
  readonly version: string;
  readonly content: number;
  readonly size: number;
  readonly reader: ContentReader;
}

/** The large files last read by range: their extents are read once, not again for every part. */
const recentReaders = new WeakMap<Volume, RecentReader[]>();
const RECENT_READERS = 4;

/** Keyed by version, which no rollback repeats. */
function readerOf(volume: Volume, { rev, content, size }: Inode): ContentReader {
  if (content >= 0) return new ContentReader(volume.db, { content, size });
  const version = volume.formatVersion(rev);
  const recent = recentReaders.get(volume) ?? [];
  const same = recent.find((one) => one.version === version && one.content === content && one.size === size);
  if (same !== undefined) return same.reader;
  const reader = new ContentReader(volume.db, { content, size });
  recentReaders.set(volume, [{ version, content, size, reader }, ...recent.slice(0, RECENT_READERS - 1)]);
  return reader;
}

/** The bytes are assembled whole, and briefly exist twice: as rows and as the result. */
function leaseFor({ volume }: FsContext, inode: Inode, path: string): Promise<Disposable> {
  if (inode.size > volume.limits.readFileBytes) throw tooLarge(path);
  return isolatePool.lease(inode.size);
}

function readWhole({ volume }: FsContext, inode: Inode, path: string): Uint8Array {
  if (inode.size > volume.limits.readFileBytes) throw tooLarge(path);
  return new ContentReader(volume.db, inode).read();
}

function tooLarge(path: string): FsError {
  return new FsError("EFBIG", { syscall: "read", path, reason: "file too large to hold in memory; use readStream" });
}
