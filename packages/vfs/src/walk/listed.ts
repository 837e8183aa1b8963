/** Reads all names of a directory, page by page. */
import { LISTED_MAX } from "../store/listings.ts";
import type { DirentRow, Tree } from "../tree/tree.ts";

export function allListed(tree: Tree, directory: number): DirentRow[] {
  const all: DirentRow[] = [];
  for (;;) {
    const page = tree.dirents(directory, all.at(-1)?.[1] ?? "", LISTED_MAX);
    for (const row of page) all.push(row);
    if (page.length < LISTED_MAX) return all;
  }
}
