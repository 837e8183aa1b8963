/** A directory's entries with their inodes, in byte order of names: from memory, or page by page if it is too large to cache. */
import type { Inode } from "../tree/inode.ts";
import { compareNames } from "../tree/path.ts";
import type { ReadView } from "../volume/views.ts";

export type NamedEntry = readonly [name: string, inode: Inode];

export function directoryEntries(volume: ReadView, directory: number): Iterable<NamedEntry> {
  return heldEntries(volume, directory) ?? pagedEntries(volume, directory);
}

/** All at once, or null when there are too many to cache. A later eviction may drop inodes, so they are read now. */
function heldEntries(volume: ReadView, directory: number): NamedEntry[] | null {
  const known = volume.cache.loadComplete(directory);
  if (known === undefined) return null;
  const held: NamedEntry[] = [];
  for (const [name, ino] of volume.cache.sortedEntries(known, compareNames)) {
    const inode = ino === 0 ? null : volume.cache.inode(ino);
    if (inode !== null) held.push([name, inode]);
  }
  return held;
}

function* pagedEntries(volume: ReadView, directory: number): Generator<NamedEntry> {
  const limit = volume.limits.listPage;
  let after = "";
  for (;;) {
    const page = volume.tree.entries(directory, after, limit);
    for (const { name, inode } of page) yield [name, inode];
    if (page.length < limit) return;
    after = page.at(-1)?.name ?? after;
  }
}
