/** `stage`: contents ahead of the names that `writeMany` will give them. */
import { StagedRows } from "../content/staged-contents.ts";
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import type { StagedContents } from "../filesystem.ts";

export async function stage({ volume }: FsContext, contents: readonly Uint8Array[]): Promise<StagedContents> {
  if (volume.isPast) throw new FsError("EROFS", { syscall: "stage" });
  return new StagedRows(volume, contents);
}
