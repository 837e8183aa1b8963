/**
 * The waist between "what to find" and "who finds it". An engine tells a sink what it finds, file by file in byte order of paths
 * and line by line within one, as ripgrep's searcher tells its printer; what becomes of that (hits, counts, text, messages) is
 * the sink's affair.
 */
import type { GrepQuery, GrepStats, GrepTruncation } from "@workspace/protocol";

export type { GrepFile, GrepHit, GrepQuery, GrepResult, GrepStats } from "@workspace/protocol";

export interface SearchEngine {
  readonly name: "container" | "local";
  search(query: GrepQuery, sink: MatchSink, signal?: AbortSignal): Promise<SearchOutcome>;
}

export interface SearchOutcome {
  /** Why the engine stopped by itself; null when it saw everything, or the sink stopped it. */
  truncatedBy: Extract<GrepTruncation, "bytes" | "steps"> | null;
  /** The file at which it stopped, which was not searched to its end. */
  stoppedAt: string | null;
  stats: GrepStats;
}

/** One line, or with `multiline` a stretch of them. `bytes` is valid only until the call returns. */
export interface MatchedLine {
  readonly number: number;
  /** Of its first byte in the file. */
  readonly offset: number;
  /** With the line ending, if there is one. */
  readonly bytes: Uint8Array;
  /** Pairs of start and end in `bytes`; empty for inverted matches, and for context unless it is what an inverted search leaves. */
  readonly ranges: readonly number[];
}

export interface FileEnd {
  readonly path: string;
  /** Where the first NUL byte was seen that made it binary; null for text. */
  readonly binaryOffset: number | null;
  /** It was given up there, and what was found before may be told but does not count. */
  readonly stoppedAtBinary: boolean;
  readonly bytesSearched: number;
  /** The file was given up at `maxPerFile`. */
  readonly limited: boolean;
}

/** A method that returns false ends the search. `begin` comes before the first event of a file, `end` after its last. */
export interface MatchSink {
  begin(path: string): void;
  /** "file": no more of this file. */
  matched(line: MatchedLine): true | false | "file";
  context(line: MatchedLine, kind: "before" | "after"): void;
  /** Lines were left out between one context and the next. */
  gap(): void;
  end(file: FileEnd): boolean;
  /** A text file was searched and has no hit. A sink that wants to know makes the engine look at every file. */
  noMatch?(path: string): void;
  /** Called now and then; a sink that streams returns a promise while its reader is behind, and the engine waits for it. */
  pause?(): Promise<void> | undefined;
}
