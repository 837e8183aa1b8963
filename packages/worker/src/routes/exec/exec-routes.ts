/** `exec`: starts a command, follows it from any event, writes its stdin, kills it, deletes its record. */
import { FsError } from "@cloudflare/workspace";
import type { ExecOptions, Shell } from "@cloudflare/workspace/shell";
import {
  execBody,
  execEventsQuery,
  execKillBody,
  execList,
  execListQuery,
  execRecord as execRecordSchema,
  execStarted,
  execStdinQuery,
} from "../../api/exec.ts";
import { HttpError } from "../../errors/http-error.ts";
import { workspacePath } from "../../http/workspace-path.ts";
import { declaredLength, limitedBody } from "../files/request-body.ts";
import { resolveExisting } from "../files/resolve-path.ts";
import { defineRoute, type Route, type RouteContext } from "../route.ts";
import { serverSentEvents, webSocketEvents } from "./exec-events.ts";
import { execDetail, execRecords } from "./exec-record.ts";

const one = "/api/w/:name/exec/:id";

export const execRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/api/w/:name/exec",
    summary: "Starts a command: a string through a shell, an argv without one",
    access: "write",
    kind: "shellExec",
    body: execBody,
    answers: [{ status: 201, schema: execStarted }],
    async run({ workspace, object, body }) {
      const { path: cwd, stat } = await resolveExisting(workspace.fs, workspacePath(body.cwd));
      if (stat.type !== "dir") throw new FsError("ENOTDIR", { syscall: "exec", path: cwd });
      const { command, argv, stdin, cwd: _, id: chosen, ...options } = body;
      const words = command ?? argv ?? [];
      const id = chosen === undefined ? {} : { id: chosen };
      const input = typeof stdin === "string" ? { stdin } : {};
      const started =
        stdin === true
          ? await object.stdin.start(workspace.shell, {
              ...options,
              id: chosen ?? crypto.randomUUID(),
              command: words,
              cwd,
            })
          : await start(workspace.shell, words, { ...options, ...input, ...id, cwd });
      object.follow(started);
      return Response.json(started, { status: 201 });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/w/:name/exec",
    summary: "The executions that are remembered, newest first",
    access: "read",
    kind: "shellList",
    query: execListQuery,
    answers: [{ schema: execList }],
    run: async ({ workspace, query: { limit = 100, state } }) =>
      Response.json({
        executions: await execRecords(await workspace.shell.list({ limit, ...(state && { state }) })),
      }),
  }),
  defineRoute({
    method: "GET",
    path: one,
    summary: "One execution, with its result when it has ended",
    access: "read",
    kind: "shellGet",
    answers: [{ schema: execRecordSchema }],
    run: async (call) => Response.json(await execDetail(call.workspace.shell, executionId(call))),
  }),
  defineRoute({
    method: "DELETE",
    path: one,
    summary: "Forgets an execution that has ended, and its output",
    access: "write",
    kind: "shellRemove",
    answers: [{ status: 204, description: "forgotten" }],
    async run(call) {
      await call.workspace.shell.remove(executionId(call));
      return new Response(null, { status: 204 });
    },
  }),
  defineRoute({
    method: "GET",
    path: `${one}/events`,
    summary: "What it prints and how it ends, after a seq (also Last-Event-ID), as server-sent events or a WebSocket",
    access: "read",
    kind: "shellEvents",
    query: execEventsQuery,
    answers: [{ media: "text/event-stream", description: "id: seq, event: stdout, stderr or exit, data: the event" }],
    async run(call) {
      const { request, query } = call;
      const { expiresAt } = call.principal.scope;
      const last = /^\d{1,15}$/.exec(request.headers.get("Last-Event-ID") ?? "");
      const resume = query.after ?? (last === null ? 0 : Number(last[0]));
      const handle = await call.workspace.shell.get(executionId(call), { resume, encoding: "bytes" });
      const upgrade = request.headers.get("Upgrade")?.toLowerCase() === "websocket";
      return upgrade ? webSocketEvents(handle, expiresAt) : serverSentEvents(handle, expiresAt);
    },
  }),
  defineRoute({
    method: "POST",
    path: `${one}/stdin`,
    summary: "More standard input; with ?end=1 its end",
    access: "write",
    kind: "shellWrite",
    query: execStdinQuery,
    body: "bytes",
    answers: [{ status: 204, description: "taken" }],
    async run(call) {
      const id = executionId(call);
      const { request, query } = call;
      const declared = declaredLength(request.headers, "/");
      for await (const bytes of limitedBody(request.body, { path: "/", declared }))
        await writeStdin(call, id, bytes, false);
      if (query.end === "1") await writeStdin(call, id, new Uint8Array(), true);
      return new Response(null, { status: 204 });
    },
  }),
  defineRoute({
    method: "POST",
    path: `${one}/kill`,
    summary: "Sends it a signal; default SIGTERM",
    access: "write",
    kind: "shellKill",
    body: execKillBody,
    answers: [{ status: 204, description: "sent, or it had ended" }],
    async run(call) {
      const id = executionId(call);
      if (call.object.stdin.cancel(id)) return new Response(null, { status: 204 });
      await using handle = await call.workspace.shell.get(id);
      await handle.kill(call.body.signal);
      return new Response(null, { status: 204 });
    },
  }),
];

async function start(
  shell: Shell,
  command: string | string[],
  options: ExecOptions<"bytes">,
): Promise<{ id: string; callId: string }> {
  await using handle = await shell.exec(command, options);
  return { id: handle.id, callId: handle.callId };
}

async function writeStdin(
  { workspace, object }: RouteContext<unknown, unknown>,
  id: string,
  bytes: Uint8Array,
  end: boolean,
): Promise<void> {
  if (await object.stdin.add(id, bytes, end)) return;
  await using handle = await workspace.shell.get(id);
  if (bytes.length > 0) await handle.write(bytes);
  if (end) await handle.closeStdin();
}

function executionId(call: RouteContext<unknown, unknown>): string {
  const id = call.param("id");
  if (/^[A-Za-z0-9._-]{1,64}$/.test(id)) return id;
  throw new HttpError("EINVAL", "not an execution's id", { hint: "GET exec lists them." });
}
