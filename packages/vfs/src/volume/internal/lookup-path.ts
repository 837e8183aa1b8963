/** Looks up a path synchronously, following symlinks; resolved paths are cached. */
import type { FileStat } from "../../api/file-system.ts";
import { tryResolve } from "../../tree/try-resolve.ts";
import { toStats } from "../to-stats.ts";
import type { ReadView } from "../views.ts";

export interface Lookup {
  /** Without symlinks; for a missing file, where it would be. */
  readonly path: string;
  /** Of the resolved file; null: nothing is there. */
  readonly stat: FileStat | null;
}

/** Null: a parent directory is missing or a name too long, or symlinks form a loop. */
export function lookupPath(volume: ReadView, given: string): Lookup | null {
  const { cache } = volume.ensureOpen();
  const known = cache.paths.followed(given);
  const remembered = known === undefined ? null : cache.inode(known.ino);
  if (known !== undefined && remembered !== null) return { path: known.path, stat: toStats(volume, remembered) };
  const found = tryResolve(cache, given, "lookup", "follow");
  if (found === null) return null;
  const { path, inode } = found;
  if (inode !== null) cache.paths.rememberFollowed(given, inode, path);
  return { path, stat: inode === null ? null : toStats(volume, inode) };
}
