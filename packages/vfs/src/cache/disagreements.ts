/** Lists where the metadata cache differs from the database. Any entry is a defect. */
import type { Inode } from "../tree/inode.ts";
import type { Tree } from "../tree/tree.ts";
import { type CachedDirectory, listEntries } from "./cached-directory.ts";

export function disagreementsOf(
  tree: Tree,
  inodes: ReadonlyMap<number, Inode>,
  directories: Iterable<[ino: number, directory: CachedDirectory]>,
): string[] {
  const wrong: string[] = [];
  for (const inode of inodes.values()) {
    if (JSON.stringify(tree.inode(inode.ino)) !== JSON.stringify(inode)) wrong.push(`inode ${inode.ino}`);
  }
  for (const [parent, { entries, complete, listing }] of directories) {
    const rows = tree.entries(parent, "", Number.MAX_SAFE_INTEGER);
    const stored = new Map(rows.map(({ name, inode }) => [name, inode.ino]));
    for (const [name, ino] of entries) if ((stored.get(name) ?? 0) !== ino) wrong.push(`name ${parent}/${name}`);
    if (complete)
      for (const name of stored.keys()) if (!entries.has(name)) wrong.push(`missing name ${parent}/${name}`);
    const listed = listEntries(stored, new Map(rows.map(({ inode }) => [inode.ino, inode])));
    if (listing !== null && JSON.stringify(listing) !== JSON.stringify(listed)) wrong.push(`listing of ${parent}`);
  }
  return wrong;
}
