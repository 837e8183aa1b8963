/** The first two directories: `/`, and the workspace root with what is above it. */
import { ROOT_INO, S_IFDIR } from "../inode.ts";
import { joinPath, parsePath } from "../path.ts";
import type { Volume } from "../volume.ts";
import { Mutation } from "./mutation.ts";

export function createRoot(volume: Volume): void {
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
    held: 0,
  });
  let parent = mutation.inode(ROOT_INO);
  let path = "/";
  for (const name of parsePath(volume.root, "mkdir").parts) {
    path = joinPath(path, name);
    if (parent !== null) parent = mutation.create({ parent, name, path }, { mode });
  }
  mutation.commit();
}
