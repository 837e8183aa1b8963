/**
 * grep in proposed contents, which the workspace's engine cannot see. Plain text is searched literally. A regular expression runs
 * on V8, which may backtrack exponentially, so nested repetition is refused here.
 */
import { compileOverrides } from "@workspace/glob";
import type { ToolContext } from "../definition/tool-context.ts";
import { ToolError } from "../errors.ts";
import { queuedFiles } from "../files/entries.ts";
import type { GrepInput, GrepLine, ToolGrepHit } from "../tools/grep.ts";

export interface QueuedHits {
  hits: ToolGrepHit[];
  /** The path is a queued file: there is nothing else to search. */
  alone: boolean;
}

const MAX_HITS = 1000;
const MAX_PATTERN = 1000;

export async function grepQueued(
  ctx: ToolContext,
  path: string,
  type: "file" | "dir",
  input: GrepInput,
  context: number,
): Promise<QueuedHits> {
  const alone = type === "file" && ctx.files.queued.has(path);
  if (ctx.files.queued.size === 0) return { hits: [], alone };
  const test = lineTest(input);
  const glob = input.glob === undefined ? null : compileOverrides([input.glob]);
  const hits: ToolGrepHit[] = [];
  for (const entry of queuedFiles(ctx, path)) {
    const below = entry.path.slice(path.length + 1) || entry.name;
    if (glob !== null && glob.decide(below, false) !== "include") continue;
    if (!input.hidden && !alone && below.split("/").some((name) => name.startsWith("."))) continue;
    const bytes = await ctx.files.read(entry.path);
    if (bytes === null || bytes.includes(0)) continue;
    const lines = new TextDecoder().decode(bytes).replace(/\n$/, "").split(/\r?\n/);
    for (const [i, text] of lines.entries()) {
      if (hits.length >= MAX_HITS) return { hits, alone };
      if (test(text)) hits.push({ path: entry.path, line: i + 1, text, ...around(lines, i, context) });
    }
  }
  return { hits, alone };
}

function around(lines: readonly string[], at: number, context: number): { before?: GrepLine[]; after?: GrepLine[] } {
  if (context === 0) return {};
  const numbered = (from: number, to: number) => lines.slice(from, to).map((text, i) => ({ line: from + i + 1, text }));
  return { before: numbered(Math.max(at - context, 0), at), after: numbered(at + 1, at + 1 + context) };
}

function lineTest({ pattern, regex, ignoreCase }: GrepInput): (line: string) => boolean {
  if (!regex) {
    const needle = ignoreCase ? pattern.toLowerCase() : pattern;
    return (line) => (ignoreCase ? line.toLowerCase() : line).includes(needle);
  }
  if (
    pattern.length > MAX_PATTERN ||
    /[*+}?]\)?[^()]*\)\s*[*+{]|\([^()]*\|[^()]*\)\s*[*+{]|\\\d|\(\?[=!<]/.test(pattern)
  )
    throw new ToolError(
      "INVALID_INPUT",
      "This regular expression could run without end on proposed files; search for plain text, or apply the proposals first.",
      { field: "pattern" },
    );
  try {
    const expression = new RegExp(pattern, ignoreCase ? "iu" : "u");
    return (line) => expression.test(line.slice(0, 10_000));
  } catch (error) {
    throw new ToolError("INVALID_INPUT", `The regular expression is not valid: ${(error as Error).message}`, {
      field: "pattern",
    });
  }
}
