/** The current tree, from the tables or, before the first write, without them. */
import type { Database } from "../db/database.ts";
import { lazyTree, type RowPage, type Tree } from "../tree/tree.ts";
import {
  countReachableLinks,
  selectChain,
  selectEntries,
  selectEntriesOf,
  selectInode,
  selectInodes,
} from "./inodes.ts";
import { selectListed, selectListedOf } from "./listings.ts";

export function presentTree(db: Database, pristine: () => Tree | undefined): Tree {
  const tables: Tree = {
    inode: (ino) => selectInode(db, ino),
    inodes: (inos) => selectInodes(db, inos),
    walkNames: (parent, names) => selectChain(db, parent, names),
    entries: (parent, after, limit) => selectEntries(db, parent, after, limit),
    entriesOfMany: (parents, limit) => cutAt(selectEntriesOf(db, parents, limit), limit, ({ parent }) => parent),
    dirents: (parent, after, limit) => selectListed(db, parent, after, limit),
    listedOf: (parents, limit) => cutAt(selectListedOf(db, parents, limit), limit, ([parent]) => parent),
    reachableLinks: ({ ino }) => countReachableLinks(db, ino),
  };
  return lazyTree(() => pristine() ?? tables);
}

/** If a limit was reached, the last directory may be cut and those after it were not read. */
function cutAt<Row>(rows: readonly Row[], limit: number, parentOf: (row: Row) => number): RowPage<Row> {
  const last = rows.at(-1);
  return { rows, cut: rows.length < limit || last === undefined ? undefined : parentOf(last) };
}
