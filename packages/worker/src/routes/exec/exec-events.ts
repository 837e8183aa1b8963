/** Sends an execution's events as SSE or as WebSocket messages. Disconnecting does not stop the command. */
import type { ExecHandle, ExecEvent as ShellEvent } from "@cloudflare/workspace/shell";
import type { ExecEvent } from "../../api/exec.ts";
import { errorBody } from "../../errors/error-response.ts";
import { atExpiry } from "../../http/expiry.ts";
import { textOrBase64 } from "../../http/text-or-base64.ts";
import { LIMITS } from "../../limits.ts";

const encoder = new TextEncoder();

/** `expiresAt`: of the token; the stream ends then. */
export function serverSentEvents(handle: ExecHandle<"bytes">, expiresAt: number | undefined): Response {
  let timer: ReturnType<typeof setInterval>;
  let cancelExpiry = () => {};
  let ended = false;
  const iterator = handle[Symbol.asyncIterator]();
  const leave = async () => {
    ended = true;
    clearInterval(timer);
    cancelExpiry();
    await handle[Symbol.asyncDispose]();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // A periodic comment: proxies close silent connections.
      timer = setInterval(() => controller.enqueue(encoder.encode(":\n\n")), LIMITS.heartbeatMs);
      cancelExpiry = atExpiry(expiresAt, () => {
        void leave();
        controller.close();
      });
    },
    async pull(controller) {
      let text: string | null;
      try {
        const { done, value } = await iterator.next();
        text = done ? null : sse(execEvent(value));
        if (text !== null && !ended) return controller.enqueue(encoder.encode(text));
      } catch (error) {
        if (!ended) controller.enqueue(encoder.encode(`event: error\ndata: ${JSON.stringify(errorBody(error))}\n\n`));
      }
      if (ended) return;
      await leave();
      controller.close();
    },
    cancel: leave,
  });
  return new Response(body, {
    headers: { "Content-Type": "text/event-stream; charset=utf-8", "X-Accel-Buffering": "no" },
  });
}

export function webSocketEvents(handle: ExecHandle<"bytes">, expiresAt: number | undefined): Response {
  const { 0: client, 1: server } = new WebSocketPair();
  server.accept();
  server.addEventListener("message", () => server.close(1008, "this socket takes no messages"));
  const cancelExpiry = atExpiry(expiresAt, () => server.close(4401, "the token's time is over"));
  const closed = () => {
    cancelExpiry();
    void handle[Symbol.asyncDispose]();
  };
  server.addEventListener("close", closed);
  server.addEventListener("error", closed);
  const run = async () => {
    try {
      for await (const event of handle) server.send(JSON.stringify(execEvent(event)));
      cancelExpiry();
      server.close(1000, "the command has ended");
    } catch (error) {
      server.send(JSON.stringify(errorBody(error)));
      server.close(1011, "the events cannot go on");
    }
  };
  run().catch(() => {});
  return new Response(null, { status: 101, webSocket: client });
}

function sse(event: ExecEvent): string {
  return `id: ${event.seq}\nevent: ${event.name}\ndata: ${JSON.stringify(event)}\n\n`;
}

function execEvent({ seq, name, value }: ShellEvent<"bytes">): ExecEvent {
  if (name === "exit") return { seq, name, value };
  return { seq, name, value: textOrBase64(value) };
}
