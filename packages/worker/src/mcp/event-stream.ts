/** An SSE response of JSON-RPC messages. Comments keep it alive; a client that does not read is disconnected, and resumes by id. */
import { MCP_LIMITS } from "./limits.ts";

const encoder = new TextEncoder();

export class EventStream {
  readonly #readable: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #closed: () => void;
  #ended = false;

  /** `closed` is called once, whichever side ends it. */
  constructor(closed: () => void = () => {}) {
    this.#closed = closed;
    this.#readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        cancel: () => this.#finish(),
      },
      { highWaterMark: MCP_LIMITS.streamBacklog },
    );
    // A first comment makes the runtime send the headers.
    this.#write(": open\n\n");
    this.#timer = setInterval(() => this.#write(": alive\n\n"), MCP_LIMITS.keepAliveMs);
  }

  response(headers: Record<string, string> = {}): Response {
    const type = {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    };
    return new Response(this.#readable, { headers: { ...type, ...headers } });
  }

  send(message: unknown, id?: string): void {
    this.#write(`event: message\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`);
    if (!this.#ended && (this.#controller.desiredSize ?? 0) <= 0) this.end();
  }

  end(): void {
    if (this.#ended) return;
    this.#finish();
    try {
      this.#controller.close();
    } catch {
      // The client has disconnected.
    }
  }

  #write(text: string): void {
    if (this.#ended) return;
    try {
      this.#controller.enqueue(encoder.encode(text));
    } catch {
      this.#finish();
    }
  }

  #finish(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearInterval(this.#timer);
    this.#closed();
  }
}
