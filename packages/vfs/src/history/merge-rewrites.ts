/** Takes chosen rewrites of a text back out of what it is now, newest first, each by a three-way merge; null where one cannot be. */
import { mergeText } from "@workspace/text";
import { ContentReader, type ContentRef } from "../content/reader.ts";
import { PURGED } from "../inode.ts";
import { historyLimits } from "../limits.ts";
import type { Volume } from "../volume.ts";
import type { InodeCells } from "./cells.ts";

/** As git decides what is text: no NUL among the first bytes. */
const LOOKED_AT = 8000;

export function mergeRewrites(volume: Volume, { inode, rewrites }: InodeCells): Uint8Array | null {
  let current = textOf(volume, inode);
  for (const { after, before } of rewrites) {
    const base = textOf(volume, after);
    const theirs = textOf(volume, before);
    if (current === null || base === null || theirs === null) return null;
    const { content, conflicts } = mergeText(base, current, theirs);
    if (conflicts > 0) return null;
    current = content;
  }
  return current;
}

function textOf(volume: Volume, ref: ContentRef): Uint8Array | null {
  if (ref.size > historyLimits.textBytes || ref.content === PURGED) return null;
  const bytes = new ContentReader(volume.db, ref).read();
  return bytes.subarray(0, LOOKED_AT).includes(0) ? null : bytes;
}
