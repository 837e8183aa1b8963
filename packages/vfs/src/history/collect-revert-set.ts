/** Cells of the entries that are to be taken back, and of what came after them: read page by page, with the inodes they need. */
import { selectAncestors } from "../store/inodes.ts";
import type { LogRow } from "../store/log-row.ts";
import type { Volume } from "../volume.ts";
import { RevertSet } from "./revert-set.ts";

/** Takes in entries newest first, page by page. */
export function collectRevertSet(
  volume: Volume,
  pages: Iterable<readonly { readonly entry: LogRow; readonly matched: boolean }[]>,
): RevertSet {
  const cells = new RevertSet();
  for (const page of pages) {
    const missing = cells.missingInodes(page.map(({ entry }) => entry));
    // With what is above them: where they are will be asked next.
    if (missing.length > 0) cells.know(selectAncestors(volume.db, missing));
    for (const { entry, matched } of page) cells.take(entry, matched);
  }
  return cells;
}
