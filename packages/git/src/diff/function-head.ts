/**
 * `diff.<name>.xfuncname`: which line is the head of a function, and which part is shown. One expression a line, tried in order;
 * one that begins with "!" excludes the line. Shows the first group's match, or the whole match.
 */
import { type FunctionName, lineBytes, MAX_HEADING } from "@workspace/text";
import { GitError } from "../errors.ts";
import { compileRegex, type Regex } from "../regex/compile-regex.ts";
import { decode, encode } from "../text/bytes.ts";

interface FunctionHeadOptions {
  syntax: "basic" | "extended";
  ignoreCase?: boolean;
}

/** Longer lines are never heads. */
const MAX_LINE = 10_000;

export function functionNameOf(text: string, { syntax, ignoreCase = false }: FunctionHeadOptions): FunctionName {
  const rules = text.split("\n").map((line, i, all) => {
    const negated = line.startsWith("!");
    if (negated && i === all.length - 1) throw new GitError("EINVAL", `Last expression must not be negated: ${line}`);
    return { negated, ...headRule(negated ? line.slice(1) : line, syntax, ignoreCase) };
  });
  return (lines, index) => {
    const bytes = lineBytes(lines, index);
    if (bytes.length > MAX_LINE) return null;
    const line = decode(bytes).replace(/\r?\n$/, () => "");
    for (const { negated, whole, shown } of rules) {
      const match = whole.exec(line);
      if (match === null) continue;
      return negated ? null : heading(shown(line, match));
    }
    return null;
  };
}

function heading(text: string): Uint8Array {
  const bytes = encode(text);
  // Truncates at a character boundary.
  if (bytes.length > MAX_HEADING)
    return encode(new TextDecoder().decode(bytes.subarray(0, MAX_HEADING), { stream: true }));
  return encode(text.replace(/(?<![ \t\r\n])[ \t\r\n]+$/, () => ""));
}

type HeadMatch = { readonly start: number; readonly end: number };

/** The expressions have no captures, so the first group is located from the parts before and after it. */
function headRule(source: string, syntax: "basic" | "extended", ignoreCase: boolean) {
  const whole = compileRegex(source, { syntax, ignoreCase });
  const parts = syntax === "extended" ? splitAtGroup(source) : null;
  if (parts === null) return { whole, shown: (line: string, { start, end }: HeadMatch) => line.slice(start, end) };
  const compile = (text: string): Regex => compileRegex(text, { syntax, ignoreCase });
  const before = parts.before === "" ? null : compile(`^(${parts.before.replace(/^\^/, () => "")})$`);
  const after = compile(`^(${parts.group})(${parts.after.replace(/\$$/, () => "")})$`);
  const tail =
    parts.after === "" || parts.after === "$" ? null : compile(`^(${parts.after.replace(/\$$/, () => "")})$`);
  const inner = compile(`^(${parts.group})$`);
  const shown = (line: string, { start, end }: HeadMatch) => {
    // Greedy from the left, as POSIX matches subexpressions: the longest start, then the longest group.
    for (let from = end; from >= start; from--) {
      const head = line.slice(start, from);
      if (before === null ? head !== "" : !before.test(head)) continue;
      const rest = line.slice(from, end);
      if (!after.test(rest)) continue;
      for (let to = rest.length; to >= 0; to--) {
        const last = rest.slice(to);
        if ((tail === null ? last === "" : tail.test(last)) && inner.test(rest.slice(0, to))) return rest.slice(0, to);
      }
    }
    return line.slice(start, end);
  };
  return { whole, shown };
}

/** The first top-level group, if it is not inside an alternation. */
function splitAtGroup(source: string): { before: string; group: string; after: string } | null {
  let depth = 0;
  let open = -1;
  let close = -1;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === "[") at = endOfSet(source, at);
    else if (char === "(") {
      if (depth++ === 0 && open < 0) open = at;
    } else if (char === ")") {
      if (--depth === 0 && close < 0) close = at;
    } else if (char === "|" && depth === 0) return null;
  }
  if (open < 0 || close < 0) return null;
  if (/^[*+?{]/.test(source.slice(close + 1))) return null;
  return { before: source.slice(0, open), group: source.slice(open + 1, close), after: source.slice(close + 1) };
}

function endOfSet(source: string, start: number): number {
  let at = start + 1;
  if (source[at] === "^") at++;
  if (source[at] === "]") at++;
  for (; at < source.length && source[at] !== "]"; at++) {
    if (source[at] === "[" && /[:.=]/.test(source[at + 1] ?? "")) {
      const end = source.indexOf(`${source[at + 1]}]`, at + 2);
      if (end > 0) at = end + 1;
    }
  }
  return at;
}
