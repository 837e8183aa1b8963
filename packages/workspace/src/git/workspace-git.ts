/**
 * `workspace.git`: the engine on the workspace's own files, loaded with the first call. All changes of one call are logged under
 * one call id, the caller's or a generated one. Calls on the same repository wait for each other.
 */
import type { Git, GitHost, GitOptions } from "@workspace/git";
import type { Shell } from "@workspace/shell";
import {
  createFileSystem,
  createReadOnlyFileSystem,
  FsError,
  type Identity,
  isWritable,
  type ReadView,
  type SearchableFileSystem,
} from "@workspace/vfs";
import type { WorkspaceCore } from "../workspace-core.ts";
import { GIT_METHODS } from "./git-methods.ts";
import { runInShell } from "./run-in-shell.ts";

/** Creates the engine: `createGit` of `@cloudflare/workspace/git`, or a function that loads it. */
export type GitFactory = (options: GitOptions) => Git | Promise<Git>;

/** The part of the engine's host that the workspace's owner configures. */
export type GitSettings = Partial<Pick<GitHost, "fetch" | "credentials" | "identity" | "limits" | "timezone" | "run">>;

export interface WorkspaceGitContext {
  readonly core: Pick<WorkspaceCore, "gitShared">;
  readonly volume: ReadView;
  readonly identity: Identity;
  readonly factory: GitFactory | undefined;
  readonly settings: GitSettings;
  /** Runs the commands of `rebase --exec`; absent: they are rejected. */
  readonly shell?: (() => Shell) | undefined;
  /** Wraps the engine's file system: the shell stops a command that way. */
  readonly wrap?: (fs: SearchableFileSystem) => SearchableFileSystem;
}

/** The committer if flags, environment, configuration and `gitSettings` name none. */
const DEFAULT_IDENTITY = { name: "Workspace", email: "workspace@localhost" };

export function createWorkspaceGit(context: WorkspaceGitContext): Git {
  const facade: Partial<Record<keyof Git, unknown>> = {};
  for (const name of GIT_METHODS) {
    facade[name] = async (...args: unknown[]) => {
      const git = await engineFor(context);
      return (git[name] as (...args: unknown[]) => unknown)(...args);
    };
  }
  return facade as Git;
}

let calls = 0;

async function engineFor({
  core,
  volume,
  identity,
  factory,
  settings,
  shell,
  wrap,
}: WorkspaceGitContext): Promise<Git> {
  if (factory === undefined) {
    const reason = "this workspace was made without git: pass `git: createGit` of @cloudflare/workspace/git";
    throw new FsError("ENOSYS", { syscall: "git", reason });
  }
  if (volume.rules?.hasDenials) {
    const reason =
      "git is not available where files are denied: its objects hold their contents, now and in every commit";
    throw new FsError("EACCES", { syscall: "git", reason, refusal: "DENIED" });
  }
  const callId = identity.callId ?? `git-${volume.store.now().toString(36)}-${(calls++).toString(36)}`;
  const fs = isWritable(volume)
    ? createFileSystem(volume, { ...identity, callId })
    : createReadOnlyFileSystem(() => volume);
  return factory({
    identity: DEFAULT_IDENTITY,
    fetch: (input, init) => fetch(input, init),
    ...(shell && { run: runInShell(shell) }),
    ...settings,
    fs: wrap === undefined ? fs : wrap(fs),
    now: () => Math.floor(volume.store.now() / 1000),
    epoch: volume.store.epochToken,
    cwd: volume.root,
    ...core.gitShared(volume),
  });
}
