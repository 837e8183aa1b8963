/**
 * A workspace inside a Durable Object: files in the object's own SQLite, next to whatever else the object keeps there. Tables
 * are `ws_*`; nothing is read or written before the first verb; the object's alarm is never touched (`maintain` says when it is
 * due, and `WorkspaceObject` shows how to call it).
 */

import type { Git } from "@workspace/git";
import type { ToolState } from "@workspace/protocol";
import type { Shell } from "@workspace/shell";
import {
  createFileSystem,
  createHistory,
  createSnapshots,
  FsError,
  fsck,
  gc,
  type History,
  type Identity,
  type Limits,
  type Moment,
  maintain,
  openVolume,
  type Retention,
  type SearchableFileSystem,
  type Snapshots,
  type Volume,
} from "@workspace/vfs";
import { openContainer, type SandboxSettings, type WorkspaceContainer } from "./container/container.ts";
import type { Sandbox } from "./container/link.ts";
import { createWorkspaceGit, type GitFactory, type GitSettings } from "./git/workspace-git.ts";
import { createPastWorkspace, type PastWorkspace } from "./history/past-workspace.ts";
import { extendIdentity } from "./identity.ts";
import { createWorkspaceShell, type ShellFactory, type ShellSettings } from "./shell/workspace-shell.ts";
import { toolStateOf } from "./tools/sql-tool-state.ts";

export interface WorkspaceOptions extends Identity {
  /** `ctx.storage` of a SQLite-backed Durable Object. */
  storage: DurableObjectStorage;
  /** Where the agent's files live, made at first use; default "/workspace". */
  root?: string;
  limits?: Partial<Limits>;
  retention?: Partial<Retention>;
  /** Microseconds since 1970. */
  now?: () => number;
  /** Makes the git engine. `@cloudflare/workspace` brings it; with `@cloudflare/workspace/core` pass `createGit`. */
  git?: GitFactory;
  /** Who commits by default, and how to reach remotes. */
  gitSettings?: GitSettings;
  /** Makes the shell. `@cloudflare/workspace` brings it; with `@cloudflare/workspace/core` pass `createShell`. */
  shell?: ShellFactory;
  /** What commands in the Worker may reach, and how much they may do. */
  shellSettings?: ShellSettings;
  /** Where commands run: whatever leads to a `workspaced` (see container/). Without one they run in the Worker. */
  sandbox?: Sandbox;
  /** What is synced with it, and under which address its ports are seen. */
  sandboxSettings?: SandboxSettings;
}

export class Workspace {
  readonly fs: SearchableFileSystem;
  /** git on the workspace's own files: `git.cli({ argv })`, and methods that return data. */
  readonly git: Git;
  /** Commands on the workspace's own files: `shell.exec("ls")`, found again after anything by `shell.get(id)`. */
  readonly shell: Shell;
  /** What was changed, by whom and in which call; and how to take it back. */
  readonly history: History;
  /** Moments to go back to. */
  readonly snapshots: Snapshots;
  /** What `@cloudflare/fs-tools` remembers, out of reach of the tools themselves. */
  readonly toolState: ToolState;
  /** Where commands run natively: sync, ports; null without a sandbox. */
  readonly container: WorkspaceContainer | null;
  /** The plumbing below `fs`, for the other parts of this package. */
  readonly volume: Volume;
  readonly #options: WorkspaceOptions;

  constructor(options: WorkspaceOptions) {
    const { storage, root, limits, retention, now, actor, callId } = options;
    const git = { factory: options.git, settings: options.gitSettings ?? {} };
    const shell = { factory: options.shell, settings: options.shellSettings ?? {} };
    const identity = extendIdentity({}, { actor, callId });
    requireSqlite(storage);
    this.#options = options;
    this.volume = openVolume(storage, { root, limits, retention, now });
    this.fs = createFileSystem(this.volume, identity);
    this.history = createHistory(this.volume, identity);
    this.snapshots = createSnapshots(this.volume, identity);
    this.toolState = toolStateOf(this.volume);
    this.git = createWorkspaceGit({ volume: this.volume, identity, ...git });
    const { sandbox, sandboxSettings = {} } = options;
    this.container = sandbox === undefined ? null : openContainer(this.volume, { sandbox, ...sandboxSettings });
    const container = this.container === null ? undefined : { backend: this.container.backend, host: this.container };
    this.shell = createWorkspaceShell({ volume: this.volume, identity, ...shell, git, container });
  }

  /** Where the agent's files live. */
  get root(): string {
    return this.volume.root;
  }

  /** The same workspace; what is changed through it is logged under this actor and call. */
  as(identity: Identity): Workspace {
    if (identity.actor === undefined && identity.callId === undefined) return this;
    return new Workspace({ ...this.#options, ...extendIdentity(this.#options, identity) });
  }

  /** The workspace as it was: a snapshot's id, or a version or cursor. It can be looked at, searched and asked by git. */
  at(moment: Moment): PastWorkspace {
    const { git: factory, gitSettings: settings = {}, actor, callId } = this.#options;
    const identity = extendIdentity({}, { actor, callId });
    return createPastWorkspace({ volume: this.volume, identity, git: { factory, settings } }, moment);
  }

  /** One small step of upkeep; says whether there is more to do, and when it is next due. */
  maintain(options?: Parameters<typeof maintain>[1]): ReturnType<typeof maintain> {
    return maintain(this.volume, options);
  }

  /** Upkeep, in such steps, until nothing is due. */
  gc(options?: Parameters<typeof gc>[1]): ReturnType<typeof gc> {
    return gc(this.volume, options);
  }

  /** Checks every invariant of the database. */
  fsck(options?: Parameters<typeof fsck>[1]): ReturnType<typeof fsck> {
    return fsck(this.volume, options);
  }
}

/** An object without SQLite has no `sql`, or one that throws when it is touched. */
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
