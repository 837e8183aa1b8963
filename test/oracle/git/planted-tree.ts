/** A directory as a list, to carry one from a workspace to a disk. */
import type { FileSystem } from "@workspace/vfs";

export type SnapshotEntry =
  | { readonly path: string; readonly mode: number; readonly content: Uint8Array }
  | { readonly path: string; readonly target: string }
  | { readonly path: string; readonly directory: true };

/** Parents before what is in them. */
export async function treeIn(fs: FileSystem, root: string): Promise<SnapshotEntry[]> {
  const planted: SnapshotEntry[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const { name, stat } of await fs.scan(folder === "" ? root : `${root}/${folder}`)) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const full = `${root}/${path}`;
      if (stat.type === "symlink") planted.push({ path, target: await fs.readlink(full) });
      else if (stat.type === "file") planted.push({ path, mode: stat.mode & 0o777, content: await fs.readFile(full) });
      else {
        planted.push({ path, directory: true });
        folders.push(path);
      }
    }
  }
  return planted;
}
