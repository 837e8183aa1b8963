/**
 * The timeline: changes of one call together, commands that changed nothing between them, newest first. Who did it, in words what it
 * did, and, where the server tells, how long it took and what it cost.
 */
import type { ExecRecord } from "../api/exec.ts";
import type { LogEntry } from "../api/history.ts";
import { relative } from "../api/path.ts";

/** What the timeline needs to know of a command. */
export type CommandFacts = Pick<
  ExecRecord,
  "id" | "callId" | "command" | "state" | "startedAt" | "endedAt" | "exitCode" | "ranOn" | "actor"
>;

export interface CallCost {
  callId: string;
  kind: string;
  ms: number;
  rowsRead: number;
  rowsWritten: number;
}

export interface TimelineItem {
  id: string;
  kind: "command" | "call" | "change";
  callId?: string;
  actor?: string;
  /** Milliseconds since 1970. */
  time: number;
  title: string;
  entries: LogEntry[];
  command?: CommandFacts;
  ms?: number;
  cost?: CallCost;
  /** The log's positions around it, for the difference it made. */
  after?: string;
  before?: string;
}

export function timeline(
  entries: readonly LogEntry[],
  commands: readonly CommandFacts[],
  costs: readonly CallCost[] = [],
): TimelineItem[] {
  const byCall = new Map(commands.map((record) => [record.callId, record]));
  const costByCall = new Map(costs.map((cost) => [cost.callId, cost]));
  const items = grouped(entries).map((group) => itemOf(group, byCall, costByCall));
  const seen = new Set(items.map(({ callId }) => callId));
  const oldest = entries.at(-1)?.time ?? 0;
  for (const record of commands)
    if (!seen.has(record.callId) && record.startedAt >= oldest) items.push(commandItem(record, [], costByCall));
  return items.sort((a, b) => b.time - a.time);
}

/** Entries that follow one another under one call, or in one transaction. */
function grouped(entries: readonly LogEntry[]): { entries: LogEntry[]; before?: string }[] {
  const groups: { key: string; entries: LogEntry[]; before?: string }[] = [];
  for (const entry of entries) {
    const key = entry.callId ?? `#${entry.group}`;
    const last = groups.at(-1);
    if (last?.key === key) last.entries.push(entry);
    else {
      // Newest first: what comes next in the list is what stood before.
      if (last !== undefined) last.before = entry.cursor;
      groups.push({ key, entries: [entry] });
    }
  }
  return groups;
}

function itemOf(
  { entries, before }: { entries: LogEntry[]; before?: string },
  commands: ReadonlyMap<string, CommandFacts>,
  costs: ReadonlyMap<string, CallCost>,
): TimelineItem {
  const [newest] = entries as [LogEntry];
  const record = newest.callId === undefined ? undefined : commands.get(newest.callId);
  const around = { after: newest.cursor, before };
  if (record !== undefined) return { ...commandItem(record, entries, costs), ...around };
  const cost = newest.callId === undefined ? undefined : costs.get(newest.callId);
  return {
    id: newest.callId ?? `#${newest.group}`,
    kind: newest.callId === undefined ? "change" : "call",
    callId: newest.callId,
    actor: newest.actor,
    time: newest.time,
    title: titleOf(entries),
    entries,
    ms: cost?.ms,
    cost,
    ...around,
  };
}

function commandItem(record: CommandFacts, entries: LogEntry[], costs: ReadonlyMap<string, CallCost>): TimelineItem {
  const { callId, actor, startedAt, endedAt, command } = record;
  return {
    id: callId,
    kind: "command",
    callId,
    actor,
    time: startedAt,
    title: typeof command === "string" ? command : command.join(" "),
    entries,
    command: record,
    ms: endedAt === null ? undefined : endedAt - startedAt,
    cost: costs.get(callId),
  };
}

const VERBS: Record<LogEntry["op"], string> = {
  create: "Created",
  write: "Wrote",
  attr: "Changed attributes of",
  link: "Linked",
  remove: "Removed",
  rename: "Moved",
};

export function titleOf(entries: readonly LogEntry[]): string {
  const paths = [...new Set(entries.map(({ path }) => shown(path)))];
  const ops = [...new Set(entries.map(({ op }) => op))];
  const [first] = entries as [LogEntry];
  if (paths.length === 1) {
    // What was made and then filled was made.
    const op = ops.includes("create") && !ops.includes("remove") ? "create" : first.op;
    if (op === "rename" && first.from !== undefined) return `Moved ${shown(first.from)} to ${paths[0]}`;
    return `${VERBS[op]} ${paths[0]}`;
  }
  const [op] = ops as [LogEntry["op"]];
  const verb = ops.length === 1 ? VERBS[op] : "Changed";
  return `${verb} ${paths.length} paths, ${paths.slice(0, 2).join(", ")}${paths.length > 2 ? " …" : ""}`;
}

function shown(path: string): string {
  return relative(path) || path;
}
