/** The local search engine: it runs inside the object and needs only the volume. */

import type { GrepQuery } from "@workspace/protocol";
import { searchLimits } from "../api/limits.ts";
import { WalkFilter } from "../match/walk-filter.ts";
import type { ReadView } from "../volume/views.ts";
import { keepCode, keepWalkCode, nowhere } from "../walk/keep-code.ts";
import type { SearchEngine, SearchOutcome } from "./engine.ts";
import { FileSink } from "./file-sink.ts";
import { walkFiles } from "./files.ts";
import { IndexPlan } from "./index/plan.ts";
import { SegmentTable } from "./index/segment-table.ts";
import { LocalSearch } from "./local-search.ts";
import { compileMatcher } from "./matcher.ts";
import { parseGrepOptions } from "./query.ts";
import { createWork } from "./regex/step-budget.ts";
import { LineSearch } from "./searcher/line-search.ts";
import { HitCollector } from "./sinks/hit-collector.ts";
import { HitLimiter } from "./sinks/hit-limiter.ts";
import { emptyStats } from "./stats.ts";

export interface LocalEngineOptions {
  /** False: search every file, and build nothing. The answers are the same. */
  index?: boolean;
}

export function createLocalEngine(volume: ReadView, { index = true }: LocalEngineOptions = {}): SearchEngine {
  keepSearchCode();
  return {
    name: "local",
    search: async (query, sink, signal) =>
      query.maxPerFile === 0 ? nothingWanted(volume, query) : new LocalSearch(volume, query, sink, signal, index).run(),
  };
}

/** As ripgrep: it then validates the file filters, but neither the pattern nor the paths. */
function nothingWanted(volume: ReadView, query: GrepQuery): SearchOutcome {
  walkFiles(volume.ensureOpen(), { ...query, paths: [] }, { ignored: 0 }).next();
  return { truncatedBy: null, stoppedAt: null, stats: emptyStats() };
}

function keepSearchCode(): void {
  keepWalkCode();
  keepCode("search", () => {
    const query = parseGrepOptions("a[b-d]", "/", { regex: true }, searchLimits);
    const sink = new HitLimiter(new HitCollector(query, () => true), query);
    const { invert, before, after, maxPerFile } = query;
    const matcher = compileMatcher(query, createWork(query.budget.steps));
    const lines = new LineSearch(matcher, { invert, before, after, maxPerFile, ranges: true }, new FileSink("", sink));
    lines.search(new TextEncoder().encode("a\nab\n"));
    return [
      lines,
      new LocalSearch(nowhere, query, sink, undefined, true),
      new IndexPlan(nowhere, new SegmentTable("", []), new Map()),
      new WalkFilter(nowhere, "/", { ignore: false, hidden: false, overrides: null, types: null, cwd: "/" }),
    ];
  });
}
