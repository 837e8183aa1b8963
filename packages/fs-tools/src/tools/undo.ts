/** `undo`: reverts a call's changes, all or nothing; with `force` as much as possible, with an outcome for each path. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import type { ToolHistory, ToolReverted } from "../definition/tool-workspace.ts";
import { ToolError, toToolError } from "../errors.ts";
import { restoreSnapshots, snapshotFiles } from "../store/snapshots.ts";

const schema = z.strictObject({
  callId: z.string().min(1).describe("Of the call to take back, from its result"),
  force: z.boolean().optional().describe("Also where another actor changed the file since"),
});

export const undoTool = defineTool({
  name: "undo",
  group: "filesystem",
  description: "Take back what a call changed: write, edit, apply_patch, move, delete, exec or git.",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  schema,
  available: (host) => host.mode === "direct" && (host.store !== undefined || host.workspace?.history !== undefined),
  handler: undo,
});

async function undo({ callId, force = false }: z.output<typeof schema>, ctx: ToolContext): Promise<ToolOutput> {
  if (ctx.host.store !== undefined) return undoSnapshots(ctx, callId, force);
  const history = ctx.workspace.history as ToolHistory;
  const limited = ctx.paths.rules.hasDenials || ctx.host.writable !== undefined;
  // No check needed first: nothing outside the root is touched, and a conflict changes nothing.
  if (!force && !limited && ctx.paths.root !== "/")
    return undone(ctx, callId, await tried(ctx, { callId, path: ctx.paths.root }), {});
  const plan = await tried(ctx, { callId, force, dryRun: true });
  for (const { path, from } of plan.changes)
    for (const at of from === undefined ? [path] : [path, from]) await ctx.paths.toWrite(at);
  if (plan.total > plan.changes.length && limited)
    throw new ToolError(
      "UNDO_FAILED",
      `The call ${callId} changed ${plan.total} paths, too many to check against what is off limits.`,
    );
  if (plan.conflicts.length > 0 && !force) throw conflict(ctx, callId, plan.conflicts);
  if (plan.total === 0) throw nothingLeft(callId);
  const overridden = force ? { overridden: await conflictsOf(ctx, history, callId) } : {};
  return undone(ctx, callId, await tried(ctx, { callId, force }), overridden);
}

interface UndoConflict {
  readonly path: string;
  readonly reason: string;
}

/** Omits conflicts at denied paths, whose names must not appear. */
function shownConflicts(ctx: ToolContext, conflicts: readonly UndoConflict[]): UndoConflict[] {
  return conflicts
    .filter(({ path }) => !ctx.paths.isDenied(path))
    .slice(0, 50)
    .map(({ path, reason }) => ({ path, reason }));
}

/** The changes that block the undo and that force discards: a forced plan does not name them. */
async function conflictsOf(ctx: ToolContext, history: ToolHistory, callId: string): Promise<readonly UndoConflict[]> {
  try {
    return shownConflicts(ctx, (await history.undo({ callId, dryRun: true })).conflicts);
  } catch (error) {
    return shownConflicts(ctx, (error as { conflicts?: UndoConflict[] }).conflicts ?? []);
  }
}

async function undone(
  ctx: ToolContext,
  callId: string,
  { changes: all, total, kept }: ToolReverted,
  more: Record<string, unknown>,
): Promise<ToolOutput> {
  if (total === 0) throw nothingLeft(callId);
  const left = kept?.filter(({ path }) => !ctx.paths.isDenied(path));
  const changes = all.slice(0, 200).map(({ path, action }) => ({ path, outcome: action }));
  for (const { path } of all) await ctx.files.forgetRead(path);
  return answer({ ok: true, undone: callId, changes, total, ...(left && { kept: left }), ...more });
}

function nothingLeft(callId: string): ToolError {
  const message = `No change of the call ${callId} is left to undo: it changed nothing here, was undone before, or is not known.`;
  return new ToolError("UNDO_FAILED", message, { total: 0 });
}

async function tried(ctx: ToolContext, options: Parameters<ToolHistory["undo"]>[0]): Promise<ToolReverted> {
  try {
    return await (ctx.workspace.history as ToolHistory).undo(options);
  } catch (error) {
    const { code, conflicts, refusal } = error as { code?: string; conflicts?: UndoConflict[]; refusal?: string };
    if (refusal === "DENIED") throw offLimits(options.callId);
    if (refusal !== undefined) throw error;
    if (code === "ECONFLICT" && conflicts !== undefined) throw conflict(ctx, options.callId, conflicts);
    const message = toToolError(error).message.replace(/, undo$/, "");
    throw new ToolError(
      "UNDO_FAILED",
      `The call ${options.callId} cannot be undone: ${message}. Use changes to see which calls there are.`,
      {},
      { cause: error },
    );
  }
}

function conflict(ctx: ToolContext, callId: string, conflicts: readonly UndoConflict[]): ToolError {
  const shown = shownConflicts(ctx, conflicts);
  const [first] = shown;
  if (first === undefined) return offLimits(callId);
  const message = `Nothing was undone: ${first.path}: ${first.reason}. Pass force to discard later changes.`;
  return new ToolError("UNDO_FAILED", message, { conflicts: shown });
}

function offLimits(callId: string): ToolError {
  return new ToolError("DENIED", `The call ${callId} touched something that is off limits here; nothing was undone.`);
}

/** A store without a history has the replaced contents while this process lives. */
async function undoSnapshots(ctx: ToolContext, callId: string, force: boolean): Promise<ToolOutput> {
  const { store } = ctx.host;
  const snapshots = await ctx.state.snapshots(callId);
  if (store === undefined || snapshots === undefined)
    throw new ToolError("UNDO_FAILED", `Nothing is stored of what the call ${callId} replaced.`);
  for (const { path } of snapshots) await ctx.paths.toWrite(path);
  if (!force) for (const { path } of snapshots) await ctx.files.requireNotStale(path, await ctx.files.stat(path));
  const before = await snapshotFiles(store, snapshots);
  const outcomes = await restoreSnapshots(store, snapshots);
  const failed = outcomes.find(({ outcome }) => outcome === "failed");
  if (failed !== undefined && !force) {
    await restoreSnapshots(
      store,
      before.filter(({ path }) => path !== failed.path),
    );
    const message = `Nothing was undone: ${failed.path}: ${failed.message} Pass force to undo the rest.`;
    throw new ToolError("UNDO_FAILED", message, { path: failed.path });
  }
  await ctx.state.keepSnapshots(ctx.callId, before);
  for (const { path } of outcomes) await ctx.files.forgetRead(path);
  return answer({ ok: true, undone: callId, changes: outcomes, total: outcomes.length });
}
