/** What a search finds, as grep prints it. A file that turns out to be binary takes its lines back; whether it matches is asked again. */
import type { FileEnd, FoundLine, MatchSink } from "@workspace/vfs";
import type { GrepPrint } from "./grep-command.ts";

const encoder = new TextEncoder();
const LF = 0x0a;

/** Bytes to print, or a binary file about which only one thing is to be said. */
export type Printed = Uint8Array | { readonly binary: string };

export class GrepPrinter implements MatchSink {
  readonly printed: Printed[] = [];
  /** Some line was selected. */
  any = false;
  readonly missed?: (path: string) => void;
  readonly #print: GrepPrint;
  readonly #fileName: boolean;
  readonly #shown: (path: string) => string;
  #name = "";
  #file: Uint8Array[] = [];
  #count = 0;
  #groups = 0;
  #gap = false;

  constructor(print: GrepPrint, fileName: boolean, shown: (path: string) => string) {
    this.#print = print;
    this.#fileName = fileName;
    this.#shown = shown;
    if (print.output === "names-without" || print.output === "count") this.missed = (path) => this.#without(path);
  }

  begin(path: string): void {
    this.#name = this.#shown(path);
    this.#file = [];
    this.#count = 0;
    this.#gap = true;
  }

  matched(line: FoundLine): true | false | "file" {
    const { output, onlyMatching, invert } = this.#print;
    this.#count++;
    if (output !== "names-without") this.any = true;
    if (output === "quiet") return false;
    if (output === "names" || output === "names-without") return "file";
    if (output === "count") return true;
    if (!onlyMatching) this.#line(line, ":", line.bytes, line.offset);
    else if (!invert) this.#matches(line);
    return true;
  }

  context(line: FoundLine): void {
    if (this.#print.output === "lines" && !this.#print.onlyMatching) this.#line(line, "-", line.bytes, line.offset);
  }

  gap(): void {
    this.#gap = true;
  }

  end({ gaveUp, path }: FileEnd): boolean {
    const { output } = this.#print;
    if (output === "lines" && gaveUp) this.printed.push({ binary: path });
    else this.printed.push(...this.#file);
    if (output === "names" && this.#count > 0) this.#tell(`${this.#name}${this.#print.nul ? "\0" : "\n"}`);
    if (output === "count") this.#tell(`${this.#prefix(":")}${this.#count}\n`);
    return true;
  }

  #without(path: string): void {
    this.#name = this.#shown(path);
    if (this.#print.output === "count") return this.#tell(`${this.#prefix(":")}0\n`);
    this.any = true;
    this.#tell(`${this.#name}${this.#print.nul ? "\0" : "\n"}`);
  }

  #matches({ ranges, bytes, offset, number }: FoundLine): void {
    for (let i = 0; i + 1 < ranges.length; i += 2) {
      const [start, end] = [ranges[i] as number, ranges[i + 1] as number];
      if (end > start) this.#line({ number }, ":", bytes.subarray(start, end), offset + start);
    }
  }

  #line({ number }: Pick<FoundLine, "number">, mark: ":" | "-", bytes: Uint8Array, offset: number): void {
    const { hasContext, separator, lineNumber, byteOffset } = this.#print;
    if (this.#gap && hasContext && separator !== null && this.#groups++ > 0)
      this.#file.push(encoder.encode(`${separator}\n`));
    this.#gap = false;
    const head = `${this.#prefix(mark)}${lineNumber ? `${number}${mark}` : ""}${byteOffset ? `${offset}${mark}` : ""}`;
    if (head !== "") this.#file.push(encoder.encode(head));
    this.#file.push(bytes.slice());
    if (bytes.at(-1) !== LF) this.#file.push(Uint8Array.of(LF));
  }

  #prefix(mark: ":" | "-"): string {
    if (!this.#fileName) return "";
    return `${this.#name}${this.#print.nul ? "\0" : mark}`;
  }

  #tell(text: string): void {
    this.printed.push(encoder.encode(text));
  }
}
