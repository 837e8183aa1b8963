/** Verbs that leave something open for the client: the handle is released with its last stub. */
import { internals, type WorkspaceAnswer } from "@workspace/protocol";
import type { Mode, OpendirOptions, VersionGuard } from "@workspace/vfs";
import type { CallContext } from "./call-context.ts";
import { dirOps, readPage } from "./dir-ops.ts";
import { handleOps, releaseHandle } from "./handle-ops.ts";
import { RemoteHandle, reserveTarget } from "./remote-handle.ts";

export async function open(
  { workspace, fs }: CallContext,
  path: string,
  flags?: string | number,
  mode?: Mode,
  options?: VersionGuard,
): Promise<WorkspaceAnswer> {
  const { targets } = workspace[internals].core;
  reserveTarget(targets, "open", path);
  return {
    target: new RemoteHandle(targets, handleOps, await fs.open(path, flags, mode, options), releaseHandle),
  };
}

/** A directory of one page is returned whole, and nothing stays open. */
export async function opendir(
  { workspace, fs }: CallContext,
  path: string,
  options?: OpendirOptions,
): Promise<WorkspaceAnswer> {
  const { targets } = workspace[internals].core;
  reserveTarget(targets, "opendir", path);
  const dir = await fs.opendir(path, options);
  const page = await readPage(dir);
  const value = { path: dir.path, ...page };
  if (!page.done) return { value, target: new RemoteHandle(targets, dirOps, dir, () => dir.close()) };
  await dir.close();
  return { value };
}
