/**
 * `-S`, `-G` and `--find-object`: selects files in which the number of occurrences of a text changed, whose changed lines
 * match, or one of whose sides is an object. Text is matched by bytes, for any encoding.
 */
import { type DiffLinesOptions, diffLines, lineBytes, splitLines, type TextLines } from "@workspace/text";
import { GitError } from "../errors.ts";
import { compileRegex, type Regex } from "../regex/compile-regex.ts";
import { RegexError } from "../regex/parse-regex.ts";
import { encode } from "../text/bytes.ts";
import { toLatin1 } from "../text/to-latin1.ts";
import type { DiffOptions, Pickaxe } from "./diff-options.ts";
import type { FileContents } from "./file-contents.ts";
import { exists, type FilePair, isUnmodified } from "./file-pair.ts";

export async function pickaxe(
  pairs: FilePair[],
  contents: FileContents,
  options: DiffOptions & { pickaxe: Pickaxe },
): Promise<FilePair[]> {
  const { all } = options.pickaxe;
  const matches = matcher(contents, options);
  const found: FilePair[] = [];
  for (const pair of pairs) {
    const isMatch = await matches(pair);
    contents.release(pair.old, pair.new);
    if (!isMatch) continue;
    if (all) return pairs;
    found.push(pair);
  }
  return found;
}

function matcher(contents: FileContents, options: DiffOptions & { pickaxe: Pickaxe }) {
  const { kind, text, regex, ignoreCase = false, objects } = options.pickaxe;
  if (kind === "object") {
    return async ({ old, new: fresh }: FilePair) =>
      [old, fresh].some((side) => exists(side) && side.oid !== null && objects?.has(side.oid));
  }
  const needle = toLatin1(encode(text));
  const pattern =
    kind === "G" || regex ? compile(needle, "extended", ignoreCase) : compile(needle, "fixed", ignoreCase);
  const test = kind === "G" ? linesMatch : countsDiffer;
  return async (pair: FilePair) => {
    if (pair.unmerged || isUnmodified(pair) || (await contents.isSame(pair))) return false;
    // Only -S searches binary files.
    if (kind === "G" && !options.text && (await contents.isBinaryPair(pair))) return false;
    const [old, fresh] = [await contents.content(pair.old), await contents.content(pair.new)];
    if (old === null || fresh === null) return false;
    return test(exists(pair.old) ? old : null, exists(pair.new) ? fresh : null, pattern, options);
  };
}

function compile(text: string, syntax: "extended" | "fixed", ignoreCase: boolean): Regex {
  try {
    return compileRegex(text, { syntax, ignoreCase });
  } catch (cause) {
    if (cause instanceof RegexError) throw new GitError("EINVAL", `invalid regex: ${cause.message}`, { cause });
    throw cause;
  }
}

type Test = (
  old: Uint8Array | null,
  fresh: Uint8Array | null,
  pattern: Regex,
  options: DiffOptions & { pickaxe: Pickaxe },
) => boolean;

const countsDiffer: Test = (old, fresh, pattern) => {
  const count = (content: Uint8Array | null) => (content === null ? 0 : countMatches(toLatin1(content), pattern));
  return count(old) !== count(fresh);
};

function countMatches(text: string, pattern: Regex): number {
  let count = 0;
  for (let at = 0; at <= text.length; ) {
    const match = pattern.exec(text, at);
    if (match === null) break;
    count++;
    at = match.end > match.start ? match.end : match.end + 1;
    if (at >= text.length) break;
  }
  return count;
}

/** A created or deleted file matches anywhere, others only on changed lines. */
const linesMatch: Test = (old, fresh, pattern, options) => {
  if (old === null || fresh === null) return pattern.test(toLatin1(old ?? fresh ?? new Uint8Array(0)));
  const [before, after] = [splitLines(old), splitLines(fresh)];
  const changed = (lines: TextLines, start: number, count: number) => {
    for (let i = start; i < start + count; i++) {
      if (pattern.test(toLatin1(lineBytes(lines, i)).replace(/\n$/, () => ""))) return true;
    }
    return false;
  };
  return diffLines(before, after, lineOptions(options)).some(
    ({ oldStart, oldCount, newStart, newCount }) =>
      changed(before, oldStart, oldCount) || changed(after, newStart, newCount),
  );
};

function lineOptions(options: DiffOptions): DiffLinesOptions {
  const { algorithm, indentHeuristic, whitespace } = options;
  return { algorithm, indentHeuristic, whitespace };
}
