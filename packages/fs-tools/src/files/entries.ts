/**
 * Lists directories as a tool call sees them: without denied entries, with queued ones. Every listing uses this file, so that the
 * same rules apply to all.
 */

import type { FileStat } from "@cloudflare/workspace";
import { compileGlob, isInside } from "@workspace/glob";
import { internals } from "@workspace/protocol";
import type { ToolContext } from "../definition/tool-context.ts";
import type { ToolEntry, VisitEntry } from "../definition/tool-workspace.ts";
import { isMissing, ToolError } from "../errors.ts";
import { comparePaths } from "../format/compare-paths.ts";
import { lstatOrNull } from "../paths/look.ts";
import { basename, dirname } from "../paths/path-resolver.ts";
import type { Proposal } from "../state/tool-state.ts";
import { latestProposalTime } from "./queue-proposals.ts";

export interface Entry {
  path: string;
  name: string;
  type: "file" | "directory" | "symlink";
  size: number;
  mtimeMs: number;
}

/** Null: not found. Does not follow links. */
async function entryAt(ctx: ToolContext, path: string): Promise<Entry | null> {
  return toEntry(ctx, path, await lstatOrNull(ctx, path));
}

/** The entry at a path whose own stat is `stat`: a proposal takes precedence. */
export function toEntry(ctx: ToolContext, path: string, stat: FileStat | null): Entry | null {
  const { queued } = ctx.files;
  const proposal = queued.get(path);
  if (proposal !== undefined) return queuedEntry(proposal);
  if (stat !== null)
    return { path, name: basename(path), type: entryType(stat.type), size: stat.size, mtimeMs: stat.mtimeMs };
  const mtimeMs = queued.size === 0 ? null : latestProposalTime(queued, path);
  return mtimeMs === null ? null : { path, name: basename(path), type: "directory", size: 0, mtimeMs };
}

/** After this many entries, a synchronous walk yields to other requests. */
const MAX_AT_ONCE = 10_000;

/**
 * Walks a directory depth first, in order of names, from where `after` (a path relative to the start) left off, until the callback
 * returns false. In a workspace of the same object it is one synchronous walk over inodes (`npm run bench tools`: find, tree).
 */
export function walkEntries(
  ctx: ToolContext,
  start: string,
  maxDepth: number,
  after: string | undefined,
  visit: VisitEntry,
): void | Promise<void> {
  let from = after ?? "";
  if (from === "" && ctx.files.queued.size === 0) {
    const last = visitAtOnce(ctx, start, maxDepth, visit);
    if (last === null) return;
    from = last;
  }
  return visitLater(ctx, { directory: start, prefix: "", depth: 1 }, maxDepth, from, visit);
}

/** Null: reached the end. Otherwise the last entry, from which the asynchronous walk continues. */
function visitAtOnce(ctx: ToolContext, start: string, maxDepth: number, visit: VisitEntry): string | null {
  const { workspace, paths } = ctx;
  if (workspace[internals]?.walkDirectory === undefined) return "";
  const { hasDenials } = paths.rules;
  let visited = 0;
  let last: string | null = null;
  workspace[internals]?.walkDirectory(start, maxDepth, (entry) => {
    if (++visited > MAX_AT_ONCE) return false;
    if (visited === MAX_AT_ONCE) last = entry.prefix + entry.name;
    return (hasDenials && paths.isDenied(joinPath(start, entry.prefix + entry.name))) || visit(entry);
  });
  return visited > MAX_AT_ONCE ? last : null;
}

async function visitLater(
  ctx: ToolContext,
  place: WalkPosition,
  maxDepth: number,
  after: string,
  visit: VisitEntry,
): Promise<void> {
  for await (const entry of walkBelow(ctx, place, maxDepth, after === "" ? [] : after.split("/")))
    if (!visit(entry)) return;
}

interface WalkPosition {
  readonly directory: string;
  /** The path from the start of the walk, with a slash at the end; "" at the start. */
  readonly prefix: string;
  readonly depth: number;
}

async function* walkBelow(
  ctx: ToolContext,
  place: WalkPosition,
  maxDepth: number,
  after: readonly string[],
): AsyncGenerator<ToolEntry> {
  const { directory, prefix, depth } = place;
  const [resumed, ...below] = after;
  const inside = (name: string) => ({
    directory: joinPath(directory, name),
    prefix: `${prefix}${name}/`,
    depth: depth + 1,
  });
  // The page may have ended inside the directory that was the last entry.
  if (resumed !== undefined && depth < maxDepth) {
    const entry = await entryAt(ctx, joinPath(directory, resumed));
    if (entry?.type === "directory" && !ctx.paths.isDenied(entry.path))
      yield* walkBelow(ctx, inside(resumed), maxDepth, below);
  }
  let last: string | undefined = resumed;
  for (;;) {
    const page = await readEntries(ctx, directory, last, WALK_PAGE);
    for (const entry of page) {
      yield { ...entry, prefix, depth };
      if (entry.type === "dir" && depth < maxDepth) yield* walkBelow(ctx, inside(entry.name), maxDepth, []);
    }
    if (page.length < WALK_PAGE) return;
    last = page.at(-1)?.name;
  }
}

const WALK_PAGE = 500;

/** A page of one directory, by name; `after` is the last name of the previous page. */
async function readEntries(
  ctx: ToolContext,
  directory: string,
  after: string | undefined,
  limit: number,
): Promise<readonly ToolEntry[]> {
  if (ctx.files.queued.size > 0)
    return (await mergedEntries(ctx, directory))
      .filter(({ name }) => after === undefined || comparePaths(name, after) > 0)
      .slice(0, limit);
  const entries: ToolEntry[] = [];
  let last = after;
  for (;;) {
    const page = await ctx.workspace.fs.scan(directory, { limit, ...(last === undefined ? {} : { after: last }) });
    for (const { name, stat } of page) {
      if (!ctx.paths.isDenied(joinPath(directory, name))) entries.push(toolEntry(name, stat));
      if (entries.length >= limit) return entries;
    }
    if (page.length < limit) return entries;
    last = page.at(-1)?.name;
  }
}

/** Everything queued at or under a directory: files that are new or differ from the workspace. */
export function queuedFiles(ctx: ToolContext, directory: string): Entry[] {
  return [...ctx.files.queued.values()]
    .filter(({ path }) => isInside(path, directory) && !ctx.paths.isDenied(path))
    .map(queuedEntry)
    .filter((entry) => entry !== null);
}

/** False for paths that are denied, outside the root, or replaced by a proposal. */
export function isShown(ctx: ToolContext, path: string): boolean {
  return !ctx.paths.isDenied(path) && !(ctx.files.queued.size > 0 && ctx.files.queued.has(path));
}

/** `pattern` in the syntax of Node's glob, matched against paths relative to `base`. */
export function matcher(pattern: string): (path: string, isDirectory: boolean) => boolean {
  try {
    const glob = compileGlob(pattern);
    return (path, isDirectory) => glob.match(path, isDirectory);
  } catch (error) {
    throw new ToolError(
      "INVALID_INPUT",
      `The glob ${JSON.stringify(pattern.slice(0, 200))} is not valid: ${(error as Error).message}`,
      { field: "pattern" },
    );
  }
}

async function mergedEntries(ctx: ToolContext, directory: string): Promise<ToolEntry[]> {
  const merged = new Map<string, ToolEntry>();
  try {
    for (const { name, stat } of await ctx.workspace.fs.scan(directory))
      if (isShown(ctx, joinPath(directory, name))) merged.set(name, toolEntry(name, stat));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  for (const { path, name, size, mtimeMs } of queuedFiles(ctx, directory)) {
    if (dirname(path) === directory) merged.set(name, toolEntry(name, { type: "file", size, mtimeMs }));
    else {
      const above = path.slice(directory.length + (directory === "/" ? 0 : 1)).split("/")[0] as string;
      const time = latestProposalTime(ctx.files.queued, joinPath(directory, above)) ?? mtimeMs;
      if (!merged.has(above)) merged.set(above, toolEntry(above, { type: "dir", size: 0, mtimeMs: time }));
    }
  }
  return [...merged.values()].sort((a, b) => comparePaths(a.name, b.name));
}

function toolEntry(name: string, { type, size, mtimeMs }: Pick<FileStat, "type" | "size" | "mtimeMs">): ToolEntry {
  return { name, prefix: "", depth: 1, type, size, mtimeMs };
}

export function entryType(type: "file" | "dir" | "symlink"): Entry["type"] {
  return type === "dir" ? "directory" : type;
}

function joinPath(directory: string, name: string): string {
  return `${directory === "/" ? "" : directory}/${name}`;
}

/** Null: a queued deletion. */
function queuedEntry({ path, content, timeMs = 0 }: Proposal): Entry | null {
  return content === null ? null : { path, name: basename(path), type: "file", size: content.length, mtimeMs: timeMs };
}

/** Whether a directory that this call sees is missing in the workspace, so that only proposals create it. */
export function isOnlyProposed(ctx: ToolContext, error: unknown): boolean {
  return ctx.files.queued.size > 0 && isMissing(error);
}
