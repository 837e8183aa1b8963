/** `fingerprints`: shows whether files changed since they were read, without reading them again; from memory when warm. */

import type { ReadContext } from "../context.ts";
import { findFile } from "../resolve-file.ts";

export async function fingerprints(ctx: ReadContext, paths: readonly string[]): Promise<(string | null)[]> {
  const { volume } = ctx;
  volume.ensureOpen();
  return paths.map((path) => {
    const inode = findFile(ctx, path);
    // Includes the inode: an older file may have been moved here.
    return inode === null ? null : `${inode.ino} ${volume.revisions.format(inode.rev)}`;
  });
}
