/** The engine inside the object, which needs only the volume. */
import type { GrepQuery } from "@workspace/protocol";
import { searchLimits } from "../api/limits.ts";
import { WalkFilter } from "../match/walk-filter.ts";
import type { Inode } from "../tree/inode.ts";
import type { Volume } from "../volume/volume.ts";
import { DirectoryFrame } from "../walk/directory-frame.ts";
import { InodeBatch } from "../walk/inode-batch.ts";
import { Walker } from "../walk/walker.ts";
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

export function createLocalEngine(volume: Volume, { index = true }: LocalEngineOptions = {}): SearchEngine {
  keepCode();
  return {
    name: "local",
    search: async (query, sink, signal) =>
      query.maxPerFile === 0 ? nothingWanted(volume, query) : new LocalSearch(volume, query, sink, signal, index).run(),
  };
}

/** As ripgrep: it then validates the file filters, but neither the pattern nor the paths. */
function nothingWanted(volume: Volume, query: GrepQuery): SearchOutcome {
  walkFiles(volume.ensureOpen(), { ...query, paths: [] }, { ignored: 0 }).next();
  return { truncatedBy: null, stoppedAt: null, stats: emptyStats() };
}

let retained: unknown;

/**
 * V8 discards the optimized code for a class when it collects the last instance, and a search ends with none left: after a full
 * collection the next search would start in the interpreter, at half the speed. So one instance of each hot class stays alive.
 */
function keepCode(): void {
  if (retained !== undefined) return;
  const query = parseGrepOptions("a[b-d]", "/", { regex: true }, searchLimits);
  const sink = new HitLimiter(new HitCollector(query, () => true), query);
  const { invert, before, after, maxPerFile } = query;
  const matcher = compileMatcher(query, createWork(query.budget.steps));
  const lines = new LineSearch(matcher, { invert, before, after, maxPerFile, ranges: true }, new FileSink("", sink));
  lines.search(new TextEncoder().encode("a\nab\n"));
  const nowhere = { cache: { read: 0 }, headRev: 0, epochToken: "" } as unknown as Volume;
  const options = { ignore: false, hidden: false, overrides: null, types: null, cwd: "/" };
  retained = [
    lines,
    new LocalSearch(nowhere, query, sink, undefined, true),
    new IndexPlan(nowhere, new SegmentTable("", []), new Map()),
    new WalkFilter(nowhere, "/", options),
    new Walker<string>(nowhere, { ino: 0 } as Inode, { what: "inodes", maxDepth: 0, limit: 0 }),
    new DirectoryFrame<string>(0, "", null),
    new InodeBatch(),
  ];
}
