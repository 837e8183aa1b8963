/** The routes of `history`: changes, their actors, diffs, and undo. */

import { FsError } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { blameQuery, historyDiffQuery, historyQuery, toolCallsQuery, undoBody } from "../api/history.ts";
import {
  blameResponse,
  historyDiffResponse,
  historyResponse,
  revertedResponse,
  toolCallsResponse,
} from "../api/history-responses.ts";
import { HttpError } from "../errors/http-error.ts";
import { workspacePath } from "../http/workspace-path.ts";
import { apiChange } from "./api-change.ts";
import { defineRoute, type Route, type RouteContext } from "./route.ts";

const base = "/api/w/:name/history";
const TOOL_CALLS = 100;

export const historyRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: base,
    summary: "What happened, newest first: single changes, or with by=call what each call did",
    access: "read",
    kind: "historyLog",
    query: historyQuery,
    answers: [{ schema: historyResponse }],
    async run({ workspace: { history }, query: { by = "change", path, ...filter } }) {
      const requested = { ...filter, path: workspacePath(path) };
      if (by === "call") {
        const { groups, cursor } = await history.groups(requested);
        return Response.json({ groups: groups.map(({ timeMs, ...group }) => ({ ...group, time: timeMs })), cursor });
      }
      const { entries, cursor } = await history.log(requested);
      return Response.json({ entries: entries.map(apiChange), cursor });
    },
  }),
  defineRoute({
    method: "GET",
    path: `${base}/diff`,
    summary: "The difference between two moments, or the one that a call made",
    access: "read",
    kind: "historyDiff",
    query: historyDiffQuery,
    answers: [{ schema: historyDiffResponse }],
    async run(call) {
      const { path, from: _from, to: _to, callId: _callId, ...options } = call.query;
      const moments = await momentsOf(call);
      const diff = await call.workspace.history.diff({
        ...options,
        ...moments,
        ...(path === undefined ? {} : { path: workspacePath(path) }),
      });
      return Response.json(diff);
    },
  }),
  defineRoute({
    method: "GET",
    path: `${base}/blame`,
    summary: "Which call and which actor wrote each line of a file",
    access: "read",
    kind: "historyBlame",
    query: blameQuery,
    answers: [{ schema: blameResponse }],
    async run({ workspace: { history }, query: { path } }) {
      const { lines, ...blame } = await history.blame(workspacePath(path));
      return Response.json({
        ...blame,
        lines: lines.map(({ timeMs, ...line }) => ({ ...line, ...(timeMs === undefined ? {} : { time: timeMs }) })),
      });
    },
  }),
  defineRoute({
    method: "GET",
    path: `${base}/tools`,
    summary: "The calls of tools, newest first, also of those that changed nothing or were refused",
    access: "read",
    kind: "toolCalls",
    query: toolCallsQuery,
    answers: [{ schema: toolCallsResponse }],
    async run({
      workspace: {
        [internals]: { toolState },
      },
      query: { cursor, limit = TOOL_CALLS },
    }) {
      const found = await toolState.auditLog({ limit, ...(cursor === undefined ? {} : { before: cursor }) });
      const calls = found.map(({ timeMs, durationMs, id: _, ...call }) => ({ ...call, time: timeMs, ms: durationMs }));
      return Response.json({ calls, cursor: found.length < limit ? null : String(found.at(-1)?.id) });
    },
  }),
  defineRoute({
    method: "POST",
    path: `${base}/undo`,
    summary: "Takes back what a call, an actor or everyone did; all or nothing, and itself undone by its group",
    access: "write",
    kind: "historyUndo",
    body: undoBody,
    answers: [{ schema: revertedResponse }],
    async run({ workspace: { history }, body: { path, ...body } }) {
      return Response.json(
        await history.undo({ ...body, ...(path === undefined ? {} : { path: workspacePath(path) }) }),
      );
    },
  }),
];

type DiffCall = RouteContext<{ from?: string; to?: string; callId?: string }, unknown>;

async function momentsOf({
  workspace: { history },
  query: { from, to, callId },
}: DiffCall): Promise<{ from: string; to?: string }> {
  if ((callId === undefined) === (from === undefined))
    throw new HttpError("EINVAL", "say one of two: from (and to), or callId");
  if (from !== undefined) return to === undefined ? { from } : { from, to };
  const { groups } = await history.groups({ callId, limit: 1000 });
  const [last, first] = [groups[0], groups.at(-1)];
  if (last === undefined || first === undefined)
    throw new FsError("ENOENT", { syscall: "diff", reason: `no change of call "${callId}" is kept` });
  return { from: first.before, to: last.cursor };
}
