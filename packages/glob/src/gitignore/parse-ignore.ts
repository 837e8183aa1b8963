/**
 * Parses the lines of a .gitignore as git does: accepts a BOM, LF and CRLF; skips comments and blank lines; removes trailing spaces
 * unless they are quoted. Each line becomes one rule; `IgnoreRules` matches them.
 */
import { bytesToString, fromByteString, toByteString } from "../bytes.ts";
import { MAX_IGNORE_LINE_LENGTH } from "../limits.ts";

export interface IgnoreRule {
  /** 1-based. */
  readonly line: number;
  /** The line as written, without its line ending and unquoted trailing spaces. */
  readonly pattern: string;
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  /** "name": the pattern has no slash except a trailing one, and is matched against the last segment at any depth. */
  readonly subject: "name" | "path";
  /** The bytes to match, without "!" and without slashes that only anchor the pattern. */
  readonly glob: string;
}

export interface ParsedIgnore {
  readonly rules: readonly IgnoreRule[];
  /** Skipped lines that exceed the limit. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[];
}

const BOM = "\xef\xbb\xbf";

export function parseIgnoreLines(content: string | Uint8Array): ParsedIgnore {
  const bytes = typeof content === "string" ? toByteString(content) : bytesToString(content);
  const rules: IgnoreRule[] = [];
  const skipped: { line: number; reason: string }[] = [];
  const lines = (bytes.startsWith(BOM) ? bytes.slice(BOM.length) : bytes).split("\n");
  lines.forEach((text, index) => {
    if (text === "" || text.startsWith("#")) return;
    const line = index + 1;
    if (text.length > MAX_IGNORE_LINE_LENGTH) {
      skipped.push({ line, reason: `longer than ${MAX_IGNORE_LINE_LENGTH} bytes` });
      return;
    }
    const pattern = trimSpaces(cutAtNul(text.endsWith("\r") ? text.slice(0, -1) : text));
    rules.push(parseRule(pattern, line));
  });
  return { rules, skipped };
}

function parseRule(pattern: string, line: number): IgnoreRule {
  const negated = pattern.startsWith("!");
  let glob = negated ? pattern.slice(1) : pattern;
  const directoriesOnly = glob.endsWith("/");
  if (directoriesOnly) glob = glob.slice(0, -1);
  const subject = glob.includes("/") ? "path" : "name";
  if (subject === "path" && glob.startsWith("/")) glob = glob.slice(1);
  return { line, pattern: fromByteString(pattern), negated, directoriesOnly, subject, glob };
}

/** Removes trailing spaces, except one that a backslash quotes. */
function trimSpaces(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === " ") end--;
  if (end === text.length) return text;
  let quotes = 0;
  while (quotes < end && text[end - 1 - quotes] === "\\") quotes++;
  return text.slice(0, end + (quotes % 2));
}

/** Git's lines are C strings. */
function cutAtNul(text: string): string {
  const nul = text.indexOf("\0");
  return nul < 0 ? text : text.slice(0, nul);
}
