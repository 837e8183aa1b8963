/** Builds the context of one tool call: the workspace by name, checked paths, and files that include queued proposals. */
import type { ToolContext, ToolHost } from "../definition/tool-context.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { ToolError } from "../errors.ts";
import type { ToolLimits } from "../limits.ts";
import type { PathResolver } from "../paths/path-resolver.ts";
import type { Proposal, ToolState } from "../state/tool-state.ts";
import type { FileStore } from "../store/file-store.ts";
import { WorkspaceFileStore } from "../store/workspace-file-store.ts";
import type { ReadCache } from "./read-cache.ts";
import { ToolFiles } from "./tool-files.ts";

export interface ToolsetContext {
  readonly host: ToolHost;
  readonly paths: PathResolver;
  readonly recent: ReadCache;
  readonly actor: string;
}

const NOTHING_QUEUED: ReadonlyMap<string, Proposal> = new Map();

/** `changes`: whether the call may change something, and so needs the workspace under its own name. */
export function callContext(
  frame: ToolsetContext,
  callId: string,
  signal?: AbortSignal,
  changes = true,
): ToolContext | Promise<ToolContext> {
  if (frame.host.mode === "propose") return proposingContext(frame, callId, signal, changes);
  return changes
    ? new CallContext(frame, callId, signal)
    : new CallContext(frame, callId, signal, frame.host.workspace, filesToRead(frame));
}

async function proposingContext(
  frame: ToolsetContext,
  callId: string,
  signal: AbortSignal | undefined,
  changes: boolean,
): Promise<ToolContext> {
  const proposals = await frame.host.state.proposals(frame.actor);
  const queued = new Map(proposals.map((proposal) => [proposal.path, proposal]));
  const workspace = workspaceForCall(frame, callId, changes);
  return new CallContext(frame, callId, signal, workspace, createToolFiles(frame, callId, workspace, queued));
}

function workspaceForCall({ host }: ToolsetContext, callId: string, changes: boolean): ToolWorkspace | undefined {
  return (changes ? host.workspace?.as?.({ callId }) : undefined) ?? host.workspace;
}

/** Read-only calls have no state of their own and share their files. */
const shared = new WeakMap<ToolsetContext, ToolFiles>();

function filesToRead(frame: ToolsetContext): ToolFiles {
  const known = shared.get(frame);
  if (known !== undefined) return known;
  const files = createToolFiles(frame, "", frame.host.workspace, NOTHING_QUEUED);
  shared.set(frame, files);
  return files;
}

function createToolFiles(
  { host, recent, actor }: ToolsetContext,
  callId: string,
  workspace: ToolWorkspace | undefined,
  queued: ReadonlyMap<string, Proposal>,
): ToolFiles {
  const { state, limits, mode, now } = host;
  const behind = host.store === undefined ? workspace : undefined;
  const store = storeFor(host, workspace);
  return new ToolFiles({ store, state, recent, limits, actor, callId, mode, now, queued, workspace: behind });
}

/** Without `files`, they and the workspace under the call's name are created on first use: not every tool needs them. */
class CallContext implements ToolContext {
  readonly host: ToolHost;
  readonly limits: ToolLimits;
  readonly state: ToolState;
  readonly actor: string;
  readonly callId: string;
  readonly paths: PathResolver;
  readonly signal?: AbortSignal;
  readonly #frame: ToolsetContext;
  #workspace: ToolWorkspace | undefined;
  #files: ToolFiles | undefined;

  constructor(
    frame: ToolsetContext,
    callId: string,
    signal: AbortSignal | undefined,
    workspace?: ToolWorkspace,
    files?: ToolFiles,
  ) {
    const { host, paths, actor } = frame;
    this.host = host;
    this.limits = host.limits;
    this.state = host.state;
    this.actor = actor;
    this.callId = callId;
    this.paths = paths;
    if (signal !== undefined) this.signal = signal;
    this.#frame = frame;
    this.#workspace = workspace;
    this.#files = files;
  }

  get workspace(): ToolWorkspace {
    this.#workspace ??= workspaceForCall(this.#frame, this.callId, true);
    if (this.#workspace === undefined) throw new ToolError("UNAVAILABLE", "There is no workspace behind these tools.");
    return this.#workspace;
  }

  view(part: "git" | "shell"): ToolWorkspace {
    const { host } = this.#frame;
    const view = host.views?.[part];
    return view === undefined ? this.workspace : (view.as?.({ callId: this.callId }) ?? view);
  }

  get files(): ToolFiles {
    if (this.#files === undefined) {
      this.#workspace ??= workspaceForCall(this.#frame, this.callId, true);
      this.#files = createToolFiles(this.#frame, this.callId, this.#workspace, NOTHING_QUEUED);
    }
    return this.#files;
  }
}

function storeFor(host: ToolHost, workspace: ToolWorkspace | undefined): FileStore {
  if (host.store !== undefined) return host.store;
  if (workspace !== undefined) return new WorkspaceFileStore(workspace);
  return NO_STORE;
}

function none(): never {
  throw new ToolError("UNAVAILABLE", "There are no files behind these tools.");
}
const NO_STORE: FileStore = { stat: none, read: none, readChunks: none, write: none };
