/**
 * `workspace.shell`: the shell on the workspace's own files, git and search engine, loaded with the first call. A command's changes
 * are logged under the caller's call id, or a generated one; the shell's own files are logged without one.
 */
import type {
  ContainerHost,
  ExecBackend,
  ExecutionView,
  Shell,
  ShellLimits,
  WorkerShellLimits,
} from "@workspace/shell";
import { createFileSystem, createLocalEngine, FsError, type Identity, type WriteView } from "@workspace/vfs";
import { createWorkspaceGit, type GitFactory, type GitSettings } from "../git/workspace-git.ts";
import type { WorkspaceCore } from "../workspace-core.ts";
import { createChangeCursor } from "./change-cursor.ts";
import type { WorkspaceShellHost } from "./create-shell.ts";
import { type NetworkPolicy, restrictedFetch } from "./network-policy.ts";
import { SHELL_METHODS } from "./shell-methods.ts";
import { shellArguments } from "./shell-options.ts";

/** Creates the shell: `createShell` of `@cloudflare/workspace/shell`, or a function that loads it. */
export type ShellFactory = (host: WorkspaceShellHost) => Shell | Promise<Shell>;

/** Settings for the workspace's owner. */
export interface ShellSettings {
  /** The hosts that commands in the Worker may reach; default "none". */
  network?: NetworkPolicy;
  /** Work limits of a command in the Worker's shell. */
  worker?: Partial<WorkerShellLimits>;
  limits?: Partial<ShellLimits>;
}

export interface WorkspaceShellContext {
  readonly volume: WriteView;
  readonly identity: Identity;
  readonly core: WorkspaceCore;
  /** The executions that a restricted view finds. */
  readonly executions?: ExecutionView | undefined;
  readonly factory: ShellFactory | undefined;
  readonly settings: ShellSettings;
  readonly git: { readonly factory: GitFactory | undefined; readonly settings: GitSettings };
  /** If there is a container, it is the default, and has ports. */
  readonly container?: { readonly backend: ExecBackend; readonly host: ContainerHost };
}

/** The log's actor for spooled output: not the caller, whose changes can be undone without it. */
const SHELL_ITSELF: Identity = { actor: "shell" };

export function createWorkspaceShell(context: WorkspaceShellContext): Shell {
  let shell: Promise<Shell> | undefined;
  const facade: Partial<Record<keyof Shell, unknown>> = {};
  for (const name of SHELL_METHODS) {
    facade[name] = async (...args: unknown[]) => {
      const known = shellArguments(name, args);
      shell ??= load(context, () => facade as unknown as Shell);
      return ((await shell)[name] as (...args: unknown[]) => unknown)(...known);
    };
  }
  return facade as unknown as Shell;
}

async function load(context: WorkspaceShellContext, self: () => Shell): Promise<Shell> {
  const { core, volume, identity, executions, factory, settings, container } = context;
  if (factory === undefined) {
    const reason = "this workspace was made without a shell: pass `shell: createShell` of @cloudflare/workspace/shell";
    throw new FsError("ENOSYS", { syscall: "exec", reason });
  }
  return factory({
    // The shell's own files are not the principal's: no policy applies to them.
    fs: createFileSystem(volume.store, SHELL_ITSELF),
    root: volume.root,
    db: {
      run: (sql, ...values) => volume.ensureOpen().store.db.run(sql, ...values),
      rows: (sql, ...values) => volume.ensureOpen().store.db.rows(sql, ...values),
      atomically: (body) => volume.ensureOpen().store.db.transaction(body),
    },
    now: () => Math.floor(volume.store.now() / 1000),
    identity,
    shared: core.executions,
    ...(executions && { view: executions }),
    worker: workerHost(context, self),
    volume,
    changes: createChangeCursor(volume),
    ...(settings.limits && { limits: settings.limits }),
    ...(container && { containerBackend: container.backend, container: container.host }),
  });
}

function workerHost(
  { core, volume, settings, git }: WorkspaceShellContext,
  shell: () => Shell,
): WorkspaceShellHost["worker"] {
  const { network = "none", worker: limits } = settings;
  return {
    root: volume.root,
    fileSystem: ({ actor, callId }) => createFileSystem(volume, { actor, callId }),
    git({ actor, callId }, { signal, wrap }) {
      if (git.factory === undefined) return null;
      const reach = restrictedFetch(network, git.settings.fetch ?? ((input, init) => fetch(input, init)), signal);
      const identity = { actor, callId };
      return createWorkspaceGit({
        core,
        volume,
        identity,
        factory: git.factory,
        settings: { ...git.settings, fetch: reach },
        shell,
        wrap,
      });
    },
    engine: createLocalEngine(volume),
    ...(limits && { limits }),
  };
}
