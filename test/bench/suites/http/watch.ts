/** The live feed with many watchers: how long after the start of a write each of them has its message, and how many messages a second. */
import WebSocket from "ws";
import { type Asked, ask, type Measured, share, type Target } from "./load.ts";

export async function watch(
  target: Target,
  feed: string,
  requested: (n: number) => Asked,
  { watchers, writes }: { watchers: number; writes: number },
): Promise<Measured> {
  let received = 0;
  let all = Promise.withResolvers<void>();
  const sockets = await Promise.all(
    Array.from({ length: watchers }, async () => {
      const socket = new WebSocket(`${target.origin.replace("http", "ws")}${feed}`, { headers: target.headers });
      // The first message says where "now" is.
      await new Promise((resolve, reject) => socket.once("message", resolve).once("error", reject));
      socket.on("message", (text) => {
        received += (JSON.parse(String(text)) as { changes: unknown[] }).changes.length;
        if (received === watchers) all.resolve();
      });
      return socket;
    }),
  );
  const times: number[] = [];
  const start = performance.now();
  for (let n = 0; n < writes; n++) {
    received = 0;
    all = Promise.withResolvers<void>();
    const began = performance.now();
    await ask(target, requested(n));
    await all.promise;
    times.push(performance.now() - began);
  }
  const seconds = (performance.now() - start) / 1000;
  for (const socket of sockets) socket.terminate();
  return { perSecond: (writes * watchers) / seconds, p50Ms: share(times, 0.5), p99Ms: share(times, 0.99) };
}
