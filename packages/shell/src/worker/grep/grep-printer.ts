/** Prints matches as grep does, file by file: whether a file is binary is determined after its search. */
import type { FileEnd, MatchedLine, MatchSink } from "@workspace/vfs";
import type { GrepPrint } from "./grep-command.ts";

const encoder = new TextEncoder();
const LF = 0x0a;

/** A file's output if it is text; for a binary file only that it matches. */
export interface PrintedFile {
  readonly path: string;
  readonly count: number;
  readonly text: readonly Uint8Array[];
}

/** Counted over all files of a command. */
export interface Groups {
  count: number;
}

export class GrepPrinter implements MatchSink {
  readonly printed: PrintedFile[] = [];
  readonly noMatch?: (path: string) => void;
  readonly #print: GrepPrint;
  readonly #fileName: boolean;
  readonly #shown: (path: string) => string;
  #name = "";
  #file: Uint8Array[] = [];
  #count = 0;
  /** The previous printed line; a gap in line numbers ends a group. */
  #last = -1;
  readonly #groups: Groups;

  constructor(print: GrepPrint, fileName: boolean, shown: (path: string) => string, groups: Groups = { count: 0 }) {
    this.#print = print;
    this.#groups = groups;
    this.#fileName = fileName;
    this.#shown = shown;
    if (print.output === "names-without" || print.output === "count") this.noMatch = (path) => this.#without(path);
  }

  begin(path: string): void {
    this.#name = this.#shown(path);
    this.#file = [];
    this.#count = 0;
    this.#last = -1;
  }

  matched(line: MatchedLine): true | false | "file" {
    const { output, onlyMatching, invert } = this.#print;
    this.#count++;
    if (output === "quiet") return false;
    if (output === "names" || output === "names-without") return "file";
    if (output === "count") return true;
    this.#separate(line.number);
    if (!onlyMatching) this.#line(line, ":", line.bytes, line.offset);
    else if (!invert) this.#matches(line);
    return true;
  }

  context(line: MatchedLine): void {
    if (this.#print.output !== "lines") return;
    this.#separate(line.number);
    if (!this.#print.onlyMatching) this.#line(line, "-", line.bytes, line.offset);
  }

  /** Detected by line numbers instead. */
  gap(): void {}

  end({ path }: FileEnd): boolean {
    const { output } = this.#print;
    if (output === "names") this.#emit(`${this.#name}${this.#print.nul ? "\0" : "\n"}`);
    if (output === "count") this.#emit(`${this.#prefix(":")}${this.#count}\n`);
    this.printed.push({ path, count: this.#count, text: this.#file });
    return output !== "quiet";
  }

  #without(path: string): void {
    this.begin(path);
    const isCount = this.#print.output === "count";
    this.#emit(isCount ? `${this.#prefix(":")}0\n` : `${this.#name}${this.#print.nul ? "\0" : "\n"}`);
    this.printed.push({ path, count: isCount ? 0 : 1, text: this.#file });
  }

  #matches({ ranges, bytes, offset, number }: MatchedLine): void {
    for (let i = 0; i + 1 < ranges.length; i += 2) {
      const [start, end] = [ranges[i] as number, ranges[i + 1] as number];
      if (end > start) this.#line({ number }, ":", bytes.subarray(start, end), offset + start);
    }
  }

  #line({ number }: Pick<MatchedLine, "number">, mark: ":" | "-", bytes: Uint8Array, offset: number): void {
    const { lineNumber, byteOffset } = this.#print;
    const head = `${this.#prefix(mark)}${lineNumber ? `${number}${mark}` : ""}${byteOffset ? `${offset}${mark}` : ""}`;
    if (head !== "") this.#file.push(encoder.encode(head));
    this.#file.push(bytes.slice());
    if (bytes.at(-1) !== LF) this.#file.push(Uint8Array.of(LF));
  }

  #separate(number: number): void {
    const { hasContext, separator } = this.#print;
    const begins = number !== this.#last + 1 || this.#last < 0;
    this.#last = number;
    if (!hasContext || !begins || separator === null) return;
    if (this.#groups.count++ > 0) this.#file.push(encoder.encode(`${separator}\n`));
  }

  #prefix(mark: ":" | "-"): string {
    if (!this.#fileName) return "";
    return `${this.#name}${this.#print.nul ? "\0" : mark}`;
  }

  #emit(text: string): void {
    this.#file.push(encoder.encode(text));
  }
}
