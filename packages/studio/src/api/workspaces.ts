/** Lists, creates and deletes workspaces. */
import type { CreateBody, StatsResponse, WorkspaceInfo, WorkspacesResponse } from "@workspace/worker/api";
import { workspaceUrl } from "./path.ts";
import { send, sendForJson } from "./request.ts";

export async function listWorkspaces(signal?: AbortSignal): Promise<WorkspaceInfo[]> {
  const found: WorkspaceInfo[] = [];
  let cursor: string | undefined;
  do {
    const page: WorkspacesResponse = await sendForJson("/api/workspaces", { query: { cursor, limit: 1000 }, signal });
    found.push(...page.workspaces);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

export async function createWorkspace(body: CreateBody): Promise<void> {
  await send("/api/workspaces", { method: "POST", json: body });
}

export async function deleteWorkspace(name: string): Promise<void> {
  await send(`/api/w/${encodeURIComponent(name)}`, { method: "DELETE", query: { confirm: name } });
}

export function readStats(workspace: string, signal?: AbortSignal): Promise<StatsResponse> {
  return sendForJson(workspaceUrl(workspace, "stats"), { signal });
}

export type { StatsResponse, WorkspaceInfo };
