/**
 * The narrow interface between a query and the engine that answers it. An engine reports matches to a sink, file by file in byte
 * order of paths and line by line within one, as ripgrep's searcher reports to its printer. The sink turns them into hits, counts,
 * text or messages.
 */
import type { GrepQuery, GrepStats, GrepTruncation } from "@workspace/protocol";

export type { GrepQuery, GrepStats } from "@workspace/protocol";

export interface SearchEngine {
  readonly name: "container" | "local";
  search(query: GrepQuery, sink: MatchSink, signal?: AbortSignal): Promise<SearchOutcome>;
}

export interface SearchOutcome {
  /** Why the engine stopped early; null when it saw everything, or the sink stopped it. */
  truncatedBy: Extract<GrepTruncation, "bytes" | "steps"> | null;
  /** The file at which it stopped, which was not fully searched. */
  stoppedAt: string | null;
  stats: GrepStats;
}

/** One line, or with `multiline` a range of lines. `bytes` is valid only until the call returns. */
export interface MatchedLine {
  readonly number: number;
  /** Offset of its first byte in the file. */
  readonly offset: number;
  /** With the line ending, if there is one. */
  readonly bytes: Uint8Array;
  /** Pairs of start and end in `bytes`. Empty for inverted matches, and for context unless the search is inverted. */
  readonly ranges: readonly number[];
}

export interface FileEnd {
  readonly path: string;
  /** The offset of the first NUL byte that made it binary; null for text. */
  readonly binaryOffset: number | null;
  /** The search stopped at the NUL byte. Earlier matches may be reported but are not counted. */
  readonly stoppedAtBinary: boolean;
  readonly bytesSearched: number;
  /** The search of the file stopped at `maxPerFile`. */
  readonly limited: boolean;
}

/** A method that returns false ends the search. `begin` comes before the first event of a file, `end` after its last. */
export interface MatchSink {
  begin(path: string): void;
  /** "file": skip the rest of this file. */
  matched(line: MatchedLine): true | false | "file";
  context(line: MatchedLine, kind: "before" | "after"): void;
  /** Lines were left out between one context and the next. */
  gap(): void;
  end(file: FileEnd): boolean;
  /** A text file was searched and has no hit. A sink with this method makes the engine search every file. */
  noMatch?(path: string): void;
  /** Called periodically; a sink that streams returns a promise while its reader is behind, and the engine waits for it. */
  pause?(): Promise<void> | undefined;
}
