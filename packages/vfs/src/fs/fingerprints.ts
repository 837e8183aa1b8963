/** `fingerprints`: whether files are still the ones somebody has read, without reading them again; from memory when warm. */
import type { FsContext } from "../context.ts";
import { findFile } from "./read-many.ts";

export async function fingerprints(ctx: FsContext, paths: readonly string[]): Promise<(string | null)[]> {
  const { volume } = ctx;
  volume.ensureOpen();
  return paths.map((path) => {
    const inode = findFile(ctx, path);
    // The inode too: another file may have been moved here that is older than the one that was.
    return inode === null ? null : `${inode.ino} ${volume.formatVersion(inode.rev)}`;
  });
}
