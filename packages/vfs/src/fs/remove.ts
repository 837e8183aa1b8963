/**
 * `rm`, `rmdir`, `unlink`. Removing a tree detaches its topmost directory in one transaction, whatever the size of the tree;
 * restoring it costs as little. Garbage collection frees its contents later, in steps, when the log no longer needs them.
 */

import { FsError } from "../api/errors.ts";
import type { RmdirOptions, RmOptions, VersionGuard } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { assertNotRoot, isEmpty } from "../mutation/check-removal.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { isDirectory, isSymlink } from "../tree/inode.ts";
import { parsePath, type WorkspacePath } from "../tree/path.ts";
import { resolve, resolveExisting } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";

export async function rm(ctx: FsContext, given: string, options: RmOptions = {}): Promise<void> {
  const { recursive = false, force = false, ifVersion } = optionsOf<RmOptions>("rm", options, given);
  if (given === "" && force) return;
  const path = parsePath(given, "lstat");
  mutate(ctx, (mutation) => {
    const found = findForRemoval(mutation, path, force);
    checkVersion(mutation.volume, ifVersion, found?.inode ?? null, "rm", given);
    if (found === null) return;
    if (isDirectory(found.inode) && !recursive) {
      throw new FsError("ERR_FS_EISDIR", { syscall: "rm", path: given, reason: "Path is a directory" });
    }
    if (path.endsInDot) throw new FsError("EINVAL", { syscall: "rmdir", path: given });
    // A trailing slash follows a link, but the path does not name the link's target.
    if (path.mustBeDirectory && isLink(mutation, path)) throw new FsError("ENOTDIR", { syscall: "rm", path: given });
    assertNotRoot(mutation.volume, found, "rm", given);
    mutation.remove(found, found.inode);
  });
}

export async function rmdir(ctx: FsContext, given: string, options: RmdirOptions = {}): Promise<void> {
  const { ifVersion } = optionsOf<RmdirOptions>("rmdir", options, given);
  const path = parsePath(given, "rmdir");
  mutate(ctx, (mutation) => {
    const found = resolve(mutation, path, "rmdir", "name");
    checkVersion(mutation.volume, ifVersion, found.inode, "rmdir", given);
    if (found.inode === null) throw new FsError("ENOENT", { syscall: "rmdir", path: given });
    if (!isDirectory(found.inode)) throw new FsError("ENOTDIR", { syscall: "rmdir", path: given });
    if (path.endsInDot) throw new FsError("EINVAL", { syscall: "rmdir", path: given });
    assertNotRoot(mutation.volume, found, "rmdir", given);
    if (!isEmpty(mutation, found.inode)) throw new FsError("ENOTEMPTY", { syscall: "rmdir", path: given });
    mutation.remove(found, found.inode);
  });
}

export async function unlink(ctx: FsContext, given: string, options: VersionGuard = {}): Promise<void> {
  const { ifVersion } = optionsOf<VersionGuard>("unlink", options, given);
  const path = parsePath(given, "unlink");
  mutate(ctx, (mutation) => {
    const found = resolve(mutation, path, "unlink", "name");
    checkVersion(mutation.volume, ifVersion, found.inode, "unlink", given);
    if (found.inode === null) throw new FsError("ENOENT", { syscall: "unlink", path: given });
    if (isDirectory(found.inode)) throw new FsError("EISDIR", { syscall: "unlink", path: given });
    if (found.mustBeDirectory) throw new FsError("ENOTDIR", { syscall: "unlink", path: given });
    mutation.remove(found, found.inode);
  });
}

function isLink(mutation: Mutation, path: WorkspacePath): boolean {
  const { inode } = resolve(mutation, path, "lstat", "name");
  return inode !== null && isSymlink(inode);
}

function findForRemoval(mutation: Mutation, path: WorkspacePath, force: boolean) {
  try {
    return resolveExisting(mutation, path, "lstat", "itself");
  } catch (error) {
    if (force && error instanceof FsError && error.code === "ENOENT") return null;
    throw error;
  }
}
