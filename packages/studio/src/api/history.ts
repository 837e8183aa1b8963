/** What happened, the difference it made, and how to take it back. */
import type { UndoBody } from "@workspace/worker/api";
import { workspaceUrl } from "./path.ts";
import { sendForJson } from "./request.ts";

export interface Undone {
  total?: number;
  changes?: { path: string; action: string }[];
  conflicts?: { path: string; reason: string }[];
  group?: number | null;
}

/** All or nothing: a later change in the way is ECONFLICT, and nothing was changed. */
export function undo(workspace: string, body: UndoBody): Promise<Undone> {
  return sendForJson(workspaceUrl(workspace, "history/undo"), { method: "POST", json: body });
}
