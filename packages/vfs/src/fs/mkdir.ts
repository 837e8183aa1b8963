/** `mkdir` and `mkdir -p`: creates all missing levels in one transaction. */

import { FsError } from "../api/errors.ts";
import type { MkdirOptions, Mode } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { makeDirectories } from "../mutation/make-directories.ts";
import { parseMode } from "../node-args/mode.ts";
import { S_IFDIR, UMASK } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { resolve } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";

export async function mkdir(
  ctx: FsContext,
  given: string,
  options: MkdirOptions | Mode = {},
): Promise<string | undefined> {
  const path = parsePath(given, "mkdir");
  const { recursive = false, mode, ifVersion } = optionsOf<MkdirOptions>("mkdir", options, given);
  const bits = S_IFDIR | (parseMode(mode, 0o777, "mkdir", given) & ~UMASK);
  return mutate(ctx, (mutation) => {
    if (ifVersion !== undefined) {
      checkVersion(mutation.volume, ifVersion, resolve(mutation, path, "mkdir", "follow").inode, "mkdir", given);
    }
    if (recursive) return makeDirectories(mutation, path, bits);
    const found = resolve(mutation, path, "mkdir", "name");
    if (found.inode !== null) throw new FsError("EEXIST", { syscall: "mkdir", path: given });
    mutation.create(found, { mode: bits });
    return undefined;
  });
}
