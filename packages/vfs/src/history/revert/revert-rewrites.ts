/**
 * Reverts the chosen rewrites of a text file and preserves its other changes: one three-way merge per rewrite, newest first. Used
 * by `undo` with `merge`. Returns null on a conflict, and for binary, purged or very large content.
 */
import { mergeText } from "@workspace/text";
import { historyLimits } from "../../api/limits.ts";
import { ContentReader, type ContentRef } from "../../content/reader.ts";
import { PURGED } from "../../tree/inode.ts";
import type { ReadView } from "../../volume/views.ts";
import type { InodeChanges } from "./revert-set.ts";

/** As git detects text: no NUL among the first bytes. */
const BINARY_CHECK_BYTES = 8000;

export function revertRewrites(volume: ReadView, { inode, rewrites }: InodeChanges): Uint8Array | null {
  let current = readTextBytes(volume, inode);
  for (const { after, before } of rewrites) {
    const base = readTextBytes(volume, after);
    const theirs = readTextBytes(volume, before);
    if (current === null || base === null || theirs === null) return null;
    const { content, conflicts } = mergeText(base, current, theirs);
    if (conflicts > 0) return null;
    current = content;
  }
  return current;
}

function readTextBytes(volume: ReadView, ref: ContentRef): Uint8Array | null {
  if (ref.size > historyLimits.textBytes || ref.content === PURGED) return null;
  const bytes = new ContentReader(volume.store.db, ref).read();
  return bytes.subarray(0, BINARY_CHECK_BYTES).includes(0) ? null : bytes;
}
