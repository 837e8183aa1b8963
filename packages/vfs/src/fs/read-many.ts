/** `readMany`: the small files among the paths in one statement, the others one by one. */

import { FsError } from "../api/errors.ts";
import { copyBytes } from "../store/owned-bytes.ts";
import type { Inode } from "../tree/inode.ts";
import { type ReadContext, retryStale } from "../volume/context.ts";
import { findFile } from "../volume/resolve-file.ts";

const ROWS_PER_READ = 500;
const BYTES_PER_READ = 8 * 1024 * 1024;

export async function readMany(ctx: ReadContext, paths: readonly string[]): Promise<(Uint8Array | null)[]> {
  return retryStale(ctx.volume, () => readAll(ctx, paths));
}

function readAll(ctx: ReadContext, paths: readonly string[]): (Uint8Array | null)[] {
  const { volume } = ctx;
  const { cache, limits } = volume.ensureOpen();
  const inodes = paths.map((path) => findFile(ctx, path));
  const total = inodes.reduce((sum, inode) => sum + (inode?.size ?? 0), 0);
  if (total > limits.readFileBytes)
    throw new FsError("EFBIG", { syscall: "read", reason: "files too large together; read fewer at a time" });
  const rows = new Map<number, Uint8Array>();
  for (const ids of batches(inodes)) for (const [id, bytes] of volume.contents.rows(ids)) rows.set(id, bytes);
  cache.evict();
  const handedOut = new Set<Uint8Array>();
  return inodes.map((inode) => {
    if (inode === null) return null;
    const row = inode.content > 0 ? rows.get(inode.content) : undefined;
    if (row === undefined) return volume.contents.reader(inode).read();
    const bytes = row.subarray(0, inode.size);
    // Two paths may share one row; each gets its own bytes.
    const isFirst = !handedOut.has(row);
    handedOut.add(row);
    return isFirst ? bytes : copyBytes(bytes);
  });
}

function* batches(inodes: readonly (Inode | null)[]): Generator<number[]> {
  let ids: number[] = [];
  let bytes = 0;
  for (const inode of inodes) {
    if (inode === null || inode.content <= 0) continue;
    ids.push(inode.content);
    bytes += inode.size;
    if (ids.length === ROWS_PER_READ || bytes >= BYTES_PER_READ) {
      yield ids;
      ids = [];
      bytes = 0;
    }
  }
  if (ids.length > 0) yield ids;
}
