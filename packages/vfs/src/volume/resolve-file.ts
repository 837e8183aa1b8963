/** Resolves a path to a file, for verbs that read bytes. */
import { FsError } from "../api/errors.ts";
import { resolveFollowing } from "../cache/resolve-following.ts";
import { type Inode, isDirectory, isFile } from "../tree/inode.ts";
import { tryResolve } from "../tree/try-resolve.ts";
import type { ReadContext } from "./context.ts";

/** Resolves a path to a file; a directory cannot be read. */
export function resolveFile(ctx: ReadContext, path: string): Inode {
  const inode = resolveFollowing(ctx.volume.ensureOpen().cache, path, "open");
  if (isDirectory(inode)) throw new FsError("EISDIR", { syscall: "read", path });
  return inode;
}

/** Resolves a path to a file; null: none. */
export function findFile({ volume }: ReadContext, path: string): Inode | null {
  const inode = tryResolve(volume.cache, path, "open", "follow")?.inode ?? null;
  return inode !== null && isFile(inode) ? inode : null;
}
