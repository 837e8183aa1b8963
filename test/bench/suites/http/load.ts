/** Requests as fast as answers come, on a fixed number of connections; every response is checked. */
import { Agent, request as send } from "node:http";

export interface Target {
  origin: string;
  headers: Record<string, string>;
}

export interface Asked {
  method: "GET" | "PUT";
  path: string;
  body?: Buffer;
}

export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export async function load(
  target: Target,
  requested: (connection: number) => Asked,
  { connections, calls }: { connections: number; calls: number },
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let left = calls;
  const worker = async (_: unknown, connection: number) => {
    while (left-- > 0) {
      const start = performance.now();
      await ask(target, requested(connection), agent);
      times.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return { perSecond: calls / seconds, p50Ms: share(times, 0.5), p99Ms: share(times, 0.99) };
}

export function share(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** The size of the answer; an error ends the run, because a failing contender must not look fast. */
export function ask({ origin, headers }: Target, { method, path, body }: Asked, agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "Content-Length": body.length };
    const sent = send(`${origin}${path}`, { method, agent, headers: { ...headers, ...length } });
    sent.on("error", reject);
    sent.on("response", (response) => {
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
      });
      response.on("end", () => {
        const code = response.statusCode ?? 0;
        if (code >= 200 && code < 300) resolve(size);
        else reject(new Error(`${method} ${path}: ${code}`));
      });
    });
    sent.end(body);
  });
}
