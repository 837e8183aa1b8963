/** What a searcher needs to know of a query, and where it tells what it finds. */
import type { MatchedLine } from "../engine.ts";

export interface SearcherOptions {
  readonly invert: boolean;
  readonly before: number;
  readonly after: number;
  readonly maxPerFile: number;
  /** Whether anybody wants to know where in a line the matches are. */
  readonly ranges: boolean;
}

/** The part of a `MatchSink` that is about lines. False: no more of this file. */
export interface LineSink {
  matched(line: MatchedLine): boolean;
  context(line: MatchedLine, kind: "before" | "after"): void;
  gap(): void;
}
