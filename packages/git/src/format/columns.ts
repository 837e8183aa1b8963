/** Lists in columns, for `--column` and `column.ui`: filled by column or by row, dense or in equal widths. */
import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";
import { textWidth } from "../text/text-width.ts";

interface ColumnLayout {
  readonly fill: "column" | "row";
  readonly dense: boolean;
}

interface ColumnOptions {
  /** Between two columns. */
  readonly padding?: number;
  /** Of the terminal. */
  readonly width: number;
  readonly indent?: string;
  /** After each line. */
  readonly end?: string;
}

/** Null: one per line. `flag` as given, undefined if absent; `name` of the configuration (`column.<name>`). */
export function columnLayout(
  config: Pick<GitConfig, "get">,
  name: string,
  flag: string | boolean | undefined,
): ColumnLayout | null {
  if (flag === false) return null;
  if (flag === true) return { fill: "column", dense: false };
  let [displayed, fill, dense] = [false, "column" as "column" | "row" | "plain", false];
  const take = (text: string, isFlag: boolean) => {
    if (isFlag) displayed = true;
    for (const word of text.split(/[ ,]+/).filter((one) => one !== "")) {
      if (word === "always") displayed = true;
      else if (word === "never" || word === "auto") displayed = false;
      else if (word === "column" || word === "row" || word === "plain") fill = word;
      else if (word === "dense" || word === "nodense") dense = word === "dense";
      else throw unknown(word, isFlag);
    }
  };
  for (const key of ["ui", name]) {
    const text = config.get(`column.${key}`) ?? "";
    // A layout alone enables columns.
    if (/\b(column|row|plain)\b/.test(text)) displayed = true;
    take(text, false);
  }
  if (flag !== undefined) take(flag, true);
  return !displayed || fill === "plain" ? null : { fill, dense };
}

function unknown(word: string, isFlag: boolean): GitError {
  const text = `unsupported option '${word}'`;
  return new GitError("EINVAL", text, { prefix: "error", exitCode: isFlag ? 129 : 128 });
}

export function inColumns(items: readonly string[], layout: ColumnLayout, options: ColumnOptions): string {
  if (items.length === 0) return "";
  const { padding = 1, width, indent = "", end = "\n" } = options;
  const lengths = items.map((item) => textWidth(item));
  const cell = Math.max(...lengths) + padding;
  let cols = Math.max(1, Math.floor((width - 1 - indent.length) / cell));
  let rows = Math.ceil(items.length / cols);
  const at = (x: number, y: number) => (layout.fill === "column" ? x * rows + y : y * cols + x);
  const widest = (x: number) => Math.max(0, ...Array.from({ length: rows }, (_, y) => lengths[at(x, y)] ?? 0));
  const widths = () => Array.from({ length: cols }, (_, x) => widest(x) + padding);
  // Reduces the rows while the columns, each as wide as needed, still fit.
  while (layout.dense && rows > 1) {
    const [oldRows, oldCols] = [rows, cols];
    rows--;
    cols = Math.ceil(items.length / rows);
    if (indent.length + widths().reduce((sum, one) => sum + one, 0) <= width - 1) continue;
    [rows, cols] = [oldRows, oldCols];
    break;
  }
  const sizes = layout.dense ? widths() : Array.from({ length: cols }, () => cell);
  const lines: string[] = [];
  for (let y = 0; y < rows; y++) {
    let line = indent;
    for (let x = 0; x < cols && at(x, y) < items.length; x++) {
      const index = at(x, y);
      const isLast = x === cols - 1 || at(x + 1, y) >= items.length;
      line += isLast
        ? items[index]
        : (items[index] as string) + " ".repeat((sizes[x] as number) - (lengths[index] as number));
    }
    lines.push(line + end);
  }
  return lines.join("");
}
