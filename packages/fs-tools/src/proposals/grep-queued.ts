/**
 * grep in proposed contents, which are not files of the workspace. The workspace's linear-time engine searches them; where the workspace
 * is in another object, only plain text is searched for, because a regular expression on V8 can backtrack without bound.
 */

import { compileOverrides } from "@workspace/glob";
import { internals } from "@workspace/protocol";
import type { ToolContext } from "../definition/tool-context.ts";
import { ToolError } from "../errors.ts";
import { queuedFiles } from "../files/entries.ts";
import { type GrepLine, invalidSearch, type ToolGrepHit, toToolHit } from "../format/grep-hits.ts";
import type { GrepInput } from "../tools/grep.ts";

export interface QueuedHits {
  hits: ToolGrepHit[];
  /** The path is a queued file: there is nothing else to search. */
  alone: boolean;
}

const MAX_HITS = 1000;

export async function grepQueued(
  ctx: ToolContext,
  path: string,
  type: "file" | "dir",
  input: GrepInput,
  context: number,
): Promise<QueuedHits> {
  const alone = type === "file" && ctx.files.queued.has(path);
  if (ctx.files.queued.size === 0) return { hits: [], alone };
  const glob = input.glob === undefined ? null : compileOverrides([input.glob]);
  const hits: ToolGrepHit[] = [];
  for (const entry of queuedFiles(ctx, path)) {
    if (hits.length >= MAX_HITS) break;
    const below = entry.path.slice(path.length + 1) || entry.name;
    if (glob !== null && glob.decide(below, false) !== "include") continue;
    if (!input.hidden && !alone && below.split("/").some((name) => name.startsWith("."))) continue;
    const bytes = await ctx.files.read(entry.path);
    if (bytes === null || bytes.includes(0)) continue;
    hits.push(...(await searchContent(ctx, entry.path, bytes, input, context, MAX_HITS - hits.length)));
  }
  return { hits, alone };
}

async function searchContent(
  { workspace, limits: { grepLineBytes: maxBytesPerLine } }: ToolContext,
  path: string,
  bytes: Uint8Array,
  { pattern, regex = false, ignoreCase = false }: GrepInput,
  context: number,
  maxHits: number,
): Promise<ToolGrepHit[]> {
  if (workspace[internals]?.grepText === undefined) {
    if (!regex)
      return searchPlain(path, bytes, ignoreCase ? pattern.toLowerCase() : pattern, ignoreCase, context, maxHits);
    throw new ToolError(
      "INVALID_INPUT",
      "Proposed files of this workspace cannot be searched by a regular expression; search for plain text, or apply the proposals first.",
      { field: "regex" },
    );
  }
  try {
    const found = await workspace[internals]?.grepText(pattern, path, bytes, {
      regex,
      ignoreCase,
      context,
      maxHits,
      maxBytesPerLine,
    });
    return found.map((hit) => toToolHit(hit, context));
  } catch (error) {
    throw invalidSearch(error, regex);
  }
}

function searchPlain(
  path: string,
  bytes: Uint8Array,
  needle: string,
  ignoreCase: boolean,
  context: number,
  maxHits: number,
): ToolGrepHit[] {
  const lines = new TextDecoder().decode(bytes).replace(/\n$/, "").split(/\r?\n/);
  const hits: ToolGrepHit[] = [];
  for (const [i, text] of lines.entries()) {
    if (hits.length >= maxHits) break;
    if ((ignoreCase ? text.toLowerCase() : text).includes(needle))
      hits.push({ path, line: i + 1, text, ...around(lines, i, context) });
  }
  return hits;
}

function around(lines: readonly string[], at: number, context: number): { before?: GrepLine[]; after?: GrepLine[] } {
  if (context === 0) return {};
  const numbered = (from: number, to: number) => lines.slice(from, to).map((text, i) => ({ line: from + i + 1, text }));
  return { before: numbered(Math.max(at - context, 0), at), after: numbered(at + 1, at + 1 + context) };
}
