/** Builds what one call works with: the workspace under its name, checked paths, and files with what is queued in front of them. */
import type { ToolContext, ToolHost } from "../definition/tool-context.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { ToolError } from "../errors.ts";
import type { RecentTexts } from "../files/recent-texts.ts";
import { ToolFiles } from "../files/tool-files.ts";
import type { ToolPaths } from "../files/tool-paths.ts";
import type { ToolLimits } from "../limits.ts";
import type { Proposal, ToolState } from "../state/tool-state.ts";
import type { FileStore } from "../store/file-store.ts";
import { WorkspaceFileStore } from "../store/workspace-file-store.ts";

export interface CallFrame {
  host: ToolHost;
  paths: ToolPaths;
  recent: RecentTexts;
  actor: string;
}

const NOTHING_QUEUED: ReadonlyMap<string, Proposal> = new Map();

/** `changes`: whether the call may change something, and so needs the workspace under its own name. */
export async function callContext(
  frame: CallFrame,
  callId: string,
  signal?: AbortSignal,
  changes = true,
): Promise<ToolContext> {
  const { host, actor } = frame;
  const named = changes ? host.workspace?.as?.({ actor, callId }) : undefined;
  const workspace = named ?? host.workspace;
  const queued =
    host.mode === "propose"
      ? new Map((await host.state.proposals(actor)).map((proposal) => [proposal.path, proposal]))
      : NOTHING_QUEUED;
  return new CallContext(frame, callId, signal, workspace, queued);
}

class CallContext implements ToolContext {
  readonly host: ToolHost;
  readonly limits: ToolLimits;
  readonly state: ToolState;
  readonly actor: string;
  readonly callId: string;
  readonly paths: ToolPaths;
  readonly files: ToolFiles;
  readonly signal?: AbortSignal;
  readonly #workspace: ToolWorkspace | undefined;

  constructor(
    { host, paths, recent, actor }: CallFrame,
    callId: string,
    signal: AbortSignal | undefined,
    workspace: ToolWorkspace | undefined,
    queued: ReadonlyMap<string, Proposal>,
  ) {
    const { state, limits, mode } = host;
    this.host = host;
    this.limits = limits;
    this.state = state;
    this.actor = actor;
    this.callId = callId;
    this.paths = paths;
    if (signal !== undefined) this.signal = signal;
    this.#workspace = workspace;
    const behind = host.store === undefined ? workspace : undefined;
    const store = storeFor(host, workspace);
    this.files = new ToolFiles({ store, state, recent, limits, actor, callId, mode, queued, workspace: behind });
  }

  get workspace(): ToolWorkspace {
    if (this.#workspace === undefined) throw new ToolError("UNAVAILABLE", "There is no workspace behind these tools.");
    return this.#workspace;
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
