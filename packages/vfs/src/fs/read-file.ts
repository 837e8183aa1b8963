/** `readFile`: one statement for a file that fits a row, whatever its depth, once its directory is warm. */
import { ContentReader } from "../content/reader.ts";
import type { FsContext } from "../context.ts";
import { decodeText, encodingOf } from "../encoding.ts";
import { FsError } from "../errors.ts";
import type { FileRead, TextEncodingName } from "../filesystem.ts";
import { type Inode, isDirectory } from "../inode.ts";
import { isolatePool } from "../memory-pool.ts";
import { isOffset } from "../offset.ts";
import { followPath } from "../resolve.ts";
import { statOf } from "../stats.ts";
import type { Volume } from "../volume.ts";

type ReadOptions = TextEncodingName | { encoding?: TextEncodingName | null } | null;

export async function readFile(ctx: FsContext, path: string, options?: ReadOptions): Promise<Uint8Array | string> {
  const encoding = encodingOf(options, "open", path);
  const inode = fileAt(ctx, path);
  // Small files take no lease: most reads need no await at all.
  if (inode.size <= ctx.volume.limits.rowBytes) return textOrBytes(bytesOf(ctx, inode, path), encoding, path);
  using _lease = await leaseFor(ctx, inode, path);
  return textOrBytes(bytesOf(ctx, fileAt(ctx, path), path), encoding, path);
}

function textOrBytes(bytes: Uint8Array, encoding: TextEncodingName | undefined, path: string): Uint8Array | string {
  return encoding === undefined ? bytes : decodeText(bytes, encoding, "read", path);
}

export async function read(ctx: FsContext, path: string): Promise<FileRead> {
  using _lease = await leaseFor(ctx, fileAt(ctx, path), path);
  const inode = fileAt(ctx, path);
  const stat = statOf(ctx.volume, inode);
  return { content: bytesOf(ctx, inode, path), version: stat.version, stat };
}

export async function readRange(ctx: FsContext, path: string, start: number, length: number): Promise<Uint8Array> {
  if (!isOffset(start) || !isOffset(length))
    throw new FsError("EINVAL", { syscall: "read", path, reason: "not a range" });
  if (length > ctx.volume.limits.readFileBytes) throw tooLarge(path);
  return readerOf(ctx.volume, fileAt(ctx, path)).read(start, start + length);
}

interface RecentReader {
  readonly version: string;
  readonly content: number;
  readonly size: number;
  readonly reader: ContentReader;
}

/** Large files read by range last: where the pieces of one are is read once, and not again for every part of it. */
const recentReaders = new WeakMap<Volume, RecentReader[]>();
const RECENT_READERS = 4;

/** By version, which no rollback repeats. */
function readerOf(volume: Volume, { rev, content, size }: Inode): ContentReader {
  if (content >= 0) return new ContentReader(volume.db, { content, size });
  const version = volume.versionOf(rev);
  const recent = recentReaders.get(volume) ?? [];
  const same = recent.find((one) => one.version === version && one.content === content && one.size === size);
  if (same !== undefined) return same.reader;
  const reader = new ContentReader(volume.db, { content, size });
  recentReaders.set(volume, [{ version, content, size, reader }, ...recent.slice(0, RECENT_READERS - 1)]);
  return reader;
}

/** Bytes are built whole, and for a moment twice: as rows and as the result. */
function leaseFor({ volume }: FsContext, inode: Inode, path: string): Promise<Disposable> {
  if (inode.size > volume.limits.readFileBytes) throw tooLarge(path);
  return isolatePool.lease(inode.size);
}

/** The file that a path leads to; a directory cannot be read. */
export function fileAt(ctx: FsContext, path: string): Inode {
  const inode = followPath(ctx.volume.open().cache, path, "open");
  if (isDirectory(inode)) throw new FsError("EISDIR", { syscall: "read", path });
  return inode;
}

function bytesOf({ volume }: FsContext, inode: Inode, path: string): Uint8Array {
  if (inode.size > volume.limits.readFileBytes) throw tooLarge(path);
  return new ContentReader(volume.db, inode).read();
}

function tooLarge(path: string): FsError {
  return new FsError("EFBIG", { syscall: "read", path, reason: "file too large to hold in memory; use readStream" });
}
