/** All names of a directory, a page at a time. */
import { LISTED_MAX, type Listed } from "../store/listings.ts";
import type { Tree } from "../tree.ts";

export function allListed(tree: Tree, directory: number): Listed[] {
  const all: Listed[] = [];
  for (;;) {
    const page = tree.listed(directory, all.at(-1)?.[1] ?? "", LISTED_MAX);
    for (const row of page) all.push(row);
    if (page.length < LISTED_MAX) return all;
  }
}
