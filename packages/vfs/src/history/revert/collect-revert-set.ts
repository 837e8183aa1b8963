/** Collects the field changes of the entries to revert, and of later entries: reads page by page, with the inodes they need. */
import { selectAncestors } from "../../store/inodes.ts";
import type { LogRow } from "../../store/log-row.ts";
import type { ReadView } from "../../volume/views.ts";
import { RevertSet } from "./revert-set.ts";

/** Adds entries newest first, page by page. */
export function collectRevertSet(
  volume: ReadView,
  pages: Iterable<readonly { readonly entry: LogRow; readonly matched: boolean }[]>,
): RevertSet {
  const cells = new RevertSet();
  for (const page of pages) {
    const missing = cells.missingInodes(page.map(({ entry }) => entry));
    // With their ancestors: their paths are needed next.
    if (missing.length > 0) cells.know(selectAncestors(volume.store.db, missing));
    for (const { entry, matched } of page) cells.take(entry, matched);
  }
  return cells;
}
