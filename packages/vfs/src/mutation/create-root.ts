/**
 * A workspace before its first write: `/`, and the workspace root with its parents, in memory only. A read finds them without a
 * table or a row; the first write stores them first. They are always the same, so their revisions belong to the object and not to
 * an incarnation of it, and their cursors and versions stay valid across evictions.
 */
import type { MetadataCache } from "../cache/metadata-cache.ts";
import type { Database } from "../db/database.ts";
import { putDirents, putInodes } from "../store/inodes.ts";
import { insertLog } from "../store/log.ts";
import { type Inode, ROOT_INO, S_IFDIR, typeCode } from "../tree/inode.ts";
import { compareNames, joinPath, parsePath } from "../tree/path.ts";
import type { DirentRow, NamedInode, Tree } from "../tree/tree.ts";
import type { WriteView } from "../volume/views.ts";
import { Mutation } from "./mutation.ts";

export interface Pristine {
  readonly tree: Tree;
  readonly rev: number;
  /** Nothing else is in these directories, so they are known completely. */
  remember(cache: MetadataCache): void;
  /** For a database that has empty tables. */
  write(db: Database): void;
}

/** `volume` has no revision yet. */
export function createRoot(volume: WriteView): Pristine {
  const mutation = new Mutation(volume, {});
  const { time } = mutation;
  const mode = S_IFDIR | 0o755;
  const root = {
    ino: ROOT_INO,
    mode,
    nlink: 2,
    size: 0,
    content: 0,
    target: null,
    mtime: time,
    ctime: time,
    birthtime: time,
  };
  mutation.inodes.set(ROOT_INO, { ...root, rev: 1, contentRev: 1, parent: 0 });
  mutation.log.push({
    rev: 1,
    time,
    op: "create",
    type: 2,
    ino: ROOT_INO,
    parent: 0,
    path: "/",
    prev: 0,
    retainedBytes: 0,
  });
  const names = new Map<number, string>();
  let parent = mutation.inode(ROOT_INO) as Inode;
  let path = "/";
  for (const name of parsePath(volume.root, "mkdir").parts) {
    path = joinPath(path, name);
    names.set(parent.ino, name);
    parent = mutation.create({ parent, name, path }, { mode });
  }
  const { inodes, log } = mutation;
  return {
    tree: chainTree(inodes, names),
    rev: log.length,
    remember(cache) {
      for (const inode of inodes.values()) {
        cache.putNewDirectory(inode.ino);
        const name = names.get(inode.ino);
        if (name !== undefined) cache.putEntry(inode.ino, name, inode.ino + 1);
        cache.putInode(inode);
      }
    },
    write(db) {
      insertLog(db, log);
      putInodes(db, [...inodes.values()]);
      putDirents(
        db,
        [...names].map(([ino, name]) => {
          const child = inodes.get(ino + 1) as Inode;
          return [ino, name, child.ino, typeCode(child)];
        }),
      );
    },
  };
}

/** Nested directories, numbered from the root on: each has at most one entry. */
function chainTree(inodes: ReadonlyMap<number, Inode>, names: ReadonlyMap<number, string>): Tree {
  const namesIn = (parents: readonly number[], after = "") =>
    parents.flatMap((parent) => {
      const name = names.get(parent);
      return name === undefined || compareNames(name, after) <= 0
        ? []
        : [{ parent, name, inode: inodes.get(parent + 1) as Inode }];
    });
  const listed = ({ parent, name, inode }: NamedInode): DirentRow => [parent, name, inode.ino, typeCode(inode)];
  return {
    inode: (ino) => inodes.get(ino) ?? null,
    inodes: (inos) => inos.flatMap((ino) => inodes.get(ino) ?? []),
    walkNames(parent, requested) {
      const differs = requested.findIndex((name, i) => names.get(parent + i) !== name);
      const found = differs < 0 ? requested : requested.slice(0, differs);
      return found.map((_, i) => inodes.get(parent + i + 1) as Inode);
    },
    entries: (parent, after, limit) => namesIn([parent], after).slice(0, limit),
    entriesOfMany: (parents) => ({ rows: namesIn(parents), cut: undefined }),
    dirents: (parent, after, limit) => namesIn([parent], after).slice(0, limit).map(listed),
    listedOf: (parents) => ({ rows: namesIn(parents).map(listed), cut: undefined }),
    reachableLinks: ({ nlink }) => nlink,
  };
}
