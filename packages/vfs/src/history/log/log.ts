/** `history.log` and `history.groups`: the log newest first, change by change or call by call, a page at a time. */
import { FsError } from "../../api/errors.ts";
import type { GroupPage, LogFilter, LogGroup, LogOptions, LogPage } from "../../api/history.ts";
import { historyLimits } from "../../api/limits.ts";
import { shownChange } from "../../policy/shown-change.ts";
import { type EntryFilter, selectMatching } from "../../store/log-reader.ts";
import type { LogRow } from "../../store/log-row.ts";
import { parsePath } from "../../tree/path.ts";
import { toChange } from "../../volume/to-change.ts";
import type { ReadView } from "../../volume/views.ts";
import { firstRevision, resolvePointInTime } from "../past/point-in-time.ts";

export function readLog(volume: ReadView, options: LogOptions): LogPage {
  const { filter, limit } = parsePage(volume.ensureOpen(), options);
  const found =
    volume.rules === null ? selectMatching(volume.store.db, filter, limit + 1) : shownEntries(volume, filter, limit);
  const page = found.slice(0, limit);
  return {
    entries: page.map((entry) => toChange(volume, entry)),
    cursor: found.length > limit ? volume.revisions.format(page.at(-1)?.rev ?? 0) : null,
  };
}

export function readGroups(volume: ReadView, options: LogOptions): GroupPage {
  const { filter, limit } = parsePage(volume.ensureOpen(), options);
  const groups: LogGroup[] = [];
  let open: LogRow[] = [];
  for (const entry of entriesBack(volume, filter)) {
    const last = open.at(-1);
    if (last !== undefined && !isSameCall(last, entry)) {
      groups.push(groupOf(volume, open));
      if (groups.length === limit) return { groups, cursor: volume.revisions.format(last.rev) };
      open = [];
    }
    open.push(entry);
  }
  if (open.length > 0) groups.push(groupOf(volume, open));
  return { groups, cursor: null };
}

/** For a restricted view: one more than the page holds, if there are that many. */
function shownEntries(volume: ReadView, filter: EntryFilter, limit: number): LogRow[] {
  const found: LogRow[] = [];
  for (const entry of entriesBack(volume, filter)) {
    found.push(entry);
    if (found.length > limit) break;
  }
  return found;
}

/** All matching entries that the volume shows, newest first, several per statement. */
function* entriesBack(volume: ReadView, filter: EntryFilter): Generator<LogRow> {
  let { through } = filter;
  for (;;) {
    const page = selectMatching(volume.store.db, { ...filter, through }, historyLimits.readPage);
    for (const entry of page) {
      const shown = shownChange(volume, entry);
      if (shown !== null) yield shown;
    }
    if (page.length < historyLimits.readPage) return;
    through = (page.at(-1) as LogRow).rev - 1;
  }
}

function isSameCall(one: LogRow, other: LogRow): boolean {
  if (one.tx === other.tx) return true;
  return one.callId !== null && one.callId === other.callId && one.actor === other.actor;
}

/** Builds a group from at least one entry, newest first. */
function groupOf(volume: ReadView, entries: readonly LogRow[]): LogGroup {
  const newest = entries[0] as LogRow;
  const oldest = entries.at(-1) as LogRow;
  const ops: LogGroup["ops"] = {};
  const paths = new Set<string>();
  for (let i = entries.length - 1; i >= 0; i--) {
    const { op, path } = entries[i] as LogRow;
    ops[op] = (ops[op] ?? 0) + 1;
    if (paths.size < historyLimits.groupPaths) paths.add(path);
  }
  return {
    group: oldest.tx,
    ...(newest.actor === null ? {} : { actor: newest.actor }),
    ...(newest.callId === null ? {} : { callId: newest.callId }),
    timeMs: newest.time / 1000,
    cursor: volume.revisions.format(newest.rev),
    before: volume.revisions.format(Math.max(oldest.rev - 1, firstRevision(volume))),
    entries: entries.length,
    ops,
    paths: [...paths],
  };
}

function parsePage(volume: ReadView, options: LogOptions): { filter: EntryFilter; limit: number } {
  const { limit = historyLimits.logPage, cursor } = options;
  if (!Number.isInteger(limit) || limit < 1)
    throw new FsError("EINVAL", { syscall: "log", reason: "limit must be a positive integer" });
  const filter = filterOf(volume, options, "log");
  const through =
    cursor === undefined ? filter.through : Math.min(filter.through, volume.revisions.parse(cursor, "log") - 1);
  return { filter: { ...filter, through }, limit: Math.min(limit, historyLimits.logPageMax) };
}

export function filterOf(volume: ReadView, options: LogFilter, syscall: string): EntryFilter {
  const { path, since, until, actor, callId } = options;
  for (const [name, value] of Object.entries({ path, actor, callId })) {
    if (value !== undefined && typeof value !== "string")
      throw new FsError("EINVAL", { syscall, reason: `${name} must be a string` });
  }
  return {
    after: since === undefined ? 0 : resolvePointInTime(volume, since, syscall),
    through: until === undefined ? volume.revisions.head : resolvePointInTime(volume, until, syscall),
    actor,
    callId,
    path: path === undefined ? undefined : plainPath(path, syscall),
  };
}

/** Without following symlinks: entries hold the paths of their time. */
export function plainPath(path: string, syscall: string): string {
  return `/${parsePath(path, syscall).parts.join("/")}`;
}
