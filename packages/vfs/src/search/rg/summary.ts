/** Names and counts of files, for the outputs that show no lines. */
import type { FileEnd, MatchedLine, MatchSink } from "../engine.ts";
import type { PrintOptions } from "./command.ts";
import type { Write } from "./printer.ts";

const encoder = new TextEncoder();

export class SummaryPrinter implements MatchSink {
  readonly #options: PrintOptions;
  readonly #shown: (path: string) => string;
  readonly #write: Write;
  readonly noMatch?: (path: string) => void;
  #path = "";
  #count = 0;

  constructor(options: PrintOptions, shown: (path: string) => string, write: Write) {
    this.#options = options;
    if (options.output === "files-without-match")
      this.noMatch = (path) => this.#print(`${shown(path)}${options.nul ? "\0" : "\n"}`);
    this.#shown = shown;
    this.#write = write;
  }

  begin(path: string): void {
    this.#path = this.#shown(path);
    this.#count = 0;
  }

  matched({ ranges }: MatchedLine): true | false | "file" {
    this.#count += Math.max(1, ranges.length / 2);
    if (this.#options.output === "quiet") return false;
    return this.#options.output.startsWith("files-") ? "file" : true;
  }

  context(): void {}

  gap(): void {}

  end({ stoppedAtBinary }: FileEnd): boolean {
    const { output, fileName, nul } = this.#options;
    const name = `${this.#path}${nul ? "\0" : ""}`;
    if (output === "files-with-matches") this.#print(nul ? name : `${name}\n`);
    // A file that turned out to be binary has no count.
    else if ((output === "count" || output === "count-matches") && !stoppedAtBinary)
      this.#print(`${fileName ? `${name}${nul ? "" : ":"}` : ""}${this.#count}\n`);
    return output !== "quiet";
  }

  #print(text: string): void {
    this.#write(encoder.encode(text));
  }
}
