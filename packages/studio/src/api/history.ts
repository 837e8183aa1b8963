/** Changes, their diffs, and undo. */
import type { ToolCall, ToolCallsResponse, UndoBody } from "@workspace/worker/api";
import { absolute, workspaceUrl } from "./path.ts";
import { sendForJson } from "./request.ts";

/** One change in the log. */
export interface LogEntry {
  cursor: string;
  op: "create" | "write" | "attr" | "link" | "remove" | "rename";
  type: string;
  path: string;
  from?: string;
  /** Milliseconds since 1970. */
  time: number;
  group: number;
  actor?: string;
  callId?: string;
}

export interface LogPage {
  entries: LogEntry[];
  cursor?: string | null;
}

/** The changes of one call: consecutive changes under its id, or one transaction without an id. */
export interface LogGroup {
  group: number;
  actor?: string;
  callId?: string;
  /** Of its last change. */
  time: number;
  entries: number;
  ops: Partial<Record<LogEntry["op"], number>>;
  /** The first paths it touched. */
  paths: string[];
  /** The log's cursors after and before it. */
  cursor: string;
  before: string;
}

export interface LogQuery {
  path?: string;
  actor?: string;
  callId?: string;
  cursor?: string;
  limit?: number;
}

export interface DiffFile {
  path: string;
  from?: string;
  status: "added" | "removed" | "modified" | "renamed";
  type: string;
  binary?: boolean;
  purged?: boolean;
  oldSize?: number;
  newSize?: number;
  oldMode?: number;
  newMode?: number;
  patch?: string;
}

export interface HistoryDiff {
  files: DiffFile[];
  truncated: boolean;
}

export interface Undone {
  total?: number;
  changes?: { path: string; action: string }[];
  conflicts?: { path: string; reason: string }[];
  group?: number | null;
}

/** Newest first. */
export function readLog(workspace: string, query: LogQuery, signal?: AbortSignal): Promise<LogPage> {
  return readHistory(workspace, query, signal);
}

/** Newest first. */
export function readCalls(
  workspace: string,
  query: LogQuery,
  signal?: AbortSignal,
): Promise<{ groups: LogGroup[]; cursor?: string | null }> {
  return readHistory(workspace, { ...query, by: "call" }, signal);
}

/** Newest first, including those that changed nothing. */
export async function readToolCalls(workspace: string, signal?: AbortSignal): Promise<ToolCall[]> {
  const query = { limit: 1000 };
  return (await sendForJson<ToolCallsResponse>(workspaceUrl(workspace, "history/tools"), { query, signal })).calls;
}

function readHistory<T>(workspace: string, query: LogQuery & { by?: "call" }, signal?: AbortSignal): Promise<T> {
  const path = query.path === undefined || query.path === "" ? undefined : absolute(query.path);
  return sendForJson(workspaceUrl(workspace, "history"), { query: { ...query, path }, signal });
}

export function readDiff(
  workspace: string,
  query: { callId?: string; from?: string; to?: string; path?: string },
  signal?: AbortSignal,
): Promise<HistoryDiff> {
  return sendForJson(workspaceUrl(workspace, "history/diff"), { query, signal });
}

export type { ToolCall };

/** All or nothing: a later change is ECONFLICT, and nothing is changed. */
export function undo(workspace: string, body: UndoBody): Promise<Undone> {
  return sendForJson(workspaceUrl(workspace, "history/undo"), { method: "POST", json: body });
}
