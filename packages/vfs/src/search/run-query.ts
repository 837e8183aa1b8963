/** Runs a query on an engine and collects the answer in the form of its mode. */
import type { GrepQuery, GrepResult } from "@workspace/protocol";
import { FsError } from "../api/errors.ts";
import type { MatchSink, SearchEngine } from "./engine.ts";
import { FileCounter } from "./sinks/file-counter.ts";
import { HitCollector } from "./sinks/hit-collector.ts";
import { HitLimiter } from "./sinks/hit-limiter.ts";
import { JsonMessages } from "./sinks/json-messages.ts";

export async function runQuery(engine: SearchEngine, query: GrepQuery, signal?: AbortSignal): Promise<GrepResult> {
  const answer: Pick<GrepResult, "hits" | "files" | "messages"> = { hits: [], files: [], messages: [] };
  const hits = new HitCollector(query, (hit) => answer.hits.push(hit) > 0);
  const sink = createSink(query, answer, hits);
  const end = await engine.search(query, sink, signal);
  hits.finish();
  if (sink instanceof FileCounter) answer.files = sink.files;
  const truncatedBy = sink.truncatedBy ?? end.truncatedBy;
  const cursor = sink.cursor ?? (end.stoppedAt === null ? null : sink.cursorIn(end.stoppedAt));
  if (cursor !== null && cursor === query.cursor) throw tooSmall(end.stoppedAt ?? "", truncatedBy);
  return {
    engine: engine.name,
    ...answer,
    truncated: truncatedBy !== null,
    truncatedBy,
    cursor,
    stats: end.stats,
  };
}

/** Resuming from here would stop here again, forever. */
function tooSmall(path: string, by: string | null): FsError {
  return new FsError("EFBIG", { syscall: "grep", path, reason: `the budget of ${by} is too small for this file` });
}

function createSink(
  query: GrepQuery,
  answer: Pick<GrepResult, "messages">,
  hits: HitCollector,
): MatchSink & Pick<HitLimiter, "truncatedBy" | "cursor" | "cursorIn"> {
  switch (query.mode) {
    case "files":
    case "count":
      return new FileCounter(query);
    case "json":
      return new HitLimiter(new JsonMessages((message) => answer.messages.push(message)), query);
    case "lines":
      return new HitLimiter(hits, query);
    default:
      return query.mode satisfies never;
  }
}
