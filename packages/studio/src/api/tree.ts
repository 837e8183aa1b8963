/** Lists directories page by page, stats one entry, and moves entries. */
import type { StatAnswer, TreeResponse } from "@workspace/worker/api";
import { absolute, workspaceUrl } from "./path.ts";
import { send, sendForJson } from "./request.ts";

const PAGE = 1000;

export function listPage(
  workspace: string,
  path: string,
  cursor?: string,
  signal?: AbortSignal,
): Promise<TreeResponse> {
  const early = ahead;
  ahead = null;
  if (early?.workspace === workspace && path === "" && cursor === undefined)
    return early.page.catch(() => askPage(workspace, path, cursor, signal));
  return askPage(workspace, path, cursor, signal);
}

/** Prefetches the root before the session is known: the first view no longer waits for one response after the other. */
export function askAhead(workspace: string): void {
  const page = askPage(workspace, "");
  page.catch(() => undefined);
  ahead = { workspace, page };
}

let ahead: { workspace: string; page: Promise<TreeResponse> } | null = null;

function askPage(workspace: string, path: string, cursor?: string, signal?: AbortSignal): Promise<TreeResponse> {
  const query = { path: absolute(path), depth: 1, limit: PAGE, cursor };
  return sendForJson(workspaceUrl(workspace, "tree"), { query, signal });
}

export function stat(workspace: string, path: string, signal?: AbortSignal): Promise<StatAnswer> {
  return sendForJson(workspaceUrl(workspace, "stat"), { query: { path: absolute(path) }, signal });
}

export async function makeFolder(workspace: string, path: string): Promise<void> {
  await send(workspaceUrl(workspace, "mkdir"), { method: "POST", json: { path: absolute(path) } });
}

/** Never overwrites an existing entry. */
export async function renameEntry(workspace: string, from: string, to: string): Promise<void> {
  const json = { from: absolute(from), to: absolute(to), ifTargetVersion: null };
  await send(workspaceUrl(workspace, "rename"), { method: "POST", json });
}
