/**
 * A workspace inside a Durable Object: files in the object's own SQLite, next to the object's other data. Tables are `ws_*`.
 * Nothing is read before the first verb, and no table created before the first write. The object's alarm is never touched
 * (`maintain` returns when it is due, and `WorkspaceObject` shows how to call it).
 */

import type { Git } from "@workspace/git";
import { internals } from "@workspace/protocol";
import type { Shell } from "@workspace/shell";
import {
  checkOptions,
  createFileSystem,
  createHistory,
  createSnapshots,
  FsError,
  fsck,
  gc,
  type History,
  type Identity,
  type Limits,
  maintain,
  nextDue,
  type PathPolicy,
  type PointInTime,
  type Retention,
  requireUnrestricted,
  restrictView,
  type SearchableFileSystem,
  type Snapshots,
  type WriteView,
  withOwnFiles,
} from "@workspace/vfs";
import type { ContainerFactory, SandboxSettings, WorkspaceContainer } from "./container/container.ts";
import type { Sandbox } from "./container/container-client.ts";
import { createWorkspaceGit, type GitFactory, type GitSettings } from "./git/workspace-git.ts";
import { GIT_OBJECTS } from "./history/git-objects.ts";
import { extendIdentity } from "./identity.ts";
import { identityOptions, workspaceOptions } from "./options.ts";
import { createPastWorkspace, type PastWorkspace } from "./past-workspace.ts";
import { confineGit } from "./shell/confine-git.ts";
import { OwnExecutions } from "./shell/own-executions.ts";
import { createWorkspaceShell, type ShellFactory, type ShellSettings } from "./shell/workspace-shell.ts";

import { openCore, type WorkspaceCore } from "./workspace-core.ts";
import { createInternals, type WorkspaceInternals } from "./workspace-internals.ts";

export interface WorkspaceOptions extends Identity {
  /** `ctx.storage` of a SQLite-backed Durable Object. */
  storage: DurableObjectStorage;
  /** `ctx.id`: without it, cursors of workspaces without writes are interchangeable. */
  id?: DurableObjectId;
  /** The directory of the agent's files, created at first use; default "/workspace". */
  root?: string;
  limits?: Partial<Limits>;
  retention?: Partial<Retention>;
  /** Microseconds since 1970. */
  now?: () => number;
  /** Creates the git engine. `@cloudflare/workspace` includes it; with `@cloudflare/workspace/core` pass `createGit`. */
  git?: GitFactory;
  /** The default committer, and how to reach remotes. */
  gitSettings?: GitSettings;
  /** Creates the shell. `@cloudflare/workspace` includes it; with `@cloudflare/workspace/core` pass `createShell`. */
  shell?: ShellFactory;
  /** The network policy and work limits of commands in the Worker. */
  shellSettings?: ShellSettings;
  /** Where commands run: any connection to a `workspaced` (see container/). Without one they run in the Worker. */
  sandbox?: Sandbox;
  /** Connects to the sandbox. `@cloudflare/workspace` includes it; with `@cloudflare/workspace/core` pass `openContainer`. */
  container?: ContainerFactory;
  /** What is synced with it, and the public address of its ports. */
  sandboxSettings?: SandboxSettings;
}

/** The policy of `workspace.restrict`: which paths are visible and writable, and whether commands may leave the Worker. */
export interface WorkspacePolicy extends PathPolicy {
  /** Commands may run in the container, where the policy does not apply. Default false: they run in the Worker, on the view. */
  allowContainer?: boolean;
}

/** A view for one call costs next to nothing: its parts are created on first access. */
export class Workspace {
  /** Where commands run natively: sync, ports; null without a sandbox. */
  readonly container: WorkspaceContainer | null;
  readonly #options: WorkspaceOptions;
  readonly #identity: Identity;
  /** For a principal with a policy: git runs no command, and reaches only the hosts of `shellSettings.network`. */
  readonly #confined: boolean;
  /** Of a restricted view: its share of the executions and of their output files. */
  readonly #executions: OwnExecutions | undefined;
  readonly #core: WorkspaceCore;
  readonly #volume: WriteView;
  #internals?: WorkspaceInternals;
  #fs?: SearchableFileSystem;
  #git?: Git;
  #shell?: Shell;
  #history?: History;
  #snapshots?: Snapshots;

  /** `base`: the workspace that this is a view of, whose storage and options are already checked; `policy`: its restriction. */
  constructor(options: WorkspaceOptions, base?: Workspace, policy?: WorkspacePolicy) {
    this.#options = base === undefined ? checked(options) : options;
    const { storage, id, root, limits, retention, now, actor, callId } = this.#options;
    if (base !== undefined) {
      this.#identity = { ...(actor === undefined ? {} : { actor }), ...(callId === undefined ? {} : { callId }) };
      this.#core = base.#core;
      this.#confined = base.#confined || policy !== undefined;
      if (policy === undefined) {
        const executions = base.#executions?.as(actor);
        this.#executions = executions;
        const isSame = executions === undefined || executions === base.#executions;
        this.#volume = isSame ? base.#volume : withOwnFiles(base.#volume, executions);
        this.container = base.container;
        return;
      }
      const { allowContainer = false, ...paths } = policy;
      const executions = (base.#executions ?? new OwnExecutions(base.#volume, actor, [])).restrict(paths);
      this.#executions = executions;
      this.#volume = restrictView(base.#volume, paths, executions);
      const staysInWorker = this.#volume !== base.#volume && !allowContainer;
      this.container = staysInWorker ? null : base.container;
      return;
    }
    this.#confined = false;
    requireSqlite(storage);
    this.#identity = extendIdentity({}, { actor, callId });
    this.#core = openCore(storage, { root, limits, retention, now, origin: id?.toString() });
    this.#volume = this.#core.volume;
    this.container = connect(this.#core, this.#options);
  }

  get fs(): SearchableFileSystem {
    return (this.#fs ??= createFileSystem(this.#volume, this.#identity));
  }

  /** git on the workspace's own files: `git.cli({ argv })`, and methods that return data. */
  get git(): Git {
    const shell = this.features.shell && !this.#confined ? () => this.shell : undefined;
    return (this.#git ??= createWorkspaceGit({
      core: this.#core,
      volume: this.#volume,
      identity: this.#identity,
      ...this.#engine,
      shell,
    }));
  }

  /** Commands on the workspace's own files: `shell.exec("ls")`; `shell.get(id)` finds them again, even after an eviction. */
  get shell(): Shell {
    return (this.#shell ??= this.#makeShell());
  }

  /** What was changed, by which actor and call; and how to undo it. */
  get history(): History {
    return (this.#history ??= createHistory(this.#volume, this.#identity, GIT_OBJECTS));
  }

  /** Points in time to return to. */
  get snapshots(): Snapshots {
    return (this.#snapshots ??= createSnapshots(this.#volume, this.#identity, GIT_OBJECTS));
  }

  /** For `@cloudflare/fs-tools` and the reference Worker; it changes without notice. */
  get [internals](): WorkspaceInternals {
    return (this.#internals ??= createInternals(this.#core, this.#volume, this.#identity));
  }

  /** Which optional features this workspace was created with; the others throw that they are missing. */
  get features(): { readonly git: boolean; readonly shell: boolean } {
    const hasGit = this.#options.git !== undefined && !this.#volume.rules?.hasDenials;
    return { git: hasGit, shell: this.#options.shell !== undefined };
  }

  #makeShell(): Shell {
    const { shell: factory, shellSettings: settings = {} } = this.#options;
    const { container: host } = this;
    const container = host === null ? undefined : { backend: host.backend, host };
    const git = { factory: this.#options.git, settings: this.#options.gitSettings ?? {} };
    const identity = this.#identity;
    return createWorkspaceShell({
      core: this.#core,
      volume: this.#volume,
      identity,
      executions: this.#executions,
      factory,
      settings,
      git,
      container,
    });
  }

  get #engine(): { factory: GitFactory | undefined; settings: GitSettings } {
    const { git: factory, gitSettings: settings = {}, shellSettings: { network = "none" } = {} } = this.#options;
    return { factory, settings: this.#confined ? confineGit(settings, network) : settings };
  }

  /** The directory of the agent's files. */
  get root(): string {
    return this.#volume.root;
  }

  /** The same workspace; changes through it are logged under this actor and call. */
  as(given: Identity): Workspace {
    const identity = checkOptions<Identity>(identityOptions, given, { syscall: "as" });
    if (identity.actor === undefined && identity.callId === undefined) return this;
    return new Workspace({ ...this.#options, ...extendIdentity(this.#options, identity) }, this);
  }

  /**
   * The same workspace for a principal with a policy: hidden paths do not exist in any part of the view, and changes that it does
   * not allow fail with EACCES. A view of a view can only narrow. git runs no commands and has the shell's network policy; where
   * files are denied there is no git, because its objects hold their contents.
   */
  restrict(policy: WorkspacePolicy): Workspace {
    const { allowContainer, ...paths } = (policy ?? {}) as WorkspacePolicy;
    if (allowContainer !== undefined && typeof allowContainer !== "boolean")
      throw new FsError("EINVAL", { syscall: "restrict", reason: "allowContainer must be a boolean" });
    return new Workspace(this.#options, this, { ...paths, ...(allowContainer && { allowContainer }) });
  }

  /** The workspace at a point in time: a snapshot's id, or a version or cursor. Files, searches and git can read it. */
  at(moment: PointInTime): PastWorkspace {
    return createPastWorkspace(
      { core: this.#core, volume: this.#volume, identity: this.#identity, git: this.#engine },
      moment,
    );
  }

  /** One small step of maintenance; returns whether there is more to do, and when it is next due. */
  maintain(options?: Parameters<typeof maintain>[1]): ReturnType<typeof maintain> {
    return maintain(this.#volume.store, options);
  }

  /**
   * When `maintain` next has work, in milliseconds since 1970; in the past when it has work now, null when nothing becomes due
   * without another change. Answered from memory: a host can call it after every change, and must, because a change can bring it
   * forward.
   */
  nextDueMs(): number | null {
    const due = nextDue(this.#volume.store);
    return due === null ? null : due / 1000;
  }

  /** Runs maintenance steps until nothing is due. */
  async gc(options?: Parameters<typeof gc>[1]): ReturnType<typeof gc> {
    requireUnrestricted(this.#volume, "gc");
    return gc(this.#volume.store, options);
  }

  /** Checks every invariant of the database. */
  async fsck(options?: Parameters<typeof fsck>[1]): ReturnType<typeof fsck> {
    requireUnrestricted(this.#volume, "fsck");
    return fsck(this.#volume.store, options);
  }
}

function checked(options: WorkspaceOptions): WorkspaceOptions {
  return checkOptions<WorkspaceOptions>(workspaceOptions, options, { syscall: "new Workspace" }) as WorkspaceOptions;
}

function connect(
  core: WorkspaceCore,
  { sandbox, sandboxSettings, container }: WorkspaceOptions,
): WorkspaceContainer | null {
  if (sandbox === undefined) return null;
  if (container !== undefined) return core.connect(container, { sandbox, ...sandboxSettings });
  const reason =
    "this workspace has a sandbox and no way to connect to it: pass `container: openContainer` of @cloudflare/workspace/shell";
  throw new FsError("ENOSYS", { syscall: "new Workspace", reason });
}

/** An object without SQLite has no `sql`, or one that throws when it is accessed. */
function requireSqlite(storage: DurableObjectStorage): void {
  let sql: SqlStorage | undefined;
  let cause: unknown;
  try {
    sql = storage.sql;
  } catch (error) {
    cause = error;
  }
  if (sql !== undefined && sql !== null) return;
  const reason =
    "a workspace needs the storage of a SQLite-backed Durable Object: pass `storage: ctx.storage`, and list the class under `new_sqlite_classes` (not `new_classes`) in the wrangler configuration's migrations";
  throw new FsError("ENOSYS", { syscall: "new Workspace", reason, cause });
}
