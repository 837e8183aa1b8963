/** `glob` and `find`: paths by pattern, and by name, type, size or time. */

import type { EntryType, FindOptions } from "@cloudflare/workspace";
import { isInside } from "@workspace/glob";
import { internals } from "@workspace/protocol";
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { cursorField, formatField, optionalPath } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { cursorInside } from "../files/cursor.ts";
import { entryType, isOnlyProposed, isShown, matcher, queuedFiles } from "../files/entries.ts";
import { compareAsWalked, comparePaths } from "../format/compare-paths.ts";
import { isoTime, oneLine } from "../format/human.ts";
import { ESCAPED, maxJsonBytes, PageBuilder } from "../format/page.ts";
import { lookInto } from "../paths/look.ts";
import { normalizePath } from "../paths/path-resolver.ts";

const annotations = { readOnly: true, destructive: false, idempotent: true } as const;

const globSchema = z.strictObject({
  pattern: z.string().min(1).describe('Such as "**/*.ts"'),
  cwd: optionalPath,
  dirs: z.boolean().optional().describe("Directories too"),
  ignore: z.boolean().optional().describe("Leave out what .gitignore names"),
  cursor: cursorField,
  format: formatField,
});

export const globTool = defineTool({
  name: "glob",
  group: "search",
  description: "Find files whose path matches a glob; ** for any depth. Sorted absolute paths.",
  annotations,
  schema: globSchema,
  available: (host) => host.workspace !== undefined,
  handler: glob,
});

async function glob(input: z.output<typeof globSchema>, ctx: ToolContext): Promise<ToolOutput> {
  const { pattern, format } = input;
  const cursor = cursorInside(input.cursor, ctx.paths.root);
  const cwd = await lookInto(ctx, input.cwd ?? ".");
  const literal = /^[^*?[{]*/.exec(pattern)?.[0] ?? "";
  if (pattern.split("/").includes("..") || (pattern.startsWith("/") && !mayReach(literal, ctx.paths.root)))
    throw new ToolError("OUTSIDE_ROOT", `The pattern leads outside ${ctx.paths.root}.`, { field: "pattern" });
  const options = { cwd, dirs: input.dirs ?? false, ignore: input.ignore ?? false };
  const found = await ctx.workspace.fs.glob(pattern, options).catch((error: unknown) => {
    if (isOnlyProposed(ctx, error)) return [];
    // An invalid pattern has its own error message.
    matcher(pattern);
    throw error;
  });
  const prefix = cwd === "/" ? "/" : `${cwd}/`;
  /** Results use the pattern's spelling. */
  const isPlain = normalizePath(`/${pattern}`) === `/${pattern}`;
  /** Then everything below the directory is inside the root, and no proposal takes precedence. */
  const allShown = isPlain && !pattern.startsWith("/") && !ctx.paths.rules.hasDenials && ctx.files.queued.size === 0;
  const absolute: string[] = [];
  for (const path of found) {
    // The directory itself is reported as ".".
    const at =
      path === "." ? cwd : path.startsWith("/") ? path : isPlain ? prefix + path : normalizePath(prefix + path);
    if (allShown || isShown(ctx, at)) absolute.push(at);
  }
  if (ctx.files.queued.size > 0) {
    const matches = matcher(pattern);
    for (const { path } of queuedFiles(ctx, cwd))
      if (matches(pattern.startsWith("/") ? path : path.slice(prefix.length), false)) absolute.push(path);
    absolute.sort(comparePaths);
  }
  const page = new PageBuilder<string>(ctx.limits.entries, ctx.limits.answerBytes);
  for (const path of absolute) {
    if (cursor !== undefined && comparePaths(path, cursor) <= 0) continue;
    if (!page.add(path, path, maxJsonBytes(path))) break;
  }
  const { items, ...rest } = page.page();
  return answer({ files: items, ...rest }, format === "text" ? asText(items, rest.cursor) : undefined);
}

function asText(files: readonly string[], cursor: string | undefined): string {
  const lines = files.map(oneLine);
  if (cursor !== undefined) lines.push(`[more: cursor ${JSON.stringify(cursor)}]`);
  return lines.join("\n");
}

/** A pattern may start above the root if it can lead into it. */
function mayReach(literal: string, root: string): boolean {
  return isInside(normalizePath(literal), root) || root.startsWith(literal);
}

const findSchema = z.strictObject({
  path: optionalPath,
  name: z.string().min(1).optional().describe("Glob on the name"),
  type: z.enum(["file", "directory", "symlink"]).optional(),
  larger: z.number().int().min(0).optional().describe("Than so many bytes"),
  smaller: z.number().int().min(0).optional().describe("Than so many bytes"),
  newer: z.string().optional().describe("Modified after this time (ISO)"),
  older: z.string().optional().describe("Modified before this time (ISO)"),
  maxDepth: z.number().int().min(0).optional(),
  ignore: z.boolean().optional().describe("Leave out what .gitignore names"),
  cursor: cursorField,
});

export const findTool = defineTool({
  name: "find",
  group: "search",
  description: "Find files and directories by name, type, size or time of change.",
  annotations,
  schema: findSchema,
  available: (host) => host.workspace !== undefined,
  handler: find,
});

async function find(input: z.output<typeof findSchema>, ctx: ToolContext): Promise<ToolOutput> {
  const { path: given = ".", name, type, larger, smaller, newer, older, maxDepth } = input;
  const cursor = cursorInside(input.cursor, ctx.paths.root);
  const path = await lookInto(ctx, given);
  const [after, before] = [timeOf("newer", newer), timeOf("older", older)];
  const found = await entriesFound(ctx, path, {
    minDepth: 1,
    ignore: input.ignore ?? false,
    ...(name === undefined ? {} : { name }),
    ...(type === undefined ? {} : { type: type === "directory" ? "dir" : type }),
    ...(larger === undefined ? {} : { larger }),
    ...(smaller === undefined ? {} : { smaller }),
    ...(after === undefined ? {} : { newer: after }),
    ...(before === undefined ? {} : { older: before }),
    ...(maxDepth === undefined ? {} : { maxDepth }),
  });
  /** The results share the directory's prefix, which is inside the root: all of them do, or, behind a link, none. */
  const isPlain = found[0]?.path.startsWith(path === "/" ? path : `${path}/`) ?? false;
  const allShown = isPlain && !ctx.paths.rules.hasDenials && ctx.files.queued.size === 0;
  const entries = allShown ? found : found.filter((entry) => isShown(ctx, entry.path));
  const named = name === undefined || ctx.files.queued.size === 0 ? null : matcher(name);
  for (const queued of queuedFiles(ctx, path)) {
    const depth = queued.path.slice(path.length + 1).split("/").length;
    const fits =
      (named?.(queued.name, false) ?? true) &&
      (type ?? "file") === "file" &&
      queued.size > (larger ?? -1) &&
      queued.size < (smaller ?? Number.POSITIVE_INFINITY) &&
      depth <= (maxDepth ?? Number.POSITIVE_INFINITY) &&
      queued.mtimeMs > (after?.getTime() ?? Number.NEGATIVE_INFINITY) &&
      queued.mtimeMs < (before?.getTime() ?? Number.POSITIVE_INFINITY);
    if (fits) entries.push(foundEntry(queued.path, "file", queued.size, queued.mtimeMs));
  }
  if (ctx.files.queued.size > 0) entries.sort((a, b) => compareAsWalked(a.path, b.path));
  const page = new PageBuilder<FoundEntry>(ctx.limits.entries, ctx.limits.answerBytes);
  for (const entry of entries) {
    if (cursor !== undefined && compareAsWalked(entry.path, cursor) <= 0) continue;
    if (!page.add(entry, entry.path, entry.path.length * ESCAPED + ENTRY_BYTES)) break;
  }
  const { items, ...rest } = page.page();
  return answer({ path, entries: items, ...rest });
}

interface FoundEntry {
  path: string;
  type: "file" | "directory" | "symlink";
  size: number;
  modified: string;
}

/** JSON bytes of an entry besides its path. */
const ENTRY_BYTES = 110;

/** In walk order: the contents of a directory right after it. */
async function entriesFound(ctx: ToolContext, path: string, options: FindOptions): Promise<FoundEntry[]> {
  const { workspace } = ctx;
  try {
    if (workspace[internals]?.findMapped !== undefined)
      return await workspace[internals]?.findMapped(path, options, foundEntry);
    const found = await workspace.fs.find(path, options);
    return found.map((one) => foundEntry(one.path, one.type, one.size, one.mtimeMs));
  } catch (error) {
    if (isOnlyProposed(ctx, error)) return [];
    throw error;
  }
}

function foundEntry(path: string, type: EntryType, size: number, mtimeMs: number): FoundEntry {
  return { path, type: entryType(type), size, modified: isoTime(mtimeMs) };
}

function timeOf(field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new ToolError("INVALID_INPUT", `${field} is not a time such as 2026-11-17T12:00:00Z.`, { field });
  return time;
}
