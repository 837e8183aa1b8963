/** Commands: start one, follow its output (resuming after a disconnect), write its stdin, kill it. */
import type { ExecBody, ExecEvent, ExecList, ExecRecord, ExecStarted } from "@workspace/worker/api";
import { lines } from "./ndjson.ts";
import { workspaceUrl } from "./path.ts";
import { send, sendForJson } from "./request.ts";

export type { ExecEvent, ExecRecord };

const RETRIES = 5;

export function startCommand(workspace: string, body: ExecBody): Promise<ExecStarted> {
  return sendForJson(workspaceUrl(workspace, "exec"), { method: "POST", json: body });
}

export async function listCommands(workspace: string, signal?: AbortSignal): Promise<ExecRecord[]> {
  const { executions } = await sendForJson<ExecList>(workspaceUrl(workspace, "exec"), {
    query: { limit: 200 },
    signal,
  });
  return executions.toSorted((a, b) => b.startedAt - a.startedAt);
}

export async function* commandEvents(workspace: string, id: string, signal?: AbortSignal): AsyncGenerator<ExecEvent> {
  let after = 0;
  for (let broken = 0; broken <= RETRIES; broken++) {
    try {
      for await (const event of eventsAfter(workspace, id, after, signal)) {
        after = event.seq;
        broken = 0;
        yield event;
        if (event.name === "exit") return;
      }
    } catch (error) {
      if (signal?.aborted || broken === RETRIES) throw error;
    }
    await new Promise((wake) => setTimeout(wake, 200 * 2 ** broken));
  }
}

/** Server-sent events, read from a plain request: an ProcessEventSource cannot send our header. */
async function* eventsAfter(workspace: string, id: string, after: number, signal?: AbortSignal) {
  const url = workspaceUrl(workspace, `exec/${encodeURIComponent(id)}/events`);
  const response = await send(url, { query: { after }, headers: { Accept: "text/event-stream" }, signal });
  let data = "";
  for await (const line of lines(response)) {
    if (line.startsWith("data:")) data += line.slice(5).trimStart();
    else if (line === "" && data !== "") {
      yield JSON.parse(data) as ExecEvent;
      data = "";
    }
  }
}

export async function sendInput(workspace: string, id: string, text: string, end = false): Promise<void> {
  const url = workspaceUrl(workspace, `exec/${encodeURIComponent(id)}/stdin`);
  await send(url, { method: "POST", body: text, query: { end: end ? 1 : undefined } });
}

export async function killCommand(workspace: string, id: string, signal: "SIGINT" | "SIGTERM" | "SIGKILL") {
  const url = workspaceUrl(workspace, `exec/${encodeURIComponent(id)}/kill`);
  await send(url, { method: "POST", json: { signal } });
}
