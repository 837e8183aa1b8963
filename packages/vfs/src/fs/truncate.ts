/** `truncate`: a shorter file keeps its row and shows less of it, a longer one gets zeros or a hole. */
import { applyEdits } from "../content/apply-edits.ts";
import { checkVersion, type FsContext, mutate } from "../context.ts";
import { FsError } from "../errors.ts";
import type { VersionGuard } from "../file-system.ts";
import { isDirectory } from "../inode.ts";
import { isOffset } from "../offset.ts";
import { optionsOf } from "../options.ts";
import { parsePath } from "../path.ts";
import { resolve } from "../resolve.ts";

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
