/**
 * Streams hits as they are found. The engine waits when its reader is behind, so a stream buffers the hits of at most one window.
 * Stopping the iteration ends the search.
 */
import type { GrepHit, GrepQuery } from "@workspace/protocol";
import { FsError } from "../api/errors.ts";
import type { SearchEngine } from "./engine.ts";
import { HitCollector } from "./sinks/hit-collector.ts";
import { HitLimiter } from "./sinks/hit-limiter.ts";

/** Buffered hits before the engine waits. */
const BEHIND = 100;

export async function* streamHits(
  engine: SearchEngine,
  query: GrepQuery,
  signal?: AbortSignal,
): AsyncGenerator<GrepHit> {
  const waiting: GrepHit[] = [];
  let left = false;
  let ended = false;
  let failure: { error: unknown } | null = null;
  let wakeReader = () => {};
  let wakeEngine = () => {};
  const take = (hit: GrepHit) => {
    waiting.push(hit);
    return !left;
  };
  const pause = () => {
    if (waiting.length > 0) wakeReader();
    if (waiting.length < BEHIND || left) return undefined;
    return new Promise<void>((resolve) => (wakeEngine = resolve));
  };
  const hits = new HitCollector(query, take, pause);
  const sink = new HitLimiter(hits, query);
  const search = engine.search(query, sink, signal).then(
    (end) => {
      const truncatedBy = sink.truncatedBy ?? end.truncatedBy;
      if (truncatedBy !== null && truncatedBy !== "hits") failure = { error: cutShort(truncatedBy, query) };
    },
    (error) => (failure = { error }),
  );
  void search.then(() => {
    hits.finish();
    ended = true;
    wakeReader();
  });
  try {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift() as GrepHit;
      if (ended) break;
      wakeEngine();
      if (waiting.length === 0 && !ended) await new Promise<void>((resolve) => (wakeReader = resolve));
    }
    if (failure !== null) throw (failure as { error: unknown }).error;
  } finally {
    left = true;
    wakeEngine();
    await search;
  }
}

function cutShort(by: string, { paths }: GrepQuery): FsError {
  const reason = `the search stopped: its budget of ${by} is spent; narrow it, or raise the budget`;
  return new FsError("EFBIG", { syscall: "grep", path: paths[0], reason });
}
