/** Prints lines as `git grep` does: headings, separators, colors. Text is one character per byte, as it was matched. */
import { configuredColor, RESET } from "../config/color.ts";
import type { GitConfig } from "../config/git-config.ts";
import type { DisplayLine, GrepFileResult } from "../porcelain/grep/grep-file.ts";

export interface GrepPrintOptions {
  readonly names: boolean;
  readonly lineNumbers: boolean;
  readonly columns: boolean;
  readonly onlyMatching: boolean;
  readonly heading: boolean;
  readonly fileBreak: boolean;
  /** A NUL after the name and the numbers. */
  readonly nul: boolean;
  /** There are context lines, so "--" separates groups that are not adjacent. */
  readonly separated: boolean;
  readonly color: boolean;
}

const COLORS = {
  filename: "\x1b[35m",
  lineNumber: "\x1b[32m",
  column: "\x1b[32m",
  separator: "\x1b[36m",
  matchSelected: "\x1b[1;31m",
  matchContext: "\x1b[1;31m",
  function: "",
  context: "",
  selected: "",
} as const;

type Slot = keyof typeof COLORS;

export class GrepPrinter {
  readonly #options: GrepPrintOptions;
  readonly #colors: Partial<Record<Slot, string>> = {};
  #displayBefore = false;

  constructor(config: GitConfig, options: GrepPrintOptions) {
    this.#options = options;
    if (!options.color) return;
    for (const slot of Object.keys(COLORS) as Slot[]) {
      const both = slot === "matchSelected" || slot === "matchContext" ? "color.grep.match" : "";
      const fallback = both === "" ? COLORS[slot] : configuredColor(config, both, COLORS[slot]);
      this.#colors[slot] = configuredColor(config, `color.grep.${slot}`, fallback);
    }
  }

  binary(name: string): string {
    return `Binary file ${this.#colored("filename", name)} matches\n`;
  }

  name(name: string): string {
    return `${this.#colored("filename", name)}${this.#options.nul ? "\0" : "\n"}`;
  }

  count(name: string, hits: number): string {
    return `${this.#options.names ? this.#field("filename", name, ":") : ""}${hits}\n`;
  }

  lines(name: string, { displayed }: GrepFileResult): string {
    const { fileBreak, separated } = this.#options;
    let out = "";
    let last = 0;
    for (const line of displayed) {
      if (fileBreak && last === 0) out += this.#displayBefore ? "\n" : "";
      else if (separated && (last === 0 ? this.#displayBefore : line.line > last + 1)) {
        out += `${this.#colored("separator", "--")}\n`;
      }
      out += this.#line(name, line, last === 0);
      last = line.line;
    }
    if (last > 0) this.#displayBefore = true;
    return out;
  }

  #line(name: string, line: DisplayLine, first: boolean): string {
    const { onlyMatching } = this.#options;
    const { text, sign, ranges } = line;
    const base: Slot = sign === ":" ? "selected" : sign === "=" ? "function" : "context";
    if (!onlyMatching && ranges.length === 0)
      return `${this.#header(name, line, line.column, first)}${this.#colored(base, text)}\n`;
    const match: Slot = sign === ":" ? "matchSelected" : "matchContext";
    let out = onlyMatching ? "" : this.#header(name, line, line.column, first);
    let at = 0;
    let { column } = line;
    for (const { start, end } of ranges) {
      if (onlyMatching) out += this.#header(name, line, column, first && at === 0);
      else out += this.#colored(base, text.slice(at, start));
      out += this.#colored(match, text.slice(start, end));
      if (onlyMatching) out += "\n";
      // git adds the match's end within the rest of the line, although the column refers to the whole line.
      column += end - at;
      at = end;
    }
    return onlyMatching ? out : `${out}${this.#colored(base, text.slice(at))}\n`;
  }

  #header(name: string, { line, sign }: DisplayLine, column: number, first: boolean): string {
    const { heading, names, lineNumbers, columns } = this.#options;
    let out = heading && first ? `${this.#colored("filename", name)}\n` : "";
    if (!heading && names) out += this.#field("filename", name, sign);
    if (lineNumbers) out += this.#field("lineNumber", String(line), sign);
    if (columns && column > 0) out += this.#field("column", String(column), sign);
    return out;
  }

  #field(slot: Slot, text: string, sign: string): string {
    return this.#colored(slot, text) + (this.#options.nul ? "\0" : this.#colored("separator", sign));
  }

  #colored(slot: Slot, text: string): string {
    const color = this.#colors[slot];
    return color && text !== "" ? `${color}${text}${RESET}` : text;
  }
}
