/** Detects NUL bytes in reported lines: in a memory-mapped file ripgrep checks only these and the file's head. */
import type { MatchedLine } from "../engine.ts";
import type { LineSink } from "./searcher-options.ts";

export class NulDetector implements LineSink {
  /** Offset of the first. */
  found: number | null = null;

  constructor(readonly sink: LineSink) {}

  matched(line: MatchedLine): boolean {
    this.#look(line);
    return this.sink.matched(line);
  }

  context(line: MatchedLine, kind: "before" | "after"): void {
    this.#look(line);
    this.sink.context(line, kind);
  }

  gap(): void {
    this.sink.gap();
  }

  #look({ bytes, offset }: MatchedLine): void {
    const at = this.found === null ? bytes.indexOf(0) : -1;
    if (at >= 0) this.found = offset + at;
  }
}
