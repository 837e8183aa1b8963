/** A WebSocket with headers, which the global one does not support; messages are queued until read. */
import { WebSocket } from "ws";
import { CliError, UNREACHABLE } from "../src/cli-error.ts";
import type { MessageSocket } from "../src/io.ts";

const MAX_MESSAGE = 16 * 1024 * 1024;

export async function openWebSocket(url: string, headers: Record<string, string>): Promise<MessageSocket> {
  const socket = new WebSocket(url, { headers, maxPayload: MAX_MESSAGE, perMessageDeflate: false });
  const queue = new Queue();
  socket.on("message", (data) => queue.push(String(data)));
  socket.on("close", () => queue.end());
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", (error) =>
      reject(new CliError(UNREACHABLE, `cannot reach ${new URL(url).host} (${error.message})`)),
    );
    socket.once("unexpected-response", (_request, response) => {
      let body = "";
      response.on("data", (chunk) => (body += chunk));
      response.on("end", () => reject(refusal(response.statusCode ?? 0, body)));
    });
  });
  socket.on("error", () => socket.terminate());
  return {
    close: () => socket.close(),
    [Symbol.asyncIterator]: () => queue.values(),
  };
}

function refusal(status: number, body: string): CliError {
  try {
    const { code, message, hint } = (JSON.parse(body) as { error: { code: string; message: string; hint?: string } })
      .error;
    return new CliError(code, message, hint);
  } catch {
    return new CliError(
      status >= 500 ? UNREACHABLE : `HTTP_${status}`,
      `the server answered ${status} to the WebSocket`,
    );
  }
}

class Queue {
  readonly #waiting: string[] = [];
  #ended = false;
  #wake: () => void = () => {};

  push(text: string): void {
    this.#waiting.push(text);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *values(): AsyncGenerator<string> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#ended) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
