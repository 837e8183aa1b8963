/** The lines of one file to show: matches, and around them context and the line that a function begins with. */
import type { GrepExpression, LineMatch } from "./grep-expression.ts";

export interface GrepFileOptions {
  readonly before?: number;
  readonly after?: number;
  /** `-p`: shows the function's line before each hit. */
  readonly functionLine?: boolean;
  /** `-W`: shows the whole function. */
  readonly functionBody?: boolean;
  readonly invert?: boolean;
  readonly maxCount?: number;
  /** Whether a line (from 0) begins a function; by default, a line that starts with a letter does. */
  readonly isHead?: (index: number) => boolean;
  /** Stops at the first hit: `-l`, `-L`, `-q`, a binary file. */
  readonly firstOnly?: boolean;
  /** Counts lines without returning them: `-c`. */
  readonly countOnly?: boolean;
  /** Returns the matches in each line: for colors and `-o`. */
  readonly ranges?: boolean;
}

export interface DisplayLine {
  readonly line: number;
  /** ":" a hit, "-" context, "=" a function's line. */
  readonly sign: ":" | "-" | "=";
  /** From 1, for a hit. */
  readonly column: number;
  readonly text: string;
  readonly ranges: readonly LineMatch[];
}

export interface GrepFileResult {
  readonly hits: number;
  readonly displayed: readonly DisplayLine[];
}

export function grepFile(text: string, expression: GrepExpression, options: GrepFileOptions = {}): GrepFileResult {
  return new FileSearch(text, expression, options).run();
}

function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function isBlank(line: string): boolean {
  return /^[ \t\r\f\v]*$/.test(line);
}

class FileSearch {
  readonly #lines: readonly string[];
  readonly #displayed: DisplayLine[] = [];
  #lastDisplayed = 0;

  constructor(
    text: string,
    private readonly expression: GrepExpression,
    private readonly options: GrepFileOptions,
  ) {
    this.#lines = splitLines(text);
  }

  run(): GrepFileResult {
    const { expression, options } = this;
    const { invert = false, maxCount = Number.POSITIVE_INFINITY, after = 0, functionBody = false } = options;
    if (expression.needsAllMatch && !expression.satisfiesAll(this.#lines)) return { hits: 0, displayed: [] };
    let hits = 0;
    let lastHit = 0;
    let inFunction = false;
    for (const [index, text] of this.#lines.entries()) {
      const line = index + 1;
      const found = expression.match(text);
      if (found.hit !== invert && hits < maxCount) {
        hits++;
        if (options.firstOnly) return { hits, displayed: [] };
        if (options.countOnly) continue;
        this.#showBefore(line);
        this.#show(line, ":", Math.max(0, invert ? found.against : found.column) + 1);
        lastHit = line;
        inFunction = functionBody;
        continue;
      }
      if (inFunction && this.#functionEndsBefore(index)) inFunction = false;
      if (inFunction || (lastHit > 0 && line <= lastHit + after)) this.#show(line, "-", 0);
    }
    return { hits, displayed: this.#displayed };
  }

  #show(line: number, sign: DisplayLine["sign"], column: number): void {
    const text = this.#lines[line - 1] as string;
    const ranges = this.options.ranges ? this.expression.matches(text) : [];
    this.#displayed.push({ line, sign, column, text, ranges });
    this.#lastDisplayed = line;
  }

  /** Blank lines before the next function are not part of this one. */
  #functionEndsBefore(index: number): boolean {
    let at = index;
    while (at < this.#lines.length && isBlank(this.#lines[at] as string)) at++;
    return at >= this.#lines.length || this.#isHead(at);
  }

  #isHead(index: number): boolean {
    return this.options.isHead?.(index) ?? /^[A-Za-z_$]/.test(this.#lines[index] as string);
  }

  #showBefore(line: number): void {
    const { before = 0, functionLine = false, functionBody = false } = this.options;
    if (before === 0 && !functionBody) {
      if (functionLine) this.#showFunctionLine(line);
      return;
    }
    const first = Math.max(1, line - before, this.#lastDisplayed + 1);
    let from = first;
    let nameNeeded = functionLine;
    let commentNeeded = false;
    let nameAt = 0;
    if (functionBody) {
      if (this.#isHead(line - 1)) commentNeeded = true;
      else nameNeeded = true;
      from = this.#lastDisplayed + 1;
    }
    let at = line;
    while (at > 1 && at > from) {
      at--;
      const text = this.#lines[at - 1] as string;
      if (commentNeeded && (isBlank(text) || this.#isHead(at - 1))) {
        commentNeeded = false;
        from = first;
        if (at < from) {
          at++;
          break;
        }
      }
      if (nameNeeded && this.#isHead(at - 1)) {
        nameAt = at;
        nameNeeded = false;
        if (functionBody) commentNeeded = true;
        else from = first;
      }
    }
    if (functionLine && nameNeeded) this.#showFunctionLine(at);
    for (; at < line; at++) this.#show(at, at === nameAt ? "=" : "-", 0);
  }

  #showFunctionLine(line: number): void {
    for (let at = line - 1; at >= 1 && at > this.#lastDisplayed; at--) {
      if (!this.#isHead(at - 1)) continue;
      this.#show(at, "=", 0);
      return;
    }
  }
}
