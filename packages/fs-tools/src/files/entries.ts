/**
 * Directories as a call sees them: what is denied is not there, what is queued is. Everything that lists goes through here, so that a
 * rule holds for all of them alike.
 */
import type { FileStat } from "@cloudflare/workspace";
import { compileGlob } from "@workspace/glob";
import type { ToolContext } from "../definition/tool-context.ts";
import { ToolError } from "../errors.ts";
import { comparePaths } from "../text/compare-paths.ts";
import { baseName, directoryOf, isInside } from "./tool-paths.ts";

export interface Entry {
  path: string;
  name: string;
  type: "file" | "directory" | "symlink";
  size: number;
  mtimeMs: number;
}

/** Null: not there. Links are not followed. */
export async function entryAt(ctx: ToolContext, path: string): Promise<Entry | null> {
  return entryOf(ctx, path, await lstatOrNull(ctx, path));
}

/** What a call sees at a path whose own stat is `stat`: a proposal stands in front of it. */
export function entryOf(ctx: ToolContext, path: string, stat: FileStat | null): Entry | null {
  const { queued } = ctx.files;
  const proposal = queued.get(path);
  if (proposal !== undefined) return proposal.content === null ? null : queuedEntry(path, proposal.content.length);
  if (stat !== null)
    return { path, name: baseName(path), type: typeOf(stat.type), size: stat.size, mtimeMs: stat.mtimeMs };
  for (const one of queued.values())
    if (one.content !== null && one.path.startsWith(`${path}/`)) return directoryEntry(path);
  return null;
}

/** Links are not followed; null: there is nothing. */
export async function lstatOrNull(ctx: ToolContext, path: string): Promise<FileStat | null> {
  const { workspace } = ctx;
  const found = workspace.lookup?.(path);
  // No link on the way and none at its end: what is there is the thing itself, and an error would only cost.
  if (found?.path === path) return found.stat;
  try {
    return await workspace.fs.lstat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** A page of one directory, by name; `after` is the last name of the page before. */
export async function entriesOf(ctx: ToolContext, directory: string, after?: string, limit = PAGE): Promise<Entry[]> {
  if (ctx.files.queued.size > 0)
    return (await mergedEntries(ctx, directory))
      .filter(({ name }) => after === undefined || comparePaths(name, after) > 0)
      .slice(0, limit);
  if (after === undefined) {
    const all = await below(ctx, directory, 1, limit);
    if (all !== null) return all;
  }
  const entries: Entry[] = [];
  let last = after;
  for (;;) {
    const page = await ctx.workspace.fs.scan(directory, {
      limit: Math.min(limit, PAGE),
      ...(last === undefined ? {} : { after: last }),
    });
    for (const { name, stat } of page) {
      const entry = {
        path: joinPath(directory, name),
        name,
        type: typeOf(stat.type),
        size: stat.size,
        mtimeMs: stat.mtimeMs,
      };
      if (!ctx.paths.isHidden(entry.path)) entries.push(entry);
      if (entries.length >= limit) return entries;
    }
    if (page.length < Math.min(limit, PAGE)) return entries;
    last = page.at(-1)?.name;
  }
}

const PAGE = 1000;

/** Everything under a directory, when there is not more than `limit`: one call, answered from memory where the directories are known. */
async function below(
  ctx: ToolContext,
  directory: string,
  maxDepth: number,
  limit: number,
): Promise<WalkedEntry[] | null> {
  try {
    const found = await ctx.workspace.fs.find(directory, { minDepth: 1, maxDepth, limit: Math.min(limit, PAGE) });
    // Of a link to a directory it gives the paths behind the link.
    if (found.length > 0 && !found[0]!.path.startsWith(joinPath(directory, ""))) return null;
    const { hasDenials } = ctx.paths.rules;
    const entries: WalkedEntry[] = [];
    /** Lengths of the directories that an entry lies in, from the start down: the walk goes depth first. */
    const above = [directory === "/" ? 0 : directory.length];
    for (const { path, type, size, mtimeMs } of found) {
      const slash = path.lastIndexOf("/");
      while (above.at(-1)! > slash) above.pop();
      if (above.at(-1)! < slash) above.push(slash);
      if (hasDenials && ctx.paths.isHidden(path)) continue;
      entries.push({ path, name: path.slice(slash + 1), type: typeOf(type), size, mtimeMs, depth: above.length });
    }
    return entries;
  } catch (error) {
    if ((error as { code?: unknown }).code === "EFBIG") return null;
    throw error;
  }
}

export interface WalkedEntry extends Entry {
  /** 1 for what is in the start itself. */
  depth: number;
}

/**
 * Depth first, in order of names, from where `after` (a path relative to the start) left off; in runs, so that a walk which one call
 * answers is not awaited entry by entry.
 */
export async function* walk(
  ctx: ToolContext,
  start: string,
  maxDepth: number,
  after?: string,
): AsyncGenerator<readonly WalkedEntry[]> {
  const fresh = after === undefined || after === "";
  const all = fresh && ctx.files.queued.size === 0 ? await below(ctx, start, maxDepth, PAGE) : null;
  if (all !== null) yield all;
  else for await (const entry of walkBelow(ctx, start, 1, maxDepth, fresh ? [] : after.split("/"))) yield [entry];
}

async function* walkBelow(
  ctx: ToolContext,
  directory: string,
  depth: number,
  maxDepth: number,
  after: readonly string[],
): AsyncGenerator<WalkedEntry> {
  const [resumed, ...below] = after;
  // The entry that was given last may be a directory in the middle of which the page ended.
  if (resumed !== undefined && depth < maxDepth) {
    const entry = await entryAt(ctx, joinPath(directory, resumed));
    if (entry?.type === "directory" && !ctx.paths.isHidden(entry.path))
      yield* walkBelow(ctx, entry.path, depth + 1, maxDepth, below);
  }
  let last = resumed;
  for (;;) {
    const page = await entriesOf(ctx, directory, last, WALK_PAGE);
    for (const entry of page) {
      yield { ...entry, depth };
      if (entry.type === "directory" && depth < maxDepth) yield* walkBelow(ctx, entry.path, depth + 1, maxDepth, []);
    }
    if (page.length < WALK_PAGE) return;
    last = page.at(-1)?.name;
  }
}

const WALK_PAGE = 500;

/** Everything queued at or under a directory: files that are new or other than in the workspace. */
export function queuedFiles(ctx: ToolContext, directory: string): Entry[] {
  return [...ctx.files.queued.values()]
    .filter(({ path, content }) => content !== null && isInside(path, directory) && !ctx.paths.isHidden(path))
    .map(({ path, content }) => queuedEntry(path, content?.length ?? 0));
}

/** Leaves out what is denied, outside, or replaced by a proposal. */
export function isShown(ctx: ToolContext, path: string): boolean {
  return !ctx.paths.isHidden(path) && !(ctx.files.queued.size > 0 && ctx.files.queued.has(path));
}

/** `pattern` as Node's glob reads it, against paths relative to `base`. */
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

async function mergedEntries(ctx: ToolContext, directory: string): Promise<Entry[]> {
  const merged = new Map<string, Entry>();
  try {
    for (const { name, stat } of await ctx.workspace.fs.scan(directory)) {
      const path = joinPath(directory, name);
      if (isShown(ctx, path))
        merged.set(name, { path, name, type: typeOf(stat.type), size: stat.size, mtimeMs: stat.mtimeMs });
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  for (const entry of queuedFiles(ctx, directory)) {
    if (directoryOf(entry.path) === directory) merged.set(entry.name, entry);
    else {
      const name = entry.path.slice(directory.length + (directory === "/" ? 0 : 1)).split("/")[0] as string;
      if (!merged.has(name)) merged.set(name, directoryEntry(joinPath(directory, name)));
    }
  }
  return [...merged.values()].sort((a, b) => comparePaths(a.name, b.name));
}

export function typeOf(type: "file" | "dir" | "symlink"): Entry["type"] {
  return type === "dir" ? "directory" : type;
}

export function joinPath(directory: string, name: string): string {
  return `${directory === "/" ? "" : directory}/${name}`;
}

function queuedEntry(path: string, size: number): Entry {
  return { path, name: baseName(path), type: "file", size, mtimeMs: 0 };
}

function directoryEntry(path: string): Entry {
  return { path, name: baseName(path), type: "directory", size: 0, mtimeMs: 0 };
}

export function isMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === "ENOENT" || code === "ENOTDIR";
}
