/** Searches bytes that are not a file, such as standard input, with the same matcher, searcher and sinks as for workspace files. */
import type { GrepQuery } from "@workspace/protocol";
import { FsError } from "../api/errors.ts";
import type { MatchSink, SearchOutcome } from "./engine.ts";
import { FileSink } from "./file-sink.ts";
import { compileMatcher } from "./matcher.ts";
import { createWork, pauseWork, type StepBudget, StepBudgetExceeded } from "./regex/step-budget.ts";
import { type FileResult, firstLine, searchBytes } from "./searcher/search-file.ts";
import type { SearcherOptions } from "./searcher/searcher-options.ts";
import { emptyStats } from "./stats.ts";

/** `path`: the path reported to the sink. The query's own paths and file filters are ignored. */
export async function searchText(
  query: GrepQuery,
  path: string,
  bytes: Uint8Array,
  sink: MatchSink,
  signal?: AbortSignal,
): Promise<SearchOutcome> {
  const stats = emptyStats();
  if (query.maxPerFile === 0) return { truncatedBy: null, stoppedAt: null, stats };
  const work = createWork(query.budget.steps);
  const { invert, before, after, maxPerFile, mode } = query;
  const settings: SearcherOptions = { invert, before, after, maxPerFile, ranges: mode === "lines" || mode === "json" };
  const file = new FileSink(path, sink);
  let truncatedBy: SearchOutcome["truncatedBy"] = null;
  let result: FileResult = { binaryOffset: null, limited: false, tooLong: false, bytesSearched: 0 };
  try {
    const matcher = compileMatcher(query, work);
    const first = firstLine(matcher, settings, bytes);
    const reading = { nul: query.binary ? "text" : "note", isExplicit: false } as const;
    if (first !== null)
      result = await searchBytes(matcher, settings, file, bytes, reading, first ?? null, () => giveWay(work, signal));
  } catch (error) {
    if (!(error instanceof StepBudgetExceeded)) throw error;
    truncatedBy = "steps";
  }
  const { binaryOffset, limited } = result;
  if (file.begun) sink.end({ path, binaryOffset, stoppedAtBinary: false, bytesSearched: bytes.length, limited });
  else sink.noMatch?.(path);
  Object.assign(stats, {
    filesSearched: 1,
    filesWithHits: file.begun ? 1 : 0,
    lines: file.lines,
    bytesSearched: bytes.length,
    filesLimited: limited ? 1 : 0,
    steps: work.steps,
  });
  return { truncatedBy, stoppedAt: truncatedBy === null ? null : path, stats };
}

async function giveWay(work: StepBudget, signal: AbortSignal | undefined): Promise<void> {
  await pauseWork(work);
  if (signal?.aborted) throw new FsError("ABORT_ERR", { syscall: "grep", cause: signal.reason });
}
