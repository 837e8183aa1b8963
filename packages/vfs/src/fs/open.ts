/** `open`: creates a missing file at once; truncation and later writes wait for `sync` or `close`. */
import { checkVersion, type FsContext, mutate } from "../context.ts";
import { FsError } from "../errors.ts";
import type { FileHandle } from "../file-handle.ts";
import type { VersionGuard } from "../file-system.ts";
import { OpenFile } from "../handle/open-file.ts";
import { type Inode, isDirectory, S_IFREG, UMASK } from "../inode.ts";
import { parseMode } from "../mode.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { lastLinkFor, type OpenFlags, parseFlags } from "../open-flags.ts";
import { optionsOf } from "../options.ts";
import { parsePath, type WorkspacePath } from "../path.ts";
import { requireChange } from "../policy/require-change.ts";
import { type Resolved, resolve } from "../resolve.ts";

export async function open(
  ctx: FsContext,
  given: string,
  flag: string | number = "r",
  mode?: number | string,
  options: VersionGuard = {},
): Promise<FileHandle> {
  const path = parsePath(given, "open");
  const { ifVersion } = optionsOf<VersionGuard>("open", options, given);
  const flags = parseFlags(flag ?? "r", given);
  const bits = parseMode(mode, 0o666, "open", given);
  if (ctx.volume.openHandles >= ctx.volume.limits.openHandles)
    throw new FsError("EMFILE", { syscall: "open", path: given });
  const { slot, inode } = mutate(ctx, (mutation) => openInode(mutation, path, flags, bits, ifVersion));
  return new OpenFile(ctx, given, inode, slot, flags, ifVersion !== undefined);
}

function openInode(
  mutation: Mutation,
  path: WorkspacePath,
  flags: OpenFlags,
  mode: number,
  ifVersion: VersionGuard["ifVersion"],
): { slot: Resolved; inode: Inode } {
  const found = resolve(mutation, path, "open", lastLinkFor(flags));
  checkVersion(mutation.volume, ifVersion, found.inode, "open", path.given);
  if (found.inode === null) {
    if (!flags.create) throw new FsError("ENOENT", { syscall: "open", path: path.given });
    return { slot: found, inode: mutation.create(found, { mode: S_IFREG | (mode & ~UMASK) }) };
  }
  if (flags.exclusive) throw new FsError("EEXIST", { syscall: "open", path: path.given });
  if (isDirectory(found.inode) && (flags.write || flags.create))
    throw new FsError("EISDIR", { syscall: "open", path: path.given });
  // Writes come with the commit; a caller without write access gets the error now.
  if (flags.write) requireChange(mutation.volume, "write", found.path);
  return { slot: found, inode: found.inode };
}
