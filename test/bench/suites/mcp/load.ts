/** Requests as fast as answers come, on a fixed number of connections; every response is checked. */
import { Agent, request as send } from "node:http";

export interface Target {
  url: string;
  headers: Record<string, string>;
}

export interface Measured {
  callsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Work {
  method: string;
  /** By connection: two that write write two files. */
  params: (connection: number) => Record<string, unknown>;
}

export async function load(
  target: Target,
  work: Work,
  { connections, calls }: { connections: number; calls: number },
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let left = calls;
  const worker = async (_: unknown, connection: number) => {
    while (left-- > 0) {
      const start = performance.now();
      await ask(target, work.method, work.params(connection), agent);
      times.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { callsPerSecond: calls / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** The result; an error ends the run, because a failing contender must not look fast. */
export function ask(
  { url, headers }: Target,
  method: string,
  params: Record<string, unknown>,
  agent?: Agent,
): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      method: "POST",
      agent,
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "Content-Length": Buffer.byteLength(body),
        ...headers,
      },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (text += chunk));
      response.on("end", () => {
        const answer = response.statusCode === 200 ? JSON.parse(text) : null;
        if (answer?.result === undefined || answer.result.isError)
          reject(new Error(`${method}: ${response.statusCode} ${text.slice(0, 300)}`));
        else resolve(response.headers["mcp-session-id"] ?? answer.result);
      });
    });
    sent.end(body);
  });
}
