/**
 * `workspace.at(moment)`: a read-only workspace at a point in time. It is resolved on first use and then fixed, whatever happens to
 * the present. Files, searches and git are the same code on another tree.
 */
import type { Git } from "@workspace/git";
import {
  createPastView,
  type Identity,
  type PointInTime,
  type SearchableFileSystem,
  type WriteView,
} from "@workspace/vfs";
import { createWorkspaceGit, type GitFactory, type GitSettings } from "./git/workspace-git.ts";
import type { WorkspaceCore } from "./workspace-core.ts";

export interface PastWorkspace {
  /** All verbs that read; those that write fail with EROFS. */
  readonly fs: SearchableFileSystem;
  /** Commands that read: `log`, `show`, `diff`, `status`, `grep`, `blame` and so on. */
  readonly git: Git;
}

export interface PastContext {
  readonly core: WorkspaceCore;
  readonly volume: WriteView;
  readonly identity: Identity;
  readonly git: { readonly factory: GitFactory | undefined; readonly settings: GitSettings };
}

export function createPastWorkspace({ core, volume, identity, git }: PastContext, moment: PointInTime): PastWorkspace {
  const view = createPastView(volume, moment);
  const context = {
    core,
    identity,
    ...git,
    get volume() {
      return view.view();
    },
  };
  return { fs: view.fs, git: createWorkspaceGit(context) };
}
