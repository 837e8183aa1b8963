/**
 * Quotes names as git does: C-quoted if they contain control characters, quotes or backslashes, and with `core.quotePath` any byte
 * over 127.
 */

import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";
import { decode, encode } from "./bytes.ts";

const ESCAPES: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

export interface QuoteOptions {
  /** `core.quotePath`; default true. */
  full?: boolean;
  /** Also quote names with a space, as `git status --short` does. */
  spaces?: boolean;
}

export function quotesFully(config: GitConfig): boolean {
  return config.getBool("core.quotepath") ?? true;
}

export function needsQuotes(path: string, { full = true }: QuoteOptions = {}): boolean {
  return full ? /[^ !#-[\]-~]/.test(path) : /[\0-\x1f"\\\x7f]/.test(path);
}

export function quotePath(path: string, options: QuoteOptions = {}): string {
  if (!needsQuotes(path, options)) return options.spaces && path.includes(" ") ? `"${path}"` : path;
  return `"${quotedBody(path, options)}"`;
}

/** Without the quotes around it. */
export function quotedBody(path: string, { full = true }: QuoteOptions = {}): string {
  if (!needsQuotes(path, { full })) return path;
  let text = "";
  for (const char of path) {
    const code = char.codePointAt(0) as number;
    if (code >= 0x80) text += full ? octals(encode(char)) : char;
    else text += ESCAPES[code] ?? (code < 0x20 || code === 0x7f ? octals([code]) : char);
  }
  return text;
}

function octals(bytes: Iterable<number>): string {
  let text = "";
  for (const byte of bytes) text += `\\${byte.toString(8).padStart(3, "0")}`;
  return text;
}

const UNESCAPED: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** Reads a quoted name that begins at `start`; null: not well formed. */
export function unquotePath(text: string, start = 0): { value: string; end: number } | null {
  if (text[start] !== '"') return null;
  const bytes: number[] = [];
  for (let at = start + 1; at < text.length; ) {
    const char = text[at++] as string;
    if (char === '"') return { value: decode(Uint8Array.from(bytes)), end: at };
    if (char !== "\\") {
      const whole = String.fromCodePoint(text.codePointAt(at - 1) as number);
      at += whole.length - 1;
      bytes.push(...encode(whole));
      continue;
    }
    const escaped = text[at++] ?? "";
    const simple = UNESCAPED[escaped];
    if (simple !== undefined) {
      bytes.push(simple);
      continue;
    }
    const digits = text.slice(at - 1, at + 2);
    if (!/^[0-3][0-7]{2}$/.test(digits)) return null;
    bytes.push(Number.parseInt(digits, 8));
    at += 2;
  }
  return null;
}

/** A line of standard input that names a path, in quotes or plain. */
export function unquotedLine(line: string): string {
  if (!line.startsWith('"')) return line;
  const quoted = unquotePath(line);
  if (quoted === null) throw new GitError("EINVAL", "line is badly quoted");
  return quoted.value;
}
