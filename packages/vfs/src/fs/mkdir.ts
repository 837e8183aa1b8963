/** `mkdir` and `mkdir -p`: creates all missing levels in one transaction. */

import { FsError } from "../api/errors.ts";
import type { MkdirOptions, Mode } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { parseMode } from "../node-args/mode.ts";
import { type Inode, isDirectory, isSymlink, S_IFDIR, UMASK } from "../tree/inode.ts";
import { parsePath, pathPrefix, type WorkspacePath } from "../tree/path.ts";
import { resolve, tryResolve } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";

export async function mkdir(
  ctx: FsContext,
  given: string,
  options: MkdirOptions | Mode = {},
): Promise<string | undefined> {
  const path = parsePath(given, "mkdir");
  const { recursive = false, mode, ifVersion } = optionsOf<MkdirOptions>("mkdir", options, given);
  const bits = S_IFDIR | (parseMode(mode, 0o777, "mkdir", given) & ~UMASK);
  return mutate(ctx, (mutation) => {
    if (ifVersion !== undefined) {
      checkVersion(mutation.volume, ifVersion, resolve(mutation, path, "mkdir", "follow").inode, "mkdir", given);
    }
    if (recursive) return makeDirectories(mutation, path, bits);
    const found = resolve(mutation, path, "mkdir", "name");
    if (found.inode !== null) throw new FsError("EEXIST", { syscall: "mkdir", path: given });
    mutation.create(found, { mode: bits });
    return undefined;
  });
}

/** Creates the missing directories of a path; returns the first one created, spelled as the caller did. */
export function makeDirectories(mutation: Mutation, path: WorkspacePath, mode: number): string | undefined {
  let first: string | undefined;
  prefetchPath(mutation, path);
  for (let length = 1; length <= path.parts.length; length++) {
    const prefix = pathPrefix(path, length);
    const last = length === path.parts.length;
    const there = resolve(mutation, prefix, "mkdir", "name");
    if (there.inode === null) {
      mutation.create(there, { mode });
      first ??= `/${path.parts.slice(0, length).join("/")}`;
      continue;
    }
    const inode = isSymlink(there.inode) ? existingTarget(mutation, prefix) : there.inode;
    // Nothing is made through a dangling link.
    if (inode === null)
      throw new FsError(last && !path.endsInDot ? "ENOENT" : "ENOTDIR", { syscall: "mkdir", path: path.given });
    // A trailing slash or dot requires a directory, and Node then reports it.
    if (!isDirectory(inode))
      throw new FsError(last && !path.mustBeDirectory ? "EEXIST" : "ENOTDIR", { syscall: "mkdir", path: path.given });
  }
  return first;
}

function existingTarget(mutation: Mutation, path: WorkspacePath): Inode | null {
  return tryResolve(mutation, path, "mkdir", "follow")?.inode ?? null;
}

/** One statement for the whole path, where the walk below would need one per level. */
function prefetchPath(mutation: Mutation, path: WorkspacePath): void {
  try {
    tryResolve(mutation, path, "mkdir", "follow");
  } catch (error) {
    if (!(error instanceof FsError)) throw error;
  }
}
