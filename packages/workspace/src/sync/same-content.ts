/** Whether a path of the workspace already is what the container has: then there is nothing to do, and no conflict. */
import { createHash } from "node:crypto";
import type { Taken } from "@workspace/protocol";
import type { FileStat } from "@workspace/vfs";
import type { TreeView } from "./tree-view.ts";

export async function sameContent(
  view: TreeView,
  path: string,
  stat: FileStat,
  taken: Taken,
  content: unknown,
): Promise<boolean> {
  const absolute = view.absolute(path);
  if (taken.type === "symlink") return (await view.fs.readlink(absolute)) === taken.target;
  if (stat.size !== taken.size) return false;
  if (content instanceof Uint8Array) {
    const [bytes] = await view.fs.readMany([absolute]);
    return bytes?.length === content.length && bytes.every((byte, i) => byte === content[i]);
  }
  const hash = createHash("sha256");
  for await (const chunk of await view.fs.readStream(absolute)) hash.update(chunk);
  return hash.digest("hex") === taken.hash;
}
