/** `mkdir -p` within a mutation: creates the missing directories of a path. */
import { FsError } from "../api/errors.ts";
import { type Inode, isDirectory, isSymlink } from "../tree/inode.ts";
import { pathPrefix, type WorkspacePath } from "../tree/path.ts";
import { resolve, resolveUnlessMissing } from "../tree/resolve.ts";
import type { Mutation } from "./mutation.ts";

/** Returns the first one created, spelled as the caller did. */
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
  return resolveUnlessMissing(mutation, path, "mkdir", "follow")?.inode ?? null;
}

/** One statement for the whole path, where the walk below would need one per level. */
function prefetchPath(mutation: Mutation, path: WorkspacePath): void {
  try {
    resolveUnlessMissing(mutation, path, "mkdir", "follow");
  } catch (error) {
    if (!(error instanceof FsError)) throw error;
  }
}
