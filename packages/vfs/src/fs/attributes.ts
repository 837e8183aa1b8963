/** `chmod`, `utimes`, `lutimes`: one inode row and one entry of the log. There is no access time to set. */
import { checkVersion, type FsContext, mutate } from "../context.ts";
import type { IfVersion, Time } from "../filesystem.ts";
import { S_IFMT } from "../inode.ts";
import { parsePath } from "../path.ts";
import { resolve, resolveExisting } from "../resolve.ts";
import { toMicroseconds } from "../time.ts";
import { modeOf } from "./mode.ts";

export async function chmod(ctx: FsContext, given: string, mode: number, options: IfVersion = {}): Promise<void> {
  const bits = modeOf(mode ?? Number.NaN, 0, "chmod", given);
  setAttributes(ctx, given, "chmod", true, options, (inode) => ({ mode: (inode.mode & S_IFMT) | bits }));
}

export async function utimes(ctx: FsContext, given: string, atime: Time, mtime: Time, options: IfVersion = {}): Promise<void> {
  toMicroseconds(atime, "utime", given);
  const micros = toMicroseconds(mtime, "utime", given);
  setAttributes(ctx, given, "utime", true, options, () => ({ mtime: micros }));
}

export async function lutimes(ctx: FsContext, given: string, atime: Time, mtime: Time, options: IfVersion = {}): Promise<void> {
  toMicroseconds(atime, "lutime", given);
  const micros = toMicroseconds(mtime, "lutime", given);
  setAttributes(ctx, given, "lutime", false, options, () => ({ mtime: micros }));
}

function setAttributes(
  ctx: FsContext,
  given: string,
  syscall: string,
  follow: boolean,
  options: IfVersion,
  next: (inode: { mode: number }) => { mode?: number; mtime?: number },
): void {
  const path = parsePath(given, syscall);
  mutate(ctx, (mutation) => {
    if (options?.ifVersion !== undefined) {
      checkVersion(mutation.volume, options.ifVersion, resolve(mutation, path, syscall, follow).inode, syscall, given);
    }
    const found = resolveExisting(mutation, path, syscall, follow);
    mutation.setAttributes(found, found.inode, next(found.inode));
  });
}
