/** `-L`: a range of lines by numbers, by regular expressions, or by a function name. */
import { type FunctionName, lineBytes, type TextLines } from "@workspace/text";
import { GitError } from "../../errors.ts";
import { compileRegex, type Regex } from "../../regex/compile-regex.ts";
import { RegexError } from "../../regex/parse-regex.ts";
import { decode } from "../../text/bytes.ts";

export interface RangeText {
  readonly lines: TextLines;
  readonly path: string;
  readonly functionName: FunctionName;
}

/** [start, end) from 0. `anchor`: the line after the previous range, from 1, where relative searches begin. Null: not a range. */
export function parseRange(text: string, file: RangeText, anchor: number): [number, number] | null {
  if (text.startsWith(":") || text.startsWith("^:")) return functionRange(text, file, anchor);
  const first = parsePlace(text, file, anchor, null);
  if (first === null) return null;
  let [begin, rest] = [first.line, first.rest];
  let end = 0;
  if (rest.startsWith(",")) {
    const second = parsePlace(rest.slice(1), file, begin + 1, begin);
    if (second === null) return null;
    [end, rest] = [second.line, second.rest];
  }
  if (rest !== "") return null;
  if (begin > 0 && end > 0 && end < begin) [begin, end] = [end, begin];
  const { count } = file.lines;
  if (begin > count || (count === 0 && (begin > 0 || end > 0))) {
    throw new GitError("EINVAL", `file ${file.path} has only ${count} line${count === 1 ? "" : "s"}`);
  }
  const from = begin < 1 ? 1 : begin;
  const to = end < 1 || end > count ? count : end;
  return [from - 1, to];
}

/** `begin` null: the first of the two positions. Line 0: not given. */
function parsePlace(
  text: string,
  { lines }: RangeText,
  anchor: number,
  begin: number | null,
): { line: number; rest: string } | null {
  const relative = begin === null ? null : /^([+-])(\d+)/.exec(text);
  if (relative && begin !== null) {
    const count = Number(relative[2]);
    if (count === 0) throw new GitError("EINVAL", "-L invalid empty range");
    const line = relative[1] === "+" ? begin + count - 1 : Math.max(1, begin - count + 1);
    return { line, rest: text.slice(relative[0].length) };
  }
  const digits = /^(\d+)/.exec(text);
  if (digits) {
    const line = Number(digits[1]);
    if (begin === null && line <= 0) throw new GitError("EINVAL", "-L invalid line number: 0");
    return { line, rest: text.slice(digits[0].length) };
  }
  const fromStart = begin === null && text.startsWith("^/");
  const body = fromStart ? text.slice(1) : text;
  if (!body.startsWith("/"))
    return begin === null && text !== "" && !text.startsWith(",") ? null : { line: 0, rest: text };
  let end = 1;
  while (end < body.length && body[end] !== "/") end += body[end] === "\\" ? 2 : 1;
  if (end >= body.length) return { line: 0, rest: text };
  const source = body.slice(1, end);
  const from = fromStart ? 1 : anchor;
  const regex = compile(source, from);
  for (let i = from - 1; i < lines.count; i++) {
    if (regex.test(lineText(lines, i))) return { line: i + 1, rest: body.slice(end + 1) };
  }
  throw new GitError("ENOTFOUND", `-L parameter '${source}' starting at line ${from}: No match`);
}

function compile(source: string, from: number): Regex {
  try {
    return compileRegex(source, { syntax: "basic" });
  } catch (cause) {
    if (!(cause instanceof RegexError)) throw cause;
    throw new GitError("EINVAL", `-L parameter '${source}' starting at line ${from}: ${cause.message}`, { cause });
  }
}

function lineText(lines: TextLines, index: number): string {
  return decode(lineBytes(lines, index)).replace(/\n$/, () => "");
}

/** From the head of the first matching function to the next head. */
function functionRange(text: string, { lines, functionName }: RangeText, anchor: number): [number, number] | null {
  const from = text.startsWith("^") ? 1 : anchor;
  const source = text.replace(/^\^?:/, () => "");
  if (source === "") return null;
  const regex = compile(source, from);
  const isHead = (i: number) => functionName(lines, i) !== null;
  for (let i = from - 1; i < lines.count; i++) {
    if (!isHead(i) || !regex.test(lineText(lines, i))) continue;
    let end = i + 1;
    while (end < lines.count && !isHead(end)) end++;
    return [i, end];
  }
  throw new GitError("ENOTFOUND", `-L parameter '${source}' starting at line ${from}: no match`);
}

/** Sorted, with touching ranges joined. */
export function joinRanges(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}
