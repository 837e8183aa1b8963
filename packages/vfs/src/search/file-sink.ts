/** One file's part of a search: opens the file at the sink with the first report, and counts the reports. */
import type { MatchedLine, MatchSink } from "./engine.ts";
import type { LineSink } from "./searcher/searcher-options.ts";

export class FileSink implements LineSink {
  begun = false;
  lines = 0;
  stopsAll = false;
  #uncharged = 0;

  constructor(
    readonly path: string,
    readonly sink: MatchSink,
  ) {}

  matched(line: MatchedLine): boolean {
    this.#begin();
    this.lines++;
    this.#uncharged++;
    const answer = this.sink.matched(line);
    if (answer === false) this.stopsAll = true;
    return answer === true;
  }

  context(line: MatchedLine, kind: "before" | "after"): void {
    this.#begin();
    this.#uncharged++;
    this.sink.context(line, kind);
  }

  gap(): void {
    this.sink.gap();
  }

  /** The number of lines reported since the last call. */
  takeUncharged(): number {
    const count = this.#uncharged;
    this.#uncharged = 0;
    return count;
  }

  #begin(): void {
    if (!this.begun) this.sink.begin(this.path);
    this.begun = true;
  }
}
