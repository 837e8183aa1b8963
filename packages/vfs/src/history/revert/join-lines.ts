/** The union of two states of a list: its current lines, then those that only the other state has. */

import { historyLimits } from "../../api/limits.ts";
import { ContentReader, type ContentRef } from "../../content/reader.ts";
import { PURGED } from "../../tree/inode.ts";
import type { ReadView } from "../../volume/views.ts";

/** Null when nothing has to be added, or when one of the two cannot be read. */
export function joinLines(volume: ReadView, now: ContentRef, before: ContentRef): Uint8Array | null {
  const [mine, theirs] = [readTextLines(volume, now), readTextLines(volume, before)];
  if (mine === null || theirs === null) return null;
  const all = new Set([...mine, ...theirs]);
  return all.size === mine.length ? null : new TextEncoder().encode([...all, ""].join("\n"));
}

/** Each line once; null if the content is purged or too long. */
export function readTextLines(volume: ReadView, ref: ContentRef): string[] | null {
  if (ref.size > historyLimits.textBytes || ref.content === PURGED) return null;
  const text = new TextDecoder().decode(new ContentReader(volume.store.db, ref).read());
  return [...new Set(text.split("\n").filter((line) => line !== ""))];
}
