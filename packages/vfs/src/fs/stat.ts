/** `stat`, `lstat`, `access`, `exists`, `realpath`, `readlink`: answered from memory when the directory is warm. */

import { FsError } from "../api/errors.ts";
import type { FileStat, NameEncoding, StatOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { resolveFollowing } from "../cache/resolve-following.ts";
import { isFile, isSymlink } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { resolveExisting } from "../tree/resolve.ts";
import { tryResolve } from "../tree/try-resolve.ts";
import type { ReadContext } from "../volume/context.ts";
import { toStats } from "../volume/to-stats.ts";

export async function stat({ volume }: ReadContext, path: string, options?: StatOptions): Promise<FileStat> {
  optionsOf("stat", options, path);
  return toStats(volume, resolveFollowing(volume.ensureOpen().cache, path, "stat"));
}

export async function lstat({ volume }: ReadContext, path: string, options?: StatOptions): Promise<FileStat> {
  optionsOf("lstat", options, path);
  return toStats(volume, resolveExisting(volume.ensureOpen().cache, parsePath(path, "lstat"), "lstat", "itself").inode);
}

const X_OK = 1;

export async function access({ volume }: ReadContext, path: string, mode = 0): Promise<void> {
  if (!Number.isInteger(mode) || mode < 0 || mode > 7)
    throw new FsError("EINVAL", { syscall: "access", path, reason: "not an access mode" });
  const { inode } = resolveExisting(volume.ensureOpen().cache, parsePath(path, "access"), "access", "follow");
  // As for root: reading and writing are always allowed; executing requires at least one execute bit.
  if ((mode & X_OK) !== 0 && isFile(inode) && (inode.mode & 0o111) === 0)
    throw new FsError("EACCES", { syscall: "access", path });
}

export async function exists({ volume }: ReadContext, path: string): Promise<boolean> {
  volume.ensureOpen();
  try {
    return (tryResolve(volume.cache, path, "access", "follow")?.inode ?? null) !== null;
  } catch (error) {
    if (error instanceof FsError && error.code === "EINVAL") return false;
    throw error;
  }
}

export async function realpath({ volume }: ReadContext, path: string, options?: NameEncoding): Promise<string> {
  optionsOf("realpath", options, path);
  return resolveExisting(volume.ensureOpen().cache, parsePath(path, "realpath"), "realpath", "follow").path;
}

export async function readlink({ volume }: ReadContext, path: string, options?: NameEncoding): Promise<string> {
  optionsOf("readlink", options, path);
  const { inode } = resolveExisting(volume.ensureOpen().cache, parsePath(path, "readlink"), "readlink", "itself");
  if (!isSymlink(inode)) throw new FsError("EINVAL", { syscall: "readlink", path });
  return inode.target ?? "";
}
