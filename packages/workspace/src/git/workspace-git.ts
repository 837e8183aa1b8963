/**
 * `workspace.git`: the engine on the workspace's own files. It is loaded with the first call. Everything one call changes is logged
 * under one call id, the caller's or one made here; calls on the same repository wait for each other.
 */
import type { Git, GitHost, GitOptions } from "@workspace/git";
import type { Shell } from "@workspace/shell";
import { createFileSystem, FsError, type Identity, type SearchableFileSystem, type Volume } from "@workspace/vfs";
import { GIT_METHODS } from "./git-methods.ts";
import { runInShell } from "./run-in-shell.ts";

/** What makes the engine: `createGit` of `@cloudflare/workspace/git`, or a function that loads it. */
export type GitFactory = (options: GitOptions) => Git | Promise<Git>;

/** What of the engine's host is for the workspace's owner to give. */
export type GitSettings = Partial<Pick<GitHost, "fetch" | "credentials" | "identity" | "limits" | "timezone" | "run">>;

export interface WorkspaceGitContext {
  readonly volume: Volume;
  readonly identity: Identity;
  readonly factory: GitFactory | undefined;
  readonly settings: GitSettings;
  /** Runs what `rebase --exec` names; absent: it is refused. */
  readonly shell?: (() => Shell) | undefined;
  /** Puts something between the engine and its files: the shell stops a command that way. */
  readonly wrap?: (fs: SearchableFileSystem) => SearchableFileSystem;
}

/** Who commits when flags, environment, configuration and `gitSettings` say nothing. */
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

/** One per volume, whatever identity asks. */
type Shared = Required<Pick<GitOptions, "locks" | "sharedCache">>;
const sharedByVolume = new WeakMap<Volume, Shared>();
let calls = 0;

async function engineFor({ volume, identity, factory, settings, shell, wrap }: WorkspaceGitContext): Promise<Git> {
  if (factory === undefined) {
    const reason = "this workspace was made without git: pass `git: createGit` of @cloudflare/workspace/git";
    throw new FsError("ENOSYS", { syscall: "git", reason });
  }
  if (volume.rules?.hasDenials) {
    const reason =
      "git is not available where files are denied: its objects hold their contents, now and in every commit";
    throw new FsError("EACCES", { syscall: "git", reason, refusal: "DENIED" });
  }
  const callId = identity.callId ?? `git-${volume.now().toString(36)}-${(calls++).toString(36)}`;
  const fs = createFileSystem(volume, { ...identity, callId });
  return factory({
    identity: DEFAULT_IDENTITY,
    fetch: (input, init) => fetch(input, init),
    ...(shell && { run: runInShell(shell) }),
    ...settings,
    fs: wrap === undefined ? fs : wrap(fs),
    now: () => Math.floor(volume.now() / 1000),
    epoch: volume.epochToken,
    cwd: volume.root,
    ...sharedBy(volume),
  });
}

function sharedBy(volume: Volume): Shared {
  // Locks are of the repository; what was read of it is of the view.
  const { unrestricted } = volume;
  const locks = unrestricted === volume ? new Map() : sharedBy(unrestricted).locks;
  const shared = sharedByVolume.get(volume) ?? { locks, sharedCache: {} };
  sharedByVolume.set(volume, shared);
  return shared;
}
