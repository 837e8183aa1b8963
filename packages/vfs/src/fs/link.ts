/** `link` and `symlink`. Hard links share an inode; directories have one name only. */

import { FsError } from "../api/errors.ts";
import type { RenameOptions, SymlinkType, VersionGuard } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { isDirectory, S_IFLNK } from "../tree/inode.ts";
import { checkTarget, parsePath, utf8Length } from "../tree/path.ts";
import { resolve } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";
import { withDest } from "./with-dest.ts";

const MAX_LINKS = 65_000;

export async function link(
  ctx: FsContext,
  existing: string,
  given: string,
  options: RenameOptions = {},
): Promise<void> {
  const { ifVersion, ifTargetVersion } = optionsOf<RenameOptions>("link", options, existing);
  const fields = { syscall: "link", path: existing, dest: given };
  withDest(fields, () => {
    const from = parsePath(existing, "link");
    const to = parsePath(given, "link");
    mutate(ctx, (mutation) => {
      const source = resolve(mutation, from, "link", "itself");
      checkVersion(mutation.volume, ifVersion, source.inode, "link", existing);
      if (source.inode === null) throw new FsError("ENOENT", fields);
      const target = resolve(mutation, to, "link", "name");
      checkVersion(mutation.volume, ifTargetVersion, target.inode, "link", given);
      if (target.inode !== null) throw new FsError("EEXIST", fields);
      if (target.mustBeDirectory) throw new FsError("ENOENT", fields);
      if (isDirectory(source.inode)) throw new FsError("EPERM", fields);
      if (source.inode.nlink >= MAX_LINKS) throw new FsError("EMLINK", fields);
      mutation.link(target, source.inode, source);
    });
  });
}

/** Node's symlink types, which are for Windows. */
const LINK_TYPES: readonly unknown[] = ["file", "dir", "junction"];

export async function symlink(
  ctx: FsContext,
  target: string,
  given: string,
  options: VersionGuard | SymlinkType | null = {},
): Promise<void> {
  checkTarget(target, given);
  const { ifVersion } = optionsOf<VersionGuard>("symlink", LINK_TYPES.includes(options) ? {} : options, given);
  const fields = { syscall: "symlink", path: target, dest: given };
  withDest(fields, () => {
    const path = parsePath(given, "symlink");
    mutate(ctx, (mutation) => {
      const found = resolve(mutation, path, "symlink", "name");
      checkVersion(mutation.volume, ifVersion, found.inode, "symlink", given);
      if (found.inode !== null) throw new FsError("EEXIST", fields);
      if (found.mustBeDirectory) throw new FsError("ENOENT", fields);
      mutation.create(found, { mode: S_IFLNK | 0o777, target, size: utf8Length(target) });
    });
  });
}
