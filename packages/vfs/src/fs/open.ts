/** `open`: creates a missing file at once; truncation and later writes wait for `sync` or `close`. */

import { FsError } from "../api/errors.ts";
import type { FileHandle } from "../api/file-handle.ts";
import type { VersionGuard } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { OpenFile } from "../handle/open-file.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { parseMode } from "../node-args/mode.ts";
import { lastLinkFor, type OpenFlags, parseFlags } from "../node-args/open-flags.ts";
import { requireChange } from "../policy/require-change.ts";
import { type Inode, isDirectory, S_IFREG, UMASK } from "../tree/inode.ts";
import { parsePath, type WorkspacePath } from "../tree/path.ts";
import { type Resolved, resolve, resolveExisting } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate, type ReadContext } from "../volume/context.ts";
import { readOnly } from "../volume/read-only.ts";
import type { ReadView } from "../volume/views.ts";

/** `writer`: null for a view of the past, which opens files to read them. */
export async function open(
  ctx: ReadContext,
  writer: FsContext | null,
  given: string,
  flag: string | number = "r",
  mode?: number | string,
  options: VersionGuard = {},
): Promise<FileHandle> {
  const path = parsePath(given, "open");
  const { ifVersion } = optionsOf<VersionGuard>("open", options, given);
  const flags = parseFlags(flag ?? "r", given);
  const bits = parseMode(mode, 0o666, "open", given);
  if (ctx.volume.store.openHandles >= ctx.volume.limits.openHandles)
    throw new FsError("EMFILE", { syscall: "open", path: given });
  const { slot, inode } =
    writer === null
      ? openToRead(ctx.volume.ensureOpen(), path, flags, ifVersion)
      : mutate(writer, (mutation) => openInode(mutation, path, flags, bits, ifVersion));
  return new OpenFile(ctx, writer, given, inode, slot, flags, ifVersion !== undefined);
}

function openToRead(
  view: ReadView,
  path: WorkspacePath,
  flags: OpenFlags,
  ifVersion: VersionGuard["ifVersion"],
): { slot: Resolved; inode: Inode } {
  if (flags.write || flags.create || flags.truncate) throw readOnly("open", path.given);
  const found = resolveExisting(view.cache, path, "open", lastLinkFor(flags));
  checkVersion(view, ifVersion, found.inode, "open", path.given);
  return { slot: found, inode: found.inode };
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
