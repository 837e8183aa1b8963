/** What a searcher needs to know of a query, and where it tells what it finds. */
import type { FoundLine } from "../engine.ts";

export interface Settings {
  readonly invert: boolean;
  readonly before: number;
  readonly after: number;
  readonly maxPerFile: number;
  /** Whether anybody wants to know where in a line the matches are. */
  readonly ranges: boolean;
}

/** The part of a `MatchSink` that is about lines. False: no more of this file. */
export interface LineSink {
  matched(line: FoundLine): boolean;
  context(line: FoundLine, kind: "before" | "after"): void;
  gap(): void;
}
