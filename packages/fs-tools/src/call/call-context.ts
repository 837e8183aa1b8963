/** Builds what one call works with: the workspace under its name, checked paths, and files with what is queued in front of them. */
import type { ToolContext, ToolHost } from "../definition/tool-context.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { ToolError } from "../errors.ts";
import type { RecentTexts } from "../files/recent-texts.ts";
import { ToolFiles } from "../files/tool-files.ts";
import type { ToolPaths } from "../files/tool-paths.ts";
import type { Proposal } from "../state/tool-state.ts";
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
  const { host, paths, recent, actor } = frame;
  const named = changes ? host.workspace?.as?.({ actor, callId }) : undefined;
  const workspace = named ?? host.workspace;
  const queued =
    host.mode === "propose"
      ? new Map((await host.state.proposals(actor)).map((proposal) => [proposal.path, proposal]))
      : NOTHING_QUEUED;
  const { state, limits, mode } = host;
  const store = storeFor(host, workspace);
  const files = new ToolFiles({
    ...{ store, state, recent, limits, actor, callId, mode, queued },
    ...(workspace === undefined || host.store !== undefined ? {} : { workspace }),
  });
  return {
    ...{ host, limits, state, actor, callId, paths, files },
    ...(signal === undefined ? {} : { signal }),
    get workspace(): ToolWorkspace {
      if (workspace === undefined) throw new ToolError("UNAVAILABLE", "There is no workspace behind these tools.");
      return workspace;
    },
  };
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
