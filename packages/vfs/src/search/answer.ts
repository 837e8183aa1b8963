/** Runs a query on an engine and gathers the answer in the form that its mode asks for. */
import type { GrepAnswer, GrepQuery } from "@workspace/protocol";
import type { MatchSink, SearchEngine } from "./engine.ts";
import { FileCounter } from "./sinks/file-counter.ts";
import { HitCollector } from "./sinks/hit-collector.ts";
import { JsonMessages } from "./sinks/json-messages.ts";
import { Quota } from "./sinks/quota.ts";

export async function answerQuery(engine: SearchEngine, query: GrepQuery, signal?: AbortSignal): Promise<GrepAnswer> {
  const answer: Pick<GrepAnswer, "hits" | "files" | "messages"> = { hits: [], files: [], messages: [] };
  const sink = sinkOf(query, answer);
  const end = await engine.search(query, sink, signal);
  if (sink instanceof FileCounter) answer.files = sink.files;
  const truncatedBy = sink.truncatedBy ?? end.truncatedBy;
  return {
    engine: engine.name,
    ...answer,
    truncated: truncatedBy !== null,
    truncatedBy,
    cursor: sink.cursor ?? (end.stoppedAt === null ? null : sink.cursorIn(end.stoppedAt)),
    stats: end.stats,
  };
}

function sinkOf(
  query: GrepQuery,
  answer: Pick<GrepAnswer, "hits" | "messages">,
): MatchSink & Pick<Quota, "truncatedBy" | "cursor" | "cursorIn"> {
  switch (query.mode) {
    case "files":
    case "count":
      return new FileCounter(query);
    case "json":
      return new Quota(new JsonMessages((message) => answer.messages.push(message)), query);
    case "lines":
      return new Quota(new HitCollector(query, (hit) => answer.hits.push(hit) > 0), query);
    default:
      return query.mode satisfies never;
  }
}
