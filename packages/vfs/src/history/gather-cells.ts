/** Cells of the entries that are to be taken back, and of what came after them: read page by page, with the inodes they need. */
import { selectAncestors } from "../store/inodes.ts";
import type { PastEntry } from "../store/past-entry.ts";
import type { Volume } from "../volume.ts";
import { Cells } from "./cells.ts";

/** Takes in entries newest first, page by page. */
export function gatherCells(
  volume: Volume,
  pages: Iterable<readonly { readonly entry: PastEntry; readonly matched: boolean }[]>,
): Cells {
  const cells = new Cells();
  for (const page of pages) {
    const missing = cells.unknown(page.map(({ entry }) => entry));
    // With what is above them: where they are will be asked next.
    if (missing.length > 0) cells.know(selectAncestors(volume.db, missing));
    for (const { entry, matched } of page) cells.take(entry, matched);
  }
  return cells;
}
