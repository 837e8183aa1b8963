/** `copyFile`: the copy refers to the same content; no byte is read or written. */

import { FsError, type FsErrorFields } from "../api/errors.ts";
import type { CopyFileOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { isOffset } from "../node-args/offset.ts";
import { type Inode, isDirectory, S_IFMT, S_IFREG } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { type Resolved, resolve } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";
import { withDest } from "./with-dest.ts";

export const COPYFILE_EXCL = 1;
const COPYFILE_ALL = 7;

export async function copyFile(
  ctx: FsContext,
  from: string,
  to: string,
  options: CopyFileOptions | number = {},
): Promise<void> {
  const fields = { syscall: "copyfile", path: from, dest: to };
  const {
    exclusive = false,
    ifVersion,
    ifTargetVersion,
  } = optionsOf<CopyFileOptions>("copyFile", fromMode(options, fields), from);
  withDest(fields, () => {
    const fromPath = parsePath(from, "copyfile");
    const toPath = parsePath(to, "copyfile");
    mutate(ctx, (mutation) => {
      const source = resolve(mutation, fromPath, "copyfile", "follow");
      checkVersion(mutation.volume, ifVersion, source.inode, "copyfile", from);
      if (source.inode === null) throw new FsError("ENOENT", fields);
      const target = resolve(mutation, toPath, "copyfile", exclusive ? "exclusive" : "create");
      checkVersion(mutation.volume, ifTargetVersion, target.inode, "copyfile", to);
      if (exclusive && target.inode !== null) throw new FsError("EEXIST", fields);
      if (target.inode !== null && isDirectory(target.inode)) throw new FsError("EISDIR", fields);
      if (isDirectory(source.inode)) throw new FsError("EISDIR", fields);
      if (target.inode?.ino === source.inode.ino) return;
      copyContent(mutation, source.inode, target);
    });
  });
}

/** Node's mode as options. Every copy shares blocks, as COPYFILE_FICLONE does. */
function fromMode(options: CopyFileOptions | number, fields: FsErrorFields): CopyFileOptions {
  if (typeof options !== "number") return options;
  if (!isOffset(options) || options > COPYFILE_ALL)
    throw new FsError("EINVAL", { ...fields, reason: "not a copy mode" });
  return { exclusive: (options & COPYFILE_EXCL) !== 0 };
}

/** Copies content and mode of a file to another dentry, new or existing. */
export function copyContent(mutation: Mutation, source: Inode, target: Resolved): Inode {
  // Both already have the same content: the number of owners does not change.
  const shared = target.inode?.content === source.content ? source.content : mutation.addReference(source.content);
  const content = { content: shared, size: source.size };
  if (target.inode === null) {
    return mutation.create(target, { mode: S_IFREG | (source.mode & 0o7777), ...content });
  }
  const written = mutation.replaceContent(target, target.inode, content);
  if (written.mode === source.mode) return written;
  return mutation.setAttributes(target, written, { mode: (written.mode & S_IFMT) | (source.mode & 0o7777) });
}
