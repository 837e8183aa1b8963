/**
 * Checks and stats a path in one step; every call begins with it. A workspace in the same object answers synchronously, with one
 * lookup. A store, a binding or queued proposals use the asynchronous path.
 */

import type { FileStat as WorkspaceStat } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import type { ToolContext } from "../definition/tool-context.ts";
import { isMissing, ToolError } from "../errors.ts";
import type { FileStat } from "../store/file-store.ts";
import { fileStatOf } from "../store/workspace-file-store.ts";
import { dirname } from "./path-resolver.ts";

/** Follows links. */
export interface Looked {
  readonly path: string;
  readonly stat: FileStat | null;
}

export function lookToRead(ctx: ToolContext, given: string): Looked | Promise<Looked> {
  return look(ctx, given, false);
}

export function lookToWrite(ctx: ToolContext, given: string): Looked | Promise<Looked> {
  return look(ctx, given, true);
}

function look(ctx: ToolContext, given: string, changes: boolean): Looked | Promise<Looked> {
  const now = ctx.files.queued.size === 0 ? ctx.paths.now(given, changes) : null;
  if (now === null) return lookSlowly(ctx, given, changes);
  return { path: now.path, stat: now.stat === null ? null : fileStatOf(now.stat) };
}

async function lookSlowly(ctx: ToolContext, given: string, changes: boolean): Promise<Looked> {
  const path = await (changes ? ctx.paths.toWrite(given) : ctx.paths.toRead(given));
  return { path, stat: await ctx.files.stat(path) };
}

/** A directory to list. */
export function lookInto(ctx: ToolContext, given: string): string | Promise<string> {
  const looked = lookToRead(ctx, given);
  return looked instanceof Promise ? looked.then(requireDirectory) : requireDirectory(looked);
}

function requireDirectory({ path, stat }: Looked): string {
  if (stat === null) throw new ToolError("ENOENT", `There is no directory ${path}. Use glob or find to look for it.`);
  if (stat.type !== "dir") throw new ToolError("ENOTDIR", `${path} is a file. Use read or info.`);
  return path;
}

/** The entry at a path itself. */
export interface LookedAt {
  readonly path: string;
  /** In the workspace, ignoring queued proposals. */
  readonly stat: WorkspaceStat | null;
}

export function lookAt(ctx: ToolContext, given: string, changes = false): LookedAt | Promise<LookedAt> {
  let now = null;
  try {
    now = ctx.paths.now(given, changes);
  } catch {
    // A link that leads out may be inspected by its name: the asynchronous path decides, and throws.
  }
  return now !== null && now.real === now.path ? now : lookAtSlowly(ctx, given, changes);
}

async function lookAtSlowly(ctx: ToolContext, given: string, changes: boolean): Promise<LookedAt> {
  const path = await ctx.paths.toEntry(given, { changes });
  return { path, stat: await lstatOrNull(ctx, path) };
}

/** A place to write to: its current entry, and whether its directory exists. */
export interface LookContext extends LookedAt {
  readonly hasDirectory: boolean;
}

/** The check follows links: nothing is written where a link leads out. */
export function lookToReplace(ctx: ToolContext, given: string): LookContext | Promise<LookContext> {
  const now = ctx.paths.now(given, true);
  if (now === null || now.real !== now.path) return lookToReplaceSlowly(ctx, given);
  return { path: now.path, stat: now.stat, hasDirectory: true };
}

async function lookToReplaceSlowly(ctx: ToolContext, given: string): Promise<LookContext> {
  const path = await ctx.paths.toWrite(given);
  const stat = await lstatOrNull(ctx, path);
  return { path, stat, hasDirectory: (await ctx.files.stat(dirname(path))) !== null };
}

/** Does not follow links; null: not found. */
export async function lstatOrNull(ctx: ToolContext, path: string): Promise<WorkspaceStat | null> {
  const { workspace } = ctx;
  const found = workspace[internals]?.lookupPath?.(path);
  // No link on the way nor at the end: this is the entry itself, and lstat would only add an error's cost.
  if (found?.path === path) return found.stat;
  try {
    return await workspace.fs.lstat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
