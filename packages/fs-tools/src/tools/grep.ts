/** `grep`: matching lines, by the workspace's engine (or ripgrep in the container), within a budget of hits and bytes. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { cursorField, formatField, optionalPath } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { isOnlyProposed } from "../files/entries.ts";
import { type GrepLine, invalidSearch, type ToolGrepHit, toToolHit } from "../format/grep-hits.ts";
import { PageBuilder } from "../format/page.ts";
import { grepQueued } from "../proposals/grep-queued.ts";

const schema = z.strictObject({
  pattern: z.string().min(1).describe("Plain text unless regex"),
  path: optionalPath,
  regex: z.boolean().optional(),
  ignoreCase: z.boolean().optional(),
  glob: z.string().min(1).optional(),
  contextLines: z.number().int().min(0).optional(),
  hidden: z.boolean().optional().describe("Dotfiles too"),
  ignored: z.boolean().optional().describe("What .gitignore names too"),
  cursor: cursorField,
  format: formatField,
});
export type GrepInput = z.output<typeof schema>;

export const grepTool = defineTool({
  name: "grep",
  group: "search",
  description: "Search file contents. When truncated, refine the search.",
  guidance: "literal by default; set regex for patterns, glob to narrow.",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  schema,
  available: (host) => host.workspace !== undefined,
  handler: grep,
});

async function grep(input: GrepInput, ctx: ToolContext): Promise<ToolOutput> {
  const path = await ctx.paths.toRead(input.path ?? ".");
  const stat = await ctx.files.stat(path);
  if (stat === null)
    throw new ToolError("ENOENT", `There is nothing at ${path} to search. Use list or glob to find it.`);
  const { grepHits, grepLineBytes, grepContextLines, answerBytes } = ctx.limits;
  const context = Math.min(input.contextLines ?? 0, grepContextLines);
  const queued = await grepQueued(ctx, path, stat.type, input, context);
  const found = queued.alone ? EMPTY : await searchWorkspace(ctx, path, input, context, stat.type);
  const page = new PageBuilder<ToolGrepHit>(grepHits, answerBytes);
  let last: ToolGrepHit | undefined;
  let cut = false;
  for (const hit of merge(
    found.hits.filter(({ path: at }) => !ctx.files.queued.has(at) && !ctx.paths.isDenied(at)),
    queued.hits,
  )) {
    if (!page.add(withinBytes(hit, grepLineBytes), hit.path)) {
      cut = true;
      break;
    }
    last = hit;
  }
  const { items: hits } = page.page();
  const truncated = cut || found.truncated;
  const cursor = cut ? await cursorAfter(ctx, path, input, stat.type, found.hits, last) : found.cursor;
  const structured = {
    hits,
    truncated,
    ...(truncated
      ? { truncatedBy: hits.length >= grepHits ? "hits" : cut ? "bytes" : (found.truncatedBy ?? "hits") }
      : {}),
    engine: found.engine,
    filesIgnored: found.filesIgnored,
    ...(truncated && cursor !== null ? { cursor } : {}),
  };
  return answer(structured, input.format === "text" ? asText(hits, truncated) : undefined);
}

/** The cursor of a page that was cut by bytes: queries the engine once more, for as many hits as were shown. */
async function cursorAfter(
  ctx: ToolContext,
  path: string,
  input: GrepInput,
  type: "file" | "dir",
  hits: readonly ToolGrepHit[],
  last: ToolGrepHit | undefined,
): Promise<string | null> {
  const at = last === undefined ? -1 : hits.indexOf(last);
  // Hits of proposals are between those of the engine, whose cursors do not cover them.
  if (at < 0 || ctx.files.queued.size > 0) return null;
  return (await searchWorkspace(ctx, path, input, 0, type, at + 1)).cursor;
}

interface EngineResult {
  hits: ToolGrepHit[];
  truncated: boolean;
  truncatedBy: string | null;
  cursor: string | null;
  engine: string;
  filesIgnored: number;
}

const EMPTY: EngineResult = {
  hits: [],
  truncated: false,
  truncatedBy: null,
  cursor: null,
  engine: "local",
  filesIgnored: 0,
};

async function searchWorkspace(
  ctx: ToolContext,
  path: string,
  input: GrepInput,
  context: number,
  type: "file" | "dir",
  maxHits = ctx.limits.grepHits,
): Promise<EngineResult> {
  const { pattern, regex = false, ignoreCase = false, glob, hidden = false, ignored = false, cursor } = input;
  try {
    const found = await ctx.workspace.fs.grep(pattern, path, {
      regex,
      ignoreCase,
      hidden,
      ignore: !ignored,
      context,
      maxHits,
      maxBytesPerLine: ctx.limits.grepLineBytes,
      exclude: [
        ".git",
        ...(type === "dir" ? ctx.host.deny.filter((one) => !one.startsWith("!") && !one.includes("/")) : []),
      ],
      ...(glob === undefined ? {} : { include: glob }),
      ...(cursor === undefined ? {} : { cursor }),
      ...(ctx.signal === undefined ? {} : { signal: ctx.signal }),
    });
    const hits = found.hits.map((hit) => toToolHit(hit, context));
    const { truncated, truncatedBy, engine, stats } = found;
    return { hits, truncated, truncatedBy, cursor: found.cursor, engine, filesIgnored: stats.filesIgnored };
  } catch (error) {
    if (isOnlyProposed(ctx, error)) return EMPTY;
    throw invalidSearch(error, regex);
  }
}

/** The engine cuts by bytes too; this applies to every engine. */
function withinBytes(hit: ToolGrepHit, max: number): ToolGrepHit {
  if (hit.text.length * 3 <= max) return hit;
  const bytes = new TextEncoder().encode(hit.text);
  if (bytes.length <= max) return hit;
  return { ...hit, text: new TextDecoder().decode(bytes.subarray(0, max)).replace(/\uFFFD+$/, ""), cut: true };
}

function merge(found: readonly ToolGrepHit[], queued: readonly ToolGrepHit[]): readonly ToolGrepHit[] {
  if (queued.length === 0) return found;
  return [...found, ...queued].sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

/** As grep prints it: `path:line:text`, `path-line-text` for context, `--` between groups. */
function asText(hits: readonly ToolGrepHit[], truncated: boolean): string {
  const lines: string[] = [];
  let at = { path: "", line: -1 };
  const withContext = hits.some(({ before, after }) => before !== undefined || after !== undefined);
  const put = (path: string, { line, text }: GrepLine, mark: string) => {
    if (withContext && lines.length > 0 && (at.path !== path || line > at.line + 1)) lines.push("--");
    lines.push(`${path}${mark}${line}${mark}${text}`);
    at = { path, line };
  };
  for (const { path, line, text, before = [], after = [] } of hits) {
    for (const one of before) put(path, one, "-");
    put(path, { line, text }, ":");
    for (const one of after) put(path, one, "-");
  }
  if (truncated) lines.push("[truncated: refine the search]");
  return lines.join("\n");
}
