/** Lines of a patch, with or without color. With color, highlights whitespace errors as configured. */
import type { DiffColors, DiffOptions } from "../diff/diff-options.ts";
import { checkLine, type WhitespaceErrors, type WhitespaceRules } from "../diff/whitespace-rules.ts";
import type { OutputBuffer } from "./output-buffer.ts";

const LF = 10;
const CR = 13;

/** A line of the header: "index 1..2". */
export function writeMeta(sink: OutputBuffer, line: string, { color, linePrefix, moved }: DiffOptions): void {
  moved?.gap();
  sink.text(color ? `${linePrefix}${color.meta}${line}${color.reset}\n` : `${linePrefix}${line}\n`);
}

/** "--- a/x": a tab follows a name with a space, outside the color. */
export function writeFileName(sink: OutputBuffer, sign: "---" | "+++", label: string, options: DiffOptions): void {
  const { color, linePrefix } = options;
  const tab = label.includes(" ") ? "\t" : "";
  sink.text(
    color
      ? `${linePrefix}${color.meta}${sign} ${label}${color.reset}${tab}\n`
      : `${linePrefix}${sign} ${label}${tab}\n`,
  );
}

export function writeHunkHeader(sink: OutputBuffer, range: string, heading: Uint8Array, options: DiffOptions): void {
  const { color, linePrefix } = options;
  options.moved?.gap();
  sink.text(linePrefix);
  if (!color) {
    sink.text(range);
    if (heading.length > 0) sink.text(" ");
    sink.bytes(heading);
  } else {
    sink.text(`${color.frag}${range}${color.reset}`);
    if (heading.length > 0) {
      sink.text(`${color.context} ${color.reset}${color.func}`);
      sink.bytes(heading);
      sink.text(color.reset);
    }
  }
  sink.text("\n");
}

interface LineStyle {
  readonly kind: "old" | "new" | "context";
  /** Null: whitespace is not checked. */
  readonly rules: WhitespaceRules | null;
  /** The line is one of the blank lines added at the end of the file. */
  readonly blankAtEof?: boolean;
}

/** `line` ends with "\n" unless it is the last of a file without one. */
export function writeLine(sink: OutputBuffer, line: Uint8Array, style: LineStyle, options: DiffOptions): void {
  const { color, linePrefix } = options;
  const sign = options.indicators[style.kind];
  sink.text(linePrefix);
  if (color) writeColored(sink, sign, line, style, color, options);
  else {
    const isBlank = options.suppressBlankEmpty && style.kind === "context" && line.length === 1 && line[0] === LF;
    if (!isBlank) sink.text(sign);
    sink.bytes(line);
  }
}

export function writeNoNewline(sink: OutputBuffer, { color, linePrefix, moved }: DiffOptions): void {
  moved?.gap();
  const text = "\\ No newline at end of file";
  sink.text(color ? `\n${linePrefix}${color.context}${text}${color.reset}\n` : `\n${linePrefix}${text}\n`);
}

function writeColored(
  sink: OutputBuffer,
  sign: string,
  line: Uint8Array,
  { kind, rules, blankAtEof }: LineStyle,
  color: DiffColors,
  options: DiffOptions,
): void {
  if (kind === "context") options.moved?.gap();
  const paint = (kind !== "context" && options.moved?.paint(kind, line)) || color[kind];
  if (rules === null || color.whitespace === "" || !options.whitespaceErrors.has(kind)) {
    const isBlank = options.suppressBlankEmpty && kind === "context" && line.length === 1 && line[0] === LF;
    writePainted(sink, isBlank ? "" : sign, line, paint, color.reset);
    return;
  }
  if (blankAtEof) {
    writePainted(sink, sign, line, color.whitespace, color.reset);
    return;
  }
  sink.text(`${paint}${sign}${color.reset}`);
  writeChecked(sink, line, checkLine(line, rules), paint, color);
}

/** Errors in their own color. */
export function writeChecked(
  sink: OutputBuffer,
  line: Uint8Array,
  { parts }: WhitespaceErrors,
  paint: string,
  color: Pick<DiffColors, "reset" | "whitespace">,
): void {
  let end = 0;
  for (const [start, stop, kind] of parts) {
    end = stop;
    if (kind !== "indent") sink.text(kind === "error" ? color.whitespace : paint);
    sink.bytes(line.subarray(start, stop));
    if (kind !== "indent") sink.text(color.reset);
  }
  sink.bytes(line.subarray(end));
}

/** The line ending is outside the color. */
export function writePainted(sink: OutputBuffer, sign: string, line: Uint8Array, paint: string, reset: string): void {
  let end = line.length;
  if (end > 0 && line[end - 1] === LF) end--;
  if (end > 0 && line[end - 1] === CR) end--;
  if (end > 0 || sign !== "") {
    sink.text(paint + sign);
    sink.bytes(line.subarray(0, end));
    sink.text(reset);
  }
  sink.bytes(line.subarray(end));
}
