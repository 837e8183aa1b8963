/** Paths of directories, now and after a plan: by parent and name, so that moving a directory moves everything in it. */
import type { Database } from "../../db/database.ts";
import { selectAncestors } from "../../store/inodes.ts";
import { selectDirectoryNames } from "../../store/names.ts";
import { type Inode, ROOT_INO } from "../../tree/inode.ts";
import { joinPath } from "../../tree/path.ts";

export interface DirentLocation {
  readonly parent: number;
  readonly name: string;
}

type KnownPath = (ino: number) => Inode | undefined;

export class DirectoryPaths {
  readonly inodes = new Map<number, Inode>();
  readonly #places = new Map<number, DirentLocation | null>();

  /** One statement, and another one if not all inodes are known. */
  static load(db: Database, directories: Iterable<number>, known: KnownPath = () => undefined): DirectoryPaths {
    const places = new DirectoryPaths();
    const inodes = aboveKnown([...new Set(directories)], known) ?? selectAncestors(db, [...new Set(directories)]);
    for (const inode of inodes) places.inodes.set(inode.ino, inode);
    const named = inodes.filter(({ parent }) => parent !== 0);
    const above = [...new Set(named.map(({ parent }) => parent))];
    for (const { ino, parent, name } of selectDirectoryNames(
      db,
      above,
      named.map(({ ino }) => ino),
    ))
      places.#places.set(ino, { parent, name });
    return places;
  }

  copy(): DirectoryPaths {
    const copied = new DirectoryPaths();
    for (const [ino, inode] of this.inodes) copied.inodes.set(ino, inode);
    for (const [ino, place] of this.#places) copied.#places.set(ino, place);
    return copied;
  }

  /** Null: it has no location. */
  set(ino: number, place: DirentLocation | null): void {
    this.#places.set(ino, place);
  }

  get(ino: number): DirentLocation | null {
    return this.#places.get(ino) ?? null;
  }

  /** Null when it cannot be reached from the root, or only from itself. */
  path(directory: number): string | null {
    const names: string[] = [];
    const seen = new Set<number>();
    for (let at = directory; at !== ROOT_INO; ) {
      const place = this.get(at);
      if (place === null || seen.has(at)) return null;
      seen.add(at);
      names.push(place.name);
      at = place.parent;
    }
    return names.reduceRight((path, name) => joinPath(path, name), "/");
  }

  pathIn(directory: number, name: string): string | null {
    const above = this.path(directory);
    return above === null ? null : joinPath(above, name);
  }

  /** The directory and its ancestors, nearest first, as far as they are known. */
  above(directory: number): number[] {
    const found: number[] = [];
    for (let at: number | undefined = directory; at !== undefined && !found.includes(at); at = this.get(at)?.parent)
      found.push(at);
    return found;
  }
}

/** Directories and all their ancestors, from memory; null when one is not there. */
function aboveKnown(directories: readonly number[], known: KnownPath): Inode[] | null {
  const found = new Map<number, Inode>();
  for (const start of directories) {
    for (let at = start; at !== 0 && !found.has(at); ) {
      const inode = known(at);
      if (inode === undefined) return null;
      found.set(at, inode);
      at = inode.parent;
    }
  }
  return [...found.values()];
}
