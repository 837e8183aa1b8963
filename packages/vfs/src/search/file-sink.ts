/** One file's part of a search: opens the file at the sink with the first report, and counts the reports. */
import type { MatchedLine, MatchSink } from "./engine.ts";
import type { LineSink } from "./searcher/searcher-options.ts";

export class FileSink implements LineSink {
  begun = false;
  lines = 0;
  stopsAll = false;

  constructor(
    readonly path: string,
    readonly sink: MatchSink,
  ) {}

  matched(line: MatchedLine): boolean {
    this.#begin();
    this.lines++;
    const answer = this.sink.matched(line);
    if (answer === false) this.stopsAll = true;
    return answer === true;
  }

  context(line: MatchedLine, kind: "before" | "after"): void {
    this.#begin();
    this.sink.context(line, kind);
  }

  gap(): void {
    this.sink.gap();
  }

  #begin(): void {
    if (!this.begun) this.sink.begin(this.path);
    this.begun = true;
  }
}
