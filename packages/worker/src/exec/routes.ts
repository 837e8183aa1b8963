/** `exec`: start a command, follow it from any point, give it input, end it, forget it. */
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
} from "../api/exec.ts";
import { type Call, type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import { identityOf } from "../endpoint/identity-of.ts";
import { HttpError } from "../errors/http-error.ts";
import { locateExisting } from "../files/locate.ts";
import { checkedBody, declaredLength } from "../files/request-body.ts";
import { objectOf } from "../object-of.ts";
import { workspacePath } from "../path/workspace-path.ts";
import { serverSentEvents, socketOfEvents } from "./exec-events.ts";
import { execDetail, execRecords } from "./exec-record.ts";

const one = "/api/w/:name/exec/:id";

export const execEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/api/w/:name/exec",
    summary: "Starts a command: a string through a shell, an argv without one",
    access: "write",
    body: execBody,
    answers: [{ status: 201, schema: execStarted }],
    async run({ workspace, env, name, request, visitor, body }) {
      const { path: cwd, stat } = await locateExisting(workspace.fs, workspacePath(body.cwd));
      if (stat.type !== "dir") throw new FsError("ENOTDIR", { syscall: "exec", path: cwd });
      const { command, argv, stdin, cwd: _, ...options } = body;
      const words = command ?? argv ?? [];
      if (stdin === true) {
        const id = crypto.randomUUID();
        const identity = identityOf(request, visitor);
        const started = await objectOf(env, name).startWithInput({ ...options, id, command: words, cwd, identity });
        if ("error" in started) throw new HttpError(started.error.code, started.error.message);
        return Response.json(started, { status: 201 });
      }
      const input = typeof stdin === "string" ? { stdin } : {};
      await using handle = await workspace.shell.exec(words, { ...options, ...input, cwd });
      return Response.json({ id: handle.id, callId: handle.callId }, { status: 201 });
    },
  }),
  endpoint({
    method: "GET",
    path: "/api/w/:name/exec",
    summary: "The executions that are remembered, newest first",
    access: "read",
    query: execListQuery,
    answers: [{ schema: execList }],
    run: async ({ workspace, query: { limit = 100 } }) =>
      Response.json({ executions: await execRecords(await workspace.shell.list({ limit })) }),
  }),
  endpoint({
    method: "GET",
    path: one,
    summary: "One execution, with its result when it has ended",
    access: "read",
    answers: [{ schema: execRecordSchema }],
    run: async (call) => Response.json(await execDetail(call.workspace.shell, idOf(call))),
  }),
  endpoint({
    method: "DELETE",
    path: one,
    summary: "Forgets an execution that has ended, and its output",
    access: "write",
    answers: [{ status: 204, says: "forgotten" }],
    async run(call) {
      await call.workspace.shell.remove(idOf(call));
      return new Response(null, { status: 204 });
    },
  }),
  endpoint({
    method: "GET",
    path: `${one}/events`,
    summary: "What it prints and how it ends, after a seq (also Last-Event-ID), as server-sent events or a WebSocket",
    access: "read",
    query: execEventsQuery,
    answers: [{ media: "text/event-stream", says: "id: seq, event: stdout, stderr or exit, data: the event" }],
    async run(call) {
      const { request, query } = call;
      const last = /^\d{1,15}$/.exec(request.headers.get("Last-Event-ID") ?? "");
      const resume = query.after ?? (last === null ? 0 : Number(last[0]));
      const handle = await call.workspace.shell.get(idOf(call), { resume, encoding: "bytes" });
      const upgrade = request.headers.get("Upgrade")?.toLowerCase() === "websocket";
      return upgrade ? socketOfEvents(handle) : serverSentEvents(handle);
    },
  }),
  endpoint({
    method: "POST",
    path: `${one}/stdin`,
    summary: "More standard input; with ?end=1 its end",
    access: "write",
    query: execStdinQuery,
    body: "bytes",
    answers: [{ status: 204, says: "taken" }],
    async run(call) {
      const id = idOf(call);
      const { env, name, request, query } = call;
      const object = objectOf(env, name);
      const declared = declaredLength(request.headers, "/");
      for await (const bytes of checkedBody(request.body, { path: "/", declared }))
        await give(call, object, id, bytes, false);
      if (query.end === "1") await give(call, object, id, new Uint8Array(), true);
      return new Response(null, { status: 204 });
    },
  }),
  endpoint({
    method: "POST",
    path: `${one}/kill`,
    summary: "Sends it a signal; default SIGTERM",
    access: "write",
    body: execKillBody,
    answers: [{ status: 204, says: "sent, or it had ended" }],
    async run(call) {
      const id = idOf(call);
      if (await objectOf(call.env, call.name).giveUpInput(id)) return new Response(null, { status: 204 });
      await using handle = await call.workspace.shell.get(id);
      await handle.kill(call.body.signal);
      return new Response(null, { status: 204 });
    },
  }),
];

type Input = Pick<ReturnType<typeof objectOf>, "addInput">;

async function give({ workspace }: Call<unknown, unknown>, object: Input, id: string, bytes: Uint8Array, end: boolean) {
  const taken = await object.addInput(id, bytes, end);
  if (taken === "closed") throw new HttpError("EPIPE", "the command takes no more input");
  if (taken) return;
  await using handle = await workspace.shell.get(id);
  if (bytes.length > 0) await handle.write(bytes);
  if (end) await handle.closeStdin();
}

function idOf(call: Call<unknown, unknown>): string {
  const id = call.param("id");
  if (/^[A-Za-z0-9._-]{1,64}$/.test(id)) return id;
  throw new HttpError("EINVAL", "not an execution's id", { hint: "GET exec lists them." });
}
