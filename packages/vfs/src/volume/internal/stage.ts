/** `stage`: stores contents before `writeMany` gives them names. */

import type { DetachedContents } from "../../api/file-system.ts";
import { DetachedRows } from "../../content/detached-contents.ts";
import type { FsContext } from "../context.ts";

export async function stage({ volume }: FsContext, contents: readonly Uint8Array[]): Promise<DetachedContents> {
  return new DetachedRows(volume.store, contents);
}
