/** Verbs that leave something open for the client: its handle goes with its last stub. */
import type { WorkspaceAnswer } from "@workspace/protocol";
import type { IfVersion, Mode, OpendirOptions } from "@workspace/vfs";
import { dirOps, readPage } from "./dir-ops.ts";
import { handleOps, releaseHandle } from "./handle-ops.ts";
import type { Session } from "./session.ts";
import { reserveTarget, Target } from "./target.ts";

export async function open(
  { workspace, fs }: Session,
  path: string,
  flags?: string | number,
  mode?: Mode,
  options?: IfVersion,
): Promise<WorkspaceAnswer> {
  reserveTarget(workspace.volume, "open", path);
  return { target: new Target(workspace.volume, handleOps, await fs.open(path, flags, mode, options), releaseHandle) };
}

/** A directory of one page is answered whole, and nothing stays open. */
export async function opendir(
  { workspace, fs }: Session,
  path: string,
  options?: { bufferSize?: number; recursive?: boolean; encoding?: string },
): Promise<WorkspaceAnswer> {
  reserveTarget(workspace.volume, "opendir", path);
  const dir = await fs.opendir(path, options as OpendirOptions);
  const page = await readPage(dir);
  const value = { path: dir.path, ...page };
  if (!page.done) return { value, target: new Target(workspace.volume, dirOps, dir, () => dir.close()) };
  await dir.close();
  return { value };
}
