/**
 * Yields an execution's events until it ends, reconnecting as needed: each connection resumes after the last `seq`, so events are
 * neither missed nor repeated. It fails only after a while without any event.
 */
import type { ApiError, ExecEvent } from "@workspace/worker/api";
import { CliError, UNREACHABLE } from "../cli-error.ts";
import type { Api } from "../client/api.ts";
import { readServerSentEvents } from "../client/server-events.ts";

export interface FollowOptions {
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** Pauses between attempts; after the last one the error is thrown. */
  readonly pausesMs?: readonly number[];
  /** Called before each new attempt. */
  readonly onReconnect?: () => void;
}

const BACKOFF_MS = [100, 250, 500, 1000, 2000, 4000, 4000, 4000, 4000];

export async function* followExecution(api: Api, id: string, options: FollowOptions = {}): AsyncGenerator<ExecEvent> {
  const { signal, pausesMs = BACKOFF_MS, onReconnect } = options;
  let seq = options.after ?? 0;
  let lost = 0;
  for (;;) {
    try {
      for await (const event of connection(api, id, seq, signal)) {
        lost = 0;
        if (event.seq <= seq) continue;
        seq = event.seq;
        yield event;
        if (event.name === "exit") return;
      }
    } catch (error) {
      if (signal?.aborted || !isRetryable(error) || lost >= pausesMs.length) throw error;
    }
    // A stream that ended without an exit was cut off on the way.
    if (lost >= pausesMs.length)
      throw new CliError(
        UNREACHABLE,
        `the connection to execution ${id} is lost`,
        `It may still run: wsx exec --attach ${id}`,
      );
    onReconnect?.();
    await new Promise((wake) => setTimeout(wake, pausesMs[lost++]));
  }
}

async function* connection(api: Api, id: string, after: number, signal?: AbortSignal): AsyncGenerator<ExecEvent> {
  const route = `exec/${encodeURIComponent(id)}/events`;
  const response = await api.send(route, { query: { after }, headers: { Accept: "text/event-stream" }, signal });
  if (response.body === null) return;
  for await (const { event, data } of readServerSentEvents(response.body as unknown as AsyncIterable<Uint8Array>)) {
    if (event !== "error") yield JSON.parse(data) as ExecEvent;
    else {
      const { code, message, hint } = (JSON.parse(data) as ApiError).error;
      throw new CliError(code, message, hint);
    }
  }
}

/** An error response is final; no response, a truncated one and a busy server are not. */
function isRetryable(error: unknown): boolean {
  if (!(error instanceof CliError)) return !(error instanceof SyntaxError);
  return [UNREACHABLE, "UNAVAILABLE", "EAGAIN", "EMFILE"].includes(error.code);
}
