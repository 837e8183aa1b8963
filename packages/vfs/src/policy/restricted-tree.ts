/** The tree of a volume without the entries that a policy hides. A page is filled with later entries in place of hidden ones. */

import type { Inode } from "../tree/inode.ts";
import type { DirentRow, NamedInode, RowPage, Tree } from "../tree/tree.ts";
import type { RestrictedCache } from "./restricted-cache.ts";

export function restrictedTree(tree: Tree, cache: RestrictedCache): Tree {
  const isShown = (parent: number, name: string) => {
    const path = cache.pathOf(parent);
    return path !== null && cache.isShown(path, name);
  };
  const rowIsShown = ([parent, name]: DirentRow) => isShown(parent, name);
  const entryIsShown = ({ parent, name }: NamedInode) => isShown(parent, name);
  return {
    inode: (ino) => tree.inode(ino),
    inodes: (inos) => tree.inodes(inos),
    walkNames(parent, names) {
      const shown: Inode[] = [];
      let at = parent;
      for (const [i, inode] of tree.walkNames(parent, names).entries()) {
        if (!isShown(at, names[i] as string)) break;
        shown.push(inode);
        at = inode.ino;
      }
      return shown;
    },
    entries: (parent, after, limit) =>
      fillPage(
        after,
        limit,
        (from) => tree.entries(parent, from, limit),
        ({ name }) => name,
        entryIsShown,
      ),
    entriesOfMany: (parents, limit) => filterCut(tree.entriesOfMany(parents, limit), entryIsShown),
    dirents: (parent, after, limit) =>
      fillPage(
        after,
        limit,
        (from) => tree.dirents(parent, from, limit),
        ([, name]) => name,
        rowIsShown,
      ),
    listedOf: (parents, limit) => filterCut(tree.listedOf(parents, limit), rowIsShown),
    reachableLinks: (inode) => tree.reachableLinks(inode),
  };
}

function filterCut<Row>({ rows, cut }: RowPage<Row>, isShown: (row: Row) => boolean): RowPage<Row> {
  return { rows: rows.filter(isShown), cut };
}

function fillPage<Row>(
  after: string,
  limit: number,
  read: (after: string) => Row[],
  nameOf: (row: Row) => string,
  isShown: (row: Row) => boolean,
): Row[] {
  const shown: Row[] = [];
  let from = after;
  for (;;) {
    const page = read(from);
    for (const row of page) {
      if (isShown(row) && shown.push(row) === limit) return shown;
    }
    const last = page.at(-1);
    if (page.length < limit || last === undefined) return shown;
    from = nameOf(last);
  }
}
