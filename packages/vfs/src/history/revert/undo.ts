/**
 * `history.undo`: reverts the chosen entries, and nothing else. A filter chooses them; one statement reads them with the later
 * entries that touch the same. An undo is a change like any other: logged under the caller's name, and itself undone by `undo({
 * group })`.
 */
import { FsError } from "../../api/errors.ts";
import type { Conflict, RevertResult, UndoOptions } from "../../api/history.ts";
import { revertible } from "../../policy/private-files.ts";
import { refused } from "../../policy/require-change.ts";
import { isWhollyShown } from "../../policy/shown-change.ts";
import { type EntryFilter, selectMatching, selectRelated, selectRun } from "../../store/log-reader.ts";
import type { LogRow } from "../../store/log-row.ts";
import type { ReadView } from "../../volume/views.ts";
import type { HistoryContext } from "../history-context.ts";
import { filterOf } from "../log/log.ts";
import { firstRevision } from "../past/point-in-time.ts";
import { conflictError, revert } from "./revert.ts";

export function undo(ctx: HistoryContext, options: UndoOptions): RevertResult {
  const volume = ctx.volume.ensureOpen();
  const { dryRun, force, merge } = options;
  const filter = toFilter(volume, options);
  const related = filter === null ? [] : selectRelated(volume.store.db, filter, volume.limits.bulkEntries + 1);
  const found = revertible(volume, related);
  if (found.length === 0) requireKnown(options);
  if (related.length > volume.limits.bulkEntries)
    throw new FsError("EFBIG", {
      syscall: "undo",
      reason: `more than ${volume.limits.bulkEntries} entries to look at`,
    });
  // A hidden entry cannot be named in an error, nor be left out of its group.
  if (found.some(({ entry, matched }) => matched && !isWhollyShown(volume, entry)))
    throw refused("DENIED", { syscall: "undo" });
  const shared = sharedCallConflicts(found, options.callId);
  if (shared.length > 0 && !force && !dryRun) throw conflictError("undo", shared);
  const partial = !isEverythingSince(volume, found);
  const done = revert(ctx, [found], { syscall: "undo", dryRun, force, merge, partial, stores: ctx.stores });
  return { ...done, conflicts: [...shared, ...done.conflicts] };
}

/**
 * Whether there are no other entries since the oldest of them: then this is a restore of the state before. Revisions are
 * consecutive.
 */
function isEverythingSince(volume: ReadView, found: readonly { entry: LogRow; matched: boolean }[]): boolean {
  const oldest = found.at(-1)?.entry.rev ?? 0;
  return found.length === volume.revisions.head - oldest + 1 && found.every(({ matched }) => matched);
}

/** Changes made while other commands ran as well: their author is unknown, so they are reverted together or not at all. */
function sharedCallConflicts(
  found: readonly { entry: LogRow; matched: boolean }[],
  callId: string | undefined,
): readonly Conflict[] {
  const shared = new Map<string, Conflict>();
  for (const { entry, matched } of found) {
    if (!matched || callId === undefined || entry.callId === callId || entry.callId === null) continue;
    const others = entry.callId.split(",").filter((name) => name !== callId);
    const reason = `made while ${others.map((name) => `"${name}"`).join(", ")} ran too; with force their changes go with it`;
    shared.set(entry.callId, { path: entry.path, reason, callId: entry.callId });
  }
  return [...shared.values()];
}

/** A path without changes has nothing to revert; a call or a group that the log lacks is a mistake, or too old. */
function requireKnown({ callId, group }: UndoOptions): void {
  if (callId === undefined && group === undefined) return;
  const named = callId === undefined ? `group ${group}` : `call "${callId}"`;
  throw new FsError("ENOENT", { syscall: "undo", reason: `no change of ${named} is kept` });
}

/** Null when there is nothing to revert. */
function toFilter(volume: ReadView, options: UndoOptions): EntryFilter | null {
  const { path, since, actor, callId, group } = options;
  if (path === undefined && since === undefined && actor === undefined && callId === undefined && group === undefined)
    throw new FsError("EINVAL", { syscall: "undo", reason: "say what: callId, group, path, since or actor" });
  if (group !== undefined && !Number.isSafeInteger(group))
    throw new FsError("EINVAL", { syscall: "undo", reason: "group must be that of an entry or an undo" });
  const filter = filterOf(volume, { path, since, actor, callId }, "undo");
  // A call may make many transactions: its group is all of them, as the log shows it.
  const run = group === undefined ? null : selectRun(volume.store.db, group);
  // The workspace root itself stays.
  const after = Math.max(filter.after, firstRevision(volume), run?.after ?? (group ?? 0) - 1);
  const through = Math.min(filter.through, run?.through ?? filter.through);
  const whole = { ...filter, after, through, group: run === null ? group : undefined };
  if (path === undefined || since !== undefined || actor !== undefined || callId !== undefined || group !== undefined)
    return whole;
  const last: LogRow | undefined = selectMatching(volume.store.db, whole, 1)[0];
  if (last === undefined) return null;
  return last.callId === null
    ? { ...whole, group: last.tx, after: Math.max(whole.after, last.tx - 1) }
    : { ...whole, callId: last.callId, ...(last.actor === null ? {} : { actor: last.actor }) };
}
