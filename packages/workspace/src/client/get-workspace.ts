/**
 * A workspace in another object: `getWorkspace(env.WORKSPACE, "name")`, from any Worker or Durable Object with the binding, also
 * across scripts (`script_name`). It has the same `fs` as inside. `using ws = getWorkspace(…)` closes everything opened through it.
 */
import type { Git } from "@workspace/git";
import { internals, type ToolState } from "@workspace/protocol";
import type { Shell } from "@workspace/shell";
import {
  checkOptions,
  FsError,
  type fsck,
  type gc,
  type History,
  type Identity,
  type maintain,
  optionsOf,
  type PointInTime,
  type SearchableFileSystem,
  type Snapshots,
} from "@workspace/vfs";
import { extendIdentity } from "../identity.ts";
import { clientOptions, identityOptions } from "../options.ts";
import type { PastWorkspace } from "../past-workspace.ts";
import type { WorkspacePolicy } from "../workspace.ts";
import { createRemoteFileSystem } from "./remote-file-system.ts";
import { createRemoteGit } from "./remote-git.ts";
import { createRemoteHistory, createRemoteSnapshots } from "./remote-history.ts";
import { createRemoteShell } from "./remote-shell.ts";
import { createRemoteToolState } from "./remote-tool-state.ts";
import { defaultWatchPolicy, type PollOptions } from "./remote-watch.ts";
import { RpcClient, StubHolder, type WorkspaceStub } from "./rpc-client.ts";

export interface GetWorkspaceOptions extends Identity {
  /** Timeouts and retries of a `watch`; the defaults suit almost every use. */
  watch?: Partial<PollOptions>;
}

/** The part of a namespace that `getWorkspace` needs; `DurableObjectNamespace` has it. */
export interface WorkspaceNamespace {
  idFromName(name: string): DurableObjectId;
  get(id: DurableObjectId): unknown;
}

export interface WorkspaceClient extends Disposable {
  readonly fs: SearchableFileSystem;
  readonly git: Git;
  readonly shell: Shell;
  /** For `@cloudflare/fs-tools`; it changes without notice. */
  readonly [internals]: { readonly toolState: ToolState };
  readonly history: History;
  readonly snapshots: Snapshots;
  /** The workspace at a point in time: a snapshot's id, or a version or cursor. Files, searches and git can read it. */
  at(moment: PointInTime): PastWorkspace;
  /** A view that records its actor and call with its changes. An earlier actor stays: this one is appended to it. */
  as(identity: Identity): WorkspaceClient;
  /** The same workspace for a principal with a policy; the object enforces it on every call of the view. */
  restrict(policy: WorkspacePolicy): WorkspaceClient;
  maintain(options?: Parameters<typeof maintain>[1]): ReturnType<typeof maintain>;
  gc(options?: Parameters<typeof gc>[1]): ReturnType<typeof gc>;
  fsck(options?: Parameters<typeof fsck>[1]): ReturnType<typeof fsck>;
}

/** A stub of an object with a `workspaceRpc` method; for an untyped binding, any stub. */
export type WorkspaceStubLike = { readonly workspaceRpc: unknown } | DurableObjectStub;

export function getWorkspace(
  namespace: WorkspaceNamespace,
  name: string,
  options?: GetWorkspaceOptions,
): WorkspaceClient;
/** With a stub, a failure of its object is final: a new stub, and so a new client, is needed after it. */
export function getWorkspace(stub: WorkspaceStubLike, options?: GetWorkspaceOptions): WorkspaceClient;
export function getWorkspace(
  source: WorkspaceNamespace | WorkspaceStubLike,
  name?: string | GetWorkspaceOptions,
  more: GetWorkspaceOptions = {},
): WorkspaceClient {
  const options = typeof name === "string" ? more : name;
  const { watch, ...identity } = checkOptions<GetWorkspaceOptions>(clientOptions, options, { syscall: "getWorkspace" });
  const line = new StubHolder(typeof name === "string" ? byName(source as WorkspaceNamespace, name) : byStub(source));
  return clientOn(new RpcClient(line, extendIdentity({}, identity)), { ...defaultWatchPolicy, ...watch });
}

function byName(namespace: WorkspaceNamespace, name: string): () => WorkspaceStub {
  if (typeof namespace?.idFromName !== "function") {
    const reason = "the first argument is no namespace: is the binding in this Worker's wrangler configuration?";
    throw new FsError("EINVAL", { syscall: "getWorkspace", reason });
  }
  return () => namespace.get(namespace.idFromName(name)) as WorkspaceStub;
}

function byStub(source: object): () => WorkspaceStub {
  const stub = source as Partial<WorkspaceStub> | undefined;
  if (typeof stub?.workspaceRpc === "function") return () => stub as WorkspaceStub;
  throw new FsError("EINVAL", { syscall: "getWorkspace", reason: "pass a namespace and a name, or a stub" });
}

function pastOn(connection: RpcClient, policy: PollOptions): PastWorkspace {
  return { fs: createRemoteFileSystem(connection, policy), git: createRemoteGit(connection) };
}

function clientOn(connection: RpcClient, watchPolicy: PollOptions): WorkspaceClient {
  const value = async (verb: string, ...args: unknown[]) => (await connection.call(verb, args)).value;
  return {
    fs: createRemoteFileSystem(connection, watchPolicy),
    git: createRemoteGit(connection),
    history: createRemoteHistory(connection),
    snapshots: createRemoteSnapshots(connection),
    at: (moment) => pastOn(connection.view(connection.identity, moment), watchPolicy),
    shell: createRemoteShell(connection, watchPolicy),
    [internals]: { toolState: createRemoteToolState(connection) },
    as: (identity) => {
      const known = checkOptions<Identity>(identityOptions, identity, { syscall: "as" });
      return clientOn(connection.view(extendIdentity(connection.identity, known)), watchPolicy);
    },
    restrict: (policy) => clientOn(connection.restrict(policy), watchPolicy),
    maintain: async (options) => value("maintain", optionsOf("maintain", options)) as ReturnType<typeof maintain>,
    gc: async (options) => value("gc", optionsOf("gc", options)) as ReturnType<typeof gc>,
    fsck: async (options) => value("fsck", optionsOf("fsck", options)) as ReturnType<typeof fsck>,
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}
