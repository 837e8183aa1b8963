/** `exec`: starts a command, follows it from any event, writes its stdin, kills it, deletes its record. */
import { FsError } from "@cloudflare/workspace";
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
import { workspaceStub } from "../../workspace-stub.ts";
import { declaredLength, limitedBody } from "../files/request-body.ts";
import { resolveExisting } from "../files/resolve-path.ts";
import { loggedIdentity } from "../logged-identity.ts";
import { defineRoute, type Route, type RouteContext } from "../route.ts";
import { serverSentEvents, webSocketEvents } from "./exec-events.ts";
import { execDetail, execRecords } from "./exec-record.ts";

const one = "/api/w/:name/exec/:id";

export const execEndpoints: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/api/w/:name/exec",
    summary: "Starts a command: a string through a shell, an argv without one",
    access: "write",
    body: execBody,
    answers: [{ status: 201, schema: execStarted }],
    async run({ workspace, env, name, request, principal, body }) {
      const { path: cwd, stat } = await resolveExisting(workspace.fs, workspacePath(body.cwd));
      if (stat.type !== "dir") throw new FsError("ENOTDIR", { syscall: "exec", path: cwd });
      const { command, argv, stdin, cwd: _, id: chosen, ...options } = body;
      const words = command ?? argv ?? [];
      if (stdin === true) {
        const id = chosen ?? crypto.randomUUID();
        const identity = loggedIdentity(request, principal);
        const started = await workspaceStub(env, name).startWithInput({
          ...options,
          id,
          command: words,
          cwd,
          identity,
        });
        if ("error" in started) throw new HttpError(started.error.code, started.error.message);
        return Response.json(started, { status: 201 });
      }
      const input = typeof stdin === "string" ? { stdin } : {};
      await using handle = await workspace.shell.exec(words, {
        ...options,
        ...input,
        ...(chosen !== undefined && { id: chosen }),
        cwd,
      });
      return Response.json({ id: handle.id, callId: handle.callId }, { status: 201 });
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/w/:name/exec",
    summary: "The executions that are remembered, newest first",
    access: "read",
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
    answers: [{ schema: execRecordSchema }],
    run: async (call) => Response.json(await execDetail(call.workspace.shell, executionId(call))),
  }),
  defineRoute({
    method: "DELETE",
    path: one,
    summary: "Forgets an execution that has ended, and its output",
    access: "write",
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
    query: execStdinQuery,
    body: "bytes",
    answers: [{ status: 204, description: "taken" }],
    async run(call) {
      const id = executionId(call);
      const { env, name, request, query } = call;
      const object = workspaceStub(env, name);
      const declared = declaredLength(request.headers, "/");
      for await (const bytes of limitedBody(request.body, { path: "/", declared }))
        await writeStdin(call, object, id, bytes, false);
      if (query.end === "1") await writeStdin(call, object, id, new Uint8Array(), true);
      return new Response(null, { status: 204 });
    },
  }),
  defineRoute({
    method: "POST",
    path: `${one}/kill`,
    summary: "Sends it a signal; default SIGTERM",
    access: "write",
    body: execKillBody,
    answers: [{ status: 204, description: "sent, or it had ended" }],
    async run(call) {
      const id = executionId(call);
      if (await workspaceStub(call.env, call.name).cancelStdin(id)) return new Response(null, { status: 204 });
      await using handle = await call.workspace.shell.get(id);
      await handle.kill(call.body.signal);
      return new Response(null, { status: 204 });
    },
  }),
];

type Input = Pick<ReturnType<typeof workspaceStub>, "addInput">;

async function writeStdin(
  { workspace }: RouteContext<unknown, unknown>,
  object: Input,
  id: string,
  bytes: Uint8Array,
  end: boolean,
) {
  const taken = await object.addInput(id, bytes, end);
  if (taken === "closed") throw new HttpError("EPIPE", "the command takes no more input");
  if (taken) return;
  await using handle = await workspace.shell.get(id);
  if (bytes.length > 0) await handle.write(bytes);
  if (end) await handle.closeStdin();
}

function executionId(call: RouteContext<unknown, unknown>): string {
  const id = call.param("id");
  if (/^[A-Za-z0-9._-]{1,64}$/.test(id)) return id;
  throw new HttpError("EINVAL", "not an execution's id", { hint: "GET exec lists them." });
}
