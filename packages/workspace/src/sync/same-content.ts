/** Whether a path of the workspace already equals the container's version: then there is nothing to do, and no conflict. */
import type { PullEntry } from "@workspace/protocol";
import type { FileStat } from "@workspace/vfs";
import type { TakenContent } from "./pull-plan.ts";
import type { SyncTree } from "./sync-tree.ts";

export async function sameContent(
  view: SyncTree,
  path: string,
  stat: FileStat,
  taken: PullEntry,
  content: TakenContent | undefined,
): Promise<boolean> {
  const absolute = view.absolute(path);
  if (taken.type === "symlink") return (await view.fs.readlink(absolute)) === taken.target;
  if (stat.size !== taken.size) return false;
  if (content instanceof Uint8Array) {
    const [bytes] = await view.fs.readMany([absolute]);
    return bytes?.length === content.length && bytes.every((byte, i) => byte === content[i]);
  }
  const theirs = taken.hash ?? (await content?.hash());
  // The runtime's own, because a user's build has no Node modules without a flag.
  const hash = new crypto.DigestStream("SHA-256");
  await (await view.fs.readStream(absolute)).pipeTo(hash);
  const bytes = new Uint8Array(await hash.digest);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") === theirs;
}
