/**
 * Resolves and stats a path in one step; returns null if nothing is there. For callers that check a path before every call (the
 * agent tools do) and expect missing files.
 */
import { FsError } from "../../api/errors.ts";
import type { FileStat } from "../../api/file-system.ts";
import { toStats } from "../../node-args/stats.ts";
import { parsePath } from "../../tree/path.ts";
import { tryResolve } from "../../tree/resolve.ts";
import type { Volume } from "../volume.ts";

export interface Lookup {
  /** Without symlinks; for a missing file, where it would be. */
  readonly path: string;
  /** Of the resolved file; null: nothing is there. */
  readonly stat: FileStat | null;
}

/** Null: a parent directory is missing, or symlinks form a loop. Other errors (a name too long) are thrown. */
export function lookupPath(volume: Volume, given: string): Lookup | null {
  const { cache } = volume.ensureOpen();
  const known = cache.paths.followed(given);
  const remembered = known === undefined ? null : cache.inode(known.ino);
  if (known !== undefined && remembered !== null) return { path: known.path, stat: toStats(volume, remembered) };
  try {
    const found = tryResolve(cache, parsePath(given, "lookup"), "lookup", "follow");
    if (found === null) return null;
    const { path, inode } = found;
    if (inode !== null) cache.paths.rememberFollowed(given, inode, path);
    return { path, stat: inode === null ? null : toStats(volume, inode) };
  } catch (error) {
    if (error instanceof FsError && ["ENOENT", "ENOTDIR", "ELOOP"].includes(error.code)) return null;
    throw error;
  }
}
