/** Resolves a path whose last symlink is followed: the form that verbs repeat most, so the cache holds the result by path text. */
import type { Inode } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { resolveExisting } from "../tree/resolve.ts";
import type { MetadataView } from "./metadata-cache.ts";

/** The inode that a path resolves to, from the cache alone if it was resolved before. */
export function resolveFollowing(cache: MetadataView, given: string, syscall: string): Inode {
  const known = cache.paths.followed(given);
  const remembered = known === undefined ? null : cache.inode(known.ino);
  if (remembered !== null) return remembered;
  const { inode, path } = resolveExisting(cache, parsePath(given, syscall), syscall, "follow");
  cache.paths.rememberFollowed(given, inode, path);
  return inode;
}
