/** The parts of a query that a searcher needs, and its sink. */
import type { MatchedLine } from "../engine.ts";

export interface SearcherOptions {
  readonly invert: boolean;
  readonly before: number;
  readonly after: number;
  readonly maxPerFile: number;
  /** Whether the positions of matches in a line are wanted. */
  readonly ranges: boolean;
}

/** The line events of a `MatchSink`. False: skip the rest of this file. */
export interface LineSink {
  matched(line: MatchedLine): boolean;
  context(line: MatchedLine, kind: "before" | "after"): void;
  gap(): void;
}
