/**
 * isomorphic-git on a workspace: `git.commit({ fs: asIsomorphicGitFs(workspace.fs), … })`. isomorphic-git looks for `promises` and
 * then calls Node's verbs on it, with Buffers that it reuses. A workspace copies its inputs, so this is safe.
 */
import type { FileSystem } from "@workspace/vfs";

type Verbs =
  | "readFile"
  | "writeFile"
  | "mkdir"
  | "rmdir"
  | "unlink"
  | "rm"
  | "stat"
  | "lstat"
  | "readdir"
  | "readlink"
  | "symlink"
  | "chmod";

/** isomorphic-git's `PromiseFsClient`. */
export interface IsomorphicGitFs {
  promises: Pick<FileSystem, Verbs>;
}

export function asIsomorphicGitFs(fs: Pick<FileSystem, Verbs>): IsomorphicGitFs {
  return { promises: fs };
}
