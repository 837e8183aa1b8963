/** `truncate`: a shorter file keeps its row and shows less of it, a longer one gets zeros or a hole. */

import { FsError } from "../api/errors.ts";
import type { VersionGuard } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { applyEdits } from "../content/apply-edits.ts";
import { isOffset } from "../node-args/offset.ts";
import { isDirectory } from "../tree/inode.ts";
import { parsePath } from "../tree/path.ts";
import { resolve } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";

export async function truncate(ctx: FsContext, given: string, length = 0, options: VersionGuard = {}): Promise<void> {
  const path = parsePath(given, "open");
  const { ifVersion } = optionsOf<VersionGuard>("truncate", options, given);
  const bytes = Math.max(0, length);
  if (!isOffset(bytes)) throw new FsError("EINVAL", { syscall: "ftruncate", path: given, reason: "not a length" });
  mutate(ctx, (mutation) => {
    const found = resolve(mutation, path, "open", "follow");
    checkVersion(mutation.volume, ifVersion, found.inode, "open", given);
    if (found.inode === null) throw new FsError("ENOENT", { syscall: "open", path: given });
    if (isDirectory(found.inode)) throw new FsError("EISDIR", { syscall: "open", path: given });
    const next = applyEdits(mutation, found.inode, [{ kind: "truncate", length: bytes }]);
    mutation.replaceContent(found, found.inode, next);
  });
}
