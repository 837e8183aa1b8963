/** `chmod`, `utimes`, `lutimes`: one inode row and one entry of the log. There is no access time to set. */

import type { Mode, Time, VersionGuard } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { parseMode } from "../node-args/mode.ts";
import { timestampOf } from "../node-args/time.ts";
import { S_IFMT } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { type FinalSymlink, resolve, resolveExisting } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";

export async function chmod(ctx: FsContext, given: string, mode: Mode, options: VersionGuard = {}): Promise<void> {
  const bits = parseMode(mode ?? Number.NaN, 0, "chmod", given);
  setAttributes(ctx, given, "chmod", "follow", optionsOf("chmod", options, given), (inode) => ({
    mode: (inode.mode & S_IFMT) | bits,
  }));
}

export async function utimes(
  ctx: FsContext,
  given: string,
  atime: Time,
  mtime: Time,
  options: VersionGuard = {},
): Promise<void> {
  setTimes(ctx, given, [atime, mtime], optionsOf("utimes", options, given), "utime", "follow");
}

export async function lutimes(
  ctx: FsContext,
  given: string,
  atime: Time,
  mtime: Time,
  options: VersionGuard = {},
): Promise<void> {
  setTimes(ctx, given, [atime, mtime], optionsOf("lutimes", options, given), "lutime", "itself");
}

function setTimes(
  ctx: FsContext,
  given: string,
  [atime, mtime]: [Time, Time],
  options: VersionGuard,
  syscall: string,
  lastLink: FinalSymlink,
): void {
  const now = ctx.volume.store.now();
  timestampOf(atime, now, syscall, given);
  const micros = timestampOf(mtime, now, syscall, given);
  setAttributes(ctx, given, syscall, lastLink, options, () => ({ mtime: micros }));
}

function setAttributes(
  ctx: FsContext,
  given: string,
  syscall: string,
  lastLink: FinalSymlink,
  options: VersionGuard,
  next: (inode: { mode: number }) => { mode?: number; mtime?: number },
): void {
  const path = parsePath(given, syscall);
  mutate(ctx, (mutation) => {
    if (options.ifVersion !== undefined) {
      checkVersion(
        mutation.volume,
        options.ifVersion,
        resolve(mutation, path, syscall, lastLink).inode,
        syscall,
        given,
      );
    }
    const found = resolveExisting(mutation, path, syscall, lastLink);
    mutation.setAttributes(found, found.inode, next(found.inode));
  });
}
