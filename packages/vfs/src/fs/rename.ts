/** `rename`, over existing targets as in POSIX. A directory moves with everything under it by one row. */

import { FsError, type FsErrorFields } from "../api/errors.ts";
import type { RenameOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { assertNotRoot, isEmpty } from "../mutation/check-removal.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { type Inode, isDirectory, ROOT_INO } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { type NameLookup, type Resolved, resolve } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";
import { withDest } from "./with-dest.ts";

export async function rename(ctx: FsContext, from: string, to: string, options: RenameOptions = {}): Promise<void> {
  const { ifVersion, ifTargetVersion } = optionsOf<RenameOptions>("rename", options, from);
  const fields = { syscall: "rename", path: from, dest: to };
  withDest(fields, () => {
    const fromPath = parsePath(from, "rename");
    const toPath = parsePath(to, "rename");
    mutate(ctx, (mutation) => {
      const source = resolve(mutation, fromPath, "rename", "name");
      const target = resolve(mutation, toPath, "rename", "name");
      checkVersion(mutation.volume, ifVersion, source.inode, "rename", from);
      checkVersion(mutation.volume, ifTargetVersion, target.inode, "rename", to);
      const { inode } = source;
      if (source.endsInDots || target.endsInDots) throw new FsError("EBUSY", fields);
      if (inode === null) throw new FsError("ENOENT", fields);
      assertNotRoot(mutation.volume, source, "rename", from, to);
      if (!isDirectory(inode) && (source.mustBeDirectory || target.mustBeDirectory))
        throw new FsError("ENOTDIR", fields);
      checkPlaces(mutation, inode, source, target, fields);
      if (target.inode?.ino === inode.ino) return;
      checkTypes(mutation, inode, target, fields);
      if (target.inode !== null) assertNotRoot(mutation.volume, target, "rename", from, to);
      mutation.rename(source, target, inode, target.inode);
    });
  });
}

/** Checks in the order in which Linux reports errors. */
function checkPlaces(
  mutation: Mutation,
  inode: Inode,
  source: Resolved,
  target: Resolved,
  fields: FsErrorFields,
): void {
  if (isDirectory(inode) && isDescendant(mutation, target.parent, inode.ino)) throw new FsError("EINVAL", fields);
  if (target.inode !== null && isDescendant(mutation, source.parent, target.inode.ino))
    throw new FsError("ENOTEMPTY", fields);
}

function checkTypes(mutation: Mutation, inode: Inode, target: Resolved, fields: FsErrorFields): void {
  const directory = isDirectory(inode);
  if (target.inode === null) return;
  if (directory && !isDirectory(target.inode)) throw new FsError("ENOTDIR", fields);
  if (!directory && isDirectory(target.inode)) throw new FsError("EISDIR", fields);
  if (directory && !isEmpty(mutation, target.inode)) throw new FsError("ENOTEMPTY", fields);
}

/** Whether a directory is, or lies under, the one with inode `ino`. */
export function isDescendant(view: NameLookup, directory: Inode, ino: number): boolean {
  let at: Inode | null = directory;
  while (at !== null && at.ino !== ROOT_INO) {
    if (at.ino === ino) return true;
    at = view.inode(at.parent);
  }
  return ino === ROOT_INO;
}
