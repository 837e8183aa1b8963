/** Prints matches as ripgrep does to a pipe: bytes as they are in the file, never decoded. */
import type { FileEnd, MatchedLine, MatchSink } from "../engine.ts";
import { reportedRanges } from "../searcher/ranges.ts";
import type { PrintOptions } from "./command.ts";
import { LineBuffer } from "./line-buffer.ts";

const LF = 0x0a;
const MATCH = ":";
const CONTEXT = "-";

export type Write = (bytes: Uint8Array) => void;

export class LinePrinter implements MatchSink {
  readonly #options: PrintOptions;
  readonly #write: Write;
  readonly #shown: (path: string) => string;
  readonly #hasContext: boolean;
  #path = "";
  /** Output of the current file, buffered until it is known whether the file is binary. */
  readonly #held = new LineBuffer();
  #printed = false;

  constructor(options: PrintOptions, hasContext: boolean, shown: (path: string) => string, write: Write) {
    this.#options = options;
    this.#hasContext = hasContext;
    this.#shown = shown;
    this.#write = write;
  }

  begin(path: string): void {
    this.#path = this.#shown(path);
    if (this.#printed && this.#options.heading) this.#put("\n");
    else if (this.#printed && this.#hasContext) this.#put("--\n");
    if (this.#options.heading && this.#options.fileName) this.#put(`${this.#path}${this.#options.nul ? "\0" : "\n"}`);
  }

  matched(line: MatchedLine): boolean {
    const { onlyMatching, perMatch } = this.#options;
    const { bytes, ranges } = line;
    const position = new LinePosition(bytes);
    if (ranges.length === 0 || !(onlyMatching || perMatch)) {
      const first = ranges[0] ?? 0;
      this.#lines(line, MATCH, first - startOfLine(bytes, first), position, 0, bytes.length);
      return true;
    }
    for (let i = 0; i < reportedRanges(ranges); i += 2) {
      const [start, end] = [ranges[i] as number, ranges[i + 1] as number];
      position.moveTo(start);
      const column = start - position.lineStart;
      if (!onlyMatching) this.#line(line, MATCH, column, position, position.lineStart, endOfLine(bytes, start));
      else if (start < end) this.#lines(line, MATCH, column, position, start, end);
    }
    return true;
  }

  context(line: MatchedLine): void {
    this.#lines(line, CONTEXT, -1, new LinePosition(line.bytes), 0, line.bytes.length);
  }

  gap(): void {
    this.#put("--\n");
  }

  end({ binaryOffset, stoppedAtBinary }: FileEnd): boolean {
    const where = binaryOffset === null ? "" : `(found "\\0" byte around offset ${binaryOffset})`;
    const name = this.#options.fileName ? `${this.#path}: ` : "";
    // As ripgrep: for an explicitly named binary file, only the fact of a match is printed.
    if (binaryOffset !== null && !stoppedAtBinary) {
      this.#held.take();
      this.#put(`${name}binary file matches ${where}\n`);
    } else if (stoppedAtBinary) this.#put(`${name}WARNING: stopped searching binary file after match ${where}\n`);
    for (const bytes of this.#held.take()) this.#write(bytes);
    this.#printed = true;
    return true;
  }

  /** Prints every line of a match separately. */
  #lines(
    found: MatchedLine,
    separator: string,
    column: number,
    position: LinePosition,
    from: number,
    to: number,
  ): void {
    const upTo = found.bytes.subarray(0, to);
    for (let at = from; at < to; ) {
      const next = endOfLine(upTo, at);
      position.moveTo(at);
      this.#line(found, separator, column, position, at, next);
      at = next;
    }
  }

  /** `column`: of the first match in its line; -1 for none. `position`: in the line that is printed. */
  #line(found: MatchedLine, separator: string, column: number, position: LinePosition, from: number, to: number): void {
    const { fileName, heading, nul, lineNumber, byteOffset, trim, onlyMatching } = this.#options;
    const { bytes, number, offset } = found;
    let prefix = fileName && !heading ? `${this.#path}${nul ? "\0" : separator}` : "";
    if (lineNumber) prefix += `${number + position.lines}${separator}`;
    if (this.#options.column && column >= 0) prefix += `${column + 1}${separator}`;
    if (byteOffset) prefix += `${offset + (onlyMatching ? from : position.lineStart)}${separator}`;
    const line = bytes.subarray(from, to);
    const shown = this.#shorten(trim ? trimmed(line) : line, separator === MATCH);
    this.#put(prefix);
    if (typeof shown === "string") this.#put(shown);
    else this.#held.bytes(shown);
    if (typeof shown === "string" || shown.at(-1) !== LF) this.#put("\n");
  }

  #shorten(text: Uint8Array, match: boolean): Uint8Array | string {
    const { maxColumns, preview } = this.#options;
    // As ripgrep, which includes the line ending.
    if (maxColumns === null || text.length <= maxColumns) return text;
    if (!preview) return match ? "[Omitted long matching line]" : "[Omitted long context line]";
    const start = new TextDecoder().decode(text.subarray(0, maxColumns)).replace(/\ufffd+$/, () => "");
    return `${start} [... omitted end of long line]`;
  }

  #put(text: string): void {
    if (text !== "") this.#held.text(text);
  }
}

/** A position in a text that only moves forwards: a line with many matches is read once, not once for each of them. */
class LinePosition {
  /** Line endings before the position. */
  lines = 0;
  lineStart = 0;
  #at = 0;

  constructor(readonly bytes: Uint8Array) {}

  moveTo(at: number): void {
    for (; this.#at < at; this.#at++) {
      if (this.bytes[this.#at] !== LF) continue;
      this.lines++;
      this.lineStart = this.#at + 1;
    }
  }
}

function startOfLine(bytes: Uint8Array, at: number): number {
  return at <= 0 ? 0 : bytes.lastIndexOf(LF, at - 1) + 1;
}

/** The position after the line ending. */
function endOfLine(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(LF, at);
  return end < 0 ? bytes.length : end + 1;
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length && [0x20, 0x09, 0x0b, 0x0c, 0x0d].includes(bytes[start] as number)) start++;
  return bytes.subarray(start);
}
