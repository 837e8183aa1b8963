/** Searches names by pattern, and contents: hits stream in. */
import type { GlobResponse, GrepBody, GrepEvent } from "@workspace/worker/api";
import { ndjson } from "./ndjson.ts";
import { workspaceUrl } from "./path.ts";
import { send, sendForJson } from "./request.ts";

export function glob(workspace: string, pattern: string, limit: number, signal?: AbortSignal): Promise<GlobResponse> {
  const query = { pattern, limit, dirs: 0, ignore: 1 };
  return sendForJson(workspaceUrl(workspace, "search/glob"), { query, signal });
}

export async function* grep(workspace: string, body: GrepBody, signal?: AbortSignal): AsyncGenerator<GrepEvent> {
  const headers = { Accept: "application/x-ndjson" };
  const response = await send(workspaceUrl(workspace, "search/grep"), { method: "POST", json: body, headers, signal });
  yield* ndjson<GrepEvent>(response);
}
