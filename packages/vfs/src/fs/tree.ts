/** `tree`: an indented listing, cut at a depth and a number of lines; a cut is reported. */

import { FsError } from "../api/errors.ts";
import type { TreeListing, TreeOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { isDirectory, isSymlink } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { resolveExisting } from "../tree/resolve.ts";
import type { ReadContext } from "../volume/context.ts";
import { walk } from "../walk/walk.ts";

export async function tree(ctx: ReadContext, given: string, options: TreeOptions = {}): Promise<TreeListing> {
  const { volume } = ctx;
  const start = resolveExisting(volume.ensureOpen().cache, parsePath(given, "tree"), "tree", "follow");
  if (!isDirectory(start.inode)) throw new FsError("ENOTDIR", { syscall: "tree", path: given });
  const { depth = 2, limit = 1000 } = optionsOf<TreeOptions>("tree", options, given);
  const lines = [start.path.endsWith("/") ? start.path : `${start.path}/`];
  let files = 0;
  let directories = 0;
  let truncated = false;
  for (const { name, inode, depth: level } of walk(volume, start.inode, {
    maxDepth: depth,
    limit: volume.limits.walkEntries,
  })) {
    if (lines.length > limit) {
      truncated = true;
      break;
    }
    if (isDirectory(inode)) directories++;
    else files++;
    const suffix = isDirectory(inode) ? "/" : isSymlink(inode) ? ` -> ${inode.target}` : ` (${inode.size})`;
    lines.push(`${"  ".repeat(level)}${name}${suffix}`);
  }
  return { text: `${lines.join("\n")}\n`, files, directories, truncated };
}
