/** A directory's entries with their inodes, in byte order of names: from memory, or page by page where it is too large to hold. */
import type { Inode } from "../inode.ts";
import { compareNames } from "../path.ts";
import { selectEntries } from "../store/inodes.ts";
import type { Volume } from "../volume.ts";

export function* entriesOf(volume: Volume, directory: number): Generator<[name: string, inode: Inode]> {
  const known = volume.cache.complete(directory);
  if (known !== undefined) {
    // All at once: a trim may let go of the inodes while the caller holds this generator.
    const held: [string, Inode][] = [];
    for (const [name, ino] of volume.cache.sortedEntries(known, compareNames)) {
      const inode = ino === 0 ? null : volume.cache.inode(ino);
      if (inode !== null) held.push([name, inode]);
    }
    yield* held;
    return;
  }
  const limit = volume.limits.listPage;
  let after = "";
  for (;;) {
    const page = selectEntries(volume.db, directory, after, limit);
    for (const { name, inode } of page) yield [name, inode];
    if (page.length < limit) return;
    after = page.at(-1)?.name ?? after;
  }
}
