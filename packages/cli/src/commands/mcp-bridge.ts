/**
 * Bridges MCP over stdio to streamable HTTP: one JSON-RPC message per line, each POSTed as it arrives, with responses written as
 * they arrive. The bridge carries the session that the server opens at `initialize`, reconnects its notification stream, and ends
 * the session with the input. A request that cannot be answered gets an error, so that no client waits forever.
 */

import { CliError } from "../cli-error.ts";
import type { Api } from "../client/api.ts";
import { readLines } from "../client/lines.ts";
import { readServerSentEvents } from "../client/server-events.ts";
import type { CommandContext } from "../command.ts";

const INTERNAL_ERROR = -32603;
const PARSE_ERROR = -32700;
const RETRY_MS = 1000;

interface RpcMessage {
  id?: string | number | null;
  method?: string;
  params?: { protocolVersion?: string };
  result?: { protocolVersion?: string };
}

export async function mcpBridge(context: CommandContext): Promise<number> {
  const bridge = new Bridge(context);
  using _ = context.io.onInterrupt(() => bridge.stop());
  for await (const line of readLines(bridge.input(context.io.stdin()))) {
    if (line.trim() !== "") bridge.take(line);
  }
  await bridge.end();
  return 0;
}

class Bridge {
  readonly #api: Api;
  readonly #io: CommandContext["io"];
  readonly #stopped = new AbortController();
  readonly #running = new Set<Promise<void>>();
  /** Each bridge is a separate actor: none may overwrite another's changes since its last read. */
  readonly #actor = `wsx-${crypto.randomUUID().slice(0, 8)}`;
  #session: string | null = null;
  #version: string | null = null;
  #initializing: Promise<void> | null = null;

  constructor({ api, io }: CommandContext) {
    this.#api = api;
    this.#io = io;
  }

  /** Until the input ends, or until `stop`. */
  async *input(stdin: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const iterator = stdin[Symbol.asyncIterator]();
    const stopped = new Promise<null>((done) => this.#stopped.signal.addEventListener("abort", () => done(null)));
    for (;;) {
      const next = await Promise.race([iterator.next(), stopped]);
      if (next === null || next.done) return;
      yield next.value;
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Requests run concurrently, but only after `initialize` has opened the session. */
  take(line: string): void {
    let message: RpcMessage;
    try {
      message = JSON.parse(line) as RpcMessage;
    } catch {
      void this.#write({ jsonrpc: "2.0", id: null, error: { code: PARSE_ERROR, message: "not JSON" } });
      return;
    }
    const work =
      message?.method === "initialize"
        ? this.#exchange(line, message)
        : (this.#initializing ?? Promise.resolve()).then(() => this.#exchange(line, message));
    if (message?.method === "initialize") this.#initializing = work;
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async end(): Promise<void> {
    // Waits for pending responses unless stopped.
    if (!this.#stopped.signal.aborted) await Promise.all(this.#running);
    this.#stopped.abort();
    if (this.#session === null) return;
    await this.#api.sendDiscardingBody(this.#route, { method: "DELETE", headers: this.#headers() }).catch(() => {});
  }

  get #route(): string {
    return `/mcp/${this.#api.settings.workspace}`;
  }

  #headers(): Record<string, string> {
    return {
      "X-Workspace-Actor": this.#actor,
      ...(this.#session === null ? {} : { "Mcp-Session-Id": this.#session }),
      ...(this.#version === null ? {} : { "Mcp-Protocol-Version": this.#version }),
    };
  }

  async #exchange(line: string, message: RpcMessage): Promise<void> {
    try {
      const response = await this.#api.send(this.#route, {
        method: "POST",
        headers: {
          ...this.#headers(),
          Accept: "application/json, text/event-stream",
          "Content-Type": "application/json",
        },
        body: new TextEncoder().encode(line),
        signal: this.#stopped.signal,
      });
      this.#session = response.headers.get("Mcp-Session-Id") ?? this.#session;
      for await (const text of messagesOf(response)) {
        if (message.method === "initialize")
          this.#version = (JSON.parse(text) as RpcMessage).result?.protocolVersion ?? null;
        await this.#io.out(`${text}\n`);
      }
      if (message.method === "notifications/initialized" && this.#session !== null) void this.#listen();
    } catch (error) {
      if (!this.#stopped.signal.aborted) await this.#failed(message, error);
    }
  }

  /** Reads notifications, resuming after the last one received. */
  async #listen(): Promise<void> {
    let last: string | null = null;
    while (!this.#stopped.signal.aborted) {
      try {
        const response = await this.#api.send(this.#route, {
          headers: {
            ...this.#headers(),
            Accept: "text/event-stream",
            ...(last === null ? {} : { "Last-Event-ID": last }),
          },
          signal: this.#stopped.signal,
        });
        for await (const { data, id } of readServerSentEvents(response.body as unknown as AsyncIterable<Uint8Array>)) {
          last = id ?? last;
          if (data !== "") await this.#io.out(`${data}\n`);
        }
      } catch (error) {
        // The session has ended, or this server has no such stream: there is nothing to read.
        if (
          error instanceof CliError &&
          /^(?:HTTP_)?(?:404|405|NO_SESSION|METHOD_NOT_ALLOWED|UNAUTHORIZED)$/.test(error.code)
        )
          return;
      }
      await new Promise((wake) => setTimeout(wake, RETRY_MS));
    }
  }

  async #failed(message: RpcMessage, error: unknown): Promise<void> {
    const {
      code,
      message: words,
      hint,
    } = error instanceof CliError ? error : new CliError("INTERNAL", (error as Error).message);
    await this.#io.err(`wsx: ${code}: ${words}\n`);
    // A notification gets no response.
    if (message.id === undefined || message.id === null || message.method === undefined) return;
    await this.#write({
      jsonrpc: "2.0",
      id: message.id,
      error: { code: INTERNAL_ERROR, message: `${code}: ${words}`, data: { code, hint } },
    });
  }

  #write(message: unknown): Promise<void> {
    return this.#io.out(`${JSON.stringify(message)}\n`);
  }
}

async function* messagesOf(response: Response): AsyncGenerator<string> {
  if (response.status === 202 || response.body === null) return void (await response.body?.cancel());
  if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) {
    // Serialized again, so that it is one line whatever the server sent.
    yield JSON.stringify(await response.json());
    return;
  }
  for await (const { data } of readServerSentEvents(response.body as unknown as AsyncIterable<Uint8Array>))
    if (data !== "") yield data;
}
