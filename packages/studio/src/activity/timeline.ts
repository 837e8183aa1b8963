/**
 * The timeline: what each call changed, commands that changed nothing between them, newest first. Who did it, in words what it did,
 * and, where the server tells, how long it took and what it cost.
 */
import type { ExecRecord } from "../api/exec.ts";
import type { LogEntry, LogGroup } from "../api/history.ts";
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
  kind: "command" | "git" | "change";
  actor?: string;
  /** Milliseconds since 1970. */
  time: number;
  title: string;
  /** Absent: it changed nothing. */
  change?: LogGroup;
  command?: CommandFacts;
  ms?: number;
  cost?: CallCost;
}

export function timeline(
  groups: readonly LogGroup[],
  commands: readonly CommandFacts[],
  costs: readonly CallCost[] = [],
): TimelineItem[] {
  const byCall = new Map(commands.map((record) => [record.callId, record]));
  const costByCall = new Map(costs.map((cost) => [cost.callId, cost]));
  const items = groups.map((group): TimelineItem => {
    const record = group.callId === undefined ? undefined : byCall.get(group.callId);
    const item = record === undefined ? changeItem(group) : { ...commandItem(record), change: group };
    const cost = group.callId === undefined ? undefined : costByCall.get(group.callId);
    return { ...item, cost, ms: item.ms ?? cost?.ms };
  });
  const seen = new Set(groups.map(({ callId }) => callId));
  const oldest = groups.at(-1)?.time ?? 0;
  for (const record of commands)
    if (!seen.has(record.callId) && record.startedAt >= oldest) items.push(commandItem(record));
  return items.sort((a, b) => b.time - a.time);
}

function changeItem(group: LogGroup): TimelineItem {
  const ofGit = group.paths.every((path) => /\/\.git(\/|$)/.test(path));
  const byGit = ofGit || group.callId?.startsWith("git-") === true;
  return {
    id: `#${group.group}`,
    kind: byGit ? "git" : "change",
    actor: group.actor,
    time: group.time,
    title: ofGit ? "Git wrote its repository" : byGit ? titleOf(group, "Git changed") : titleOf(group),
    change: group,
  };
}

function commandItem(record: CommandFacts): TimelineItem {
  const { callId, actor, startedAt, endedAt, command } = record;
  return {
    id: callId,
    kind: "command",
    actor,
    time: startedAt,
    title: typeof command === "string" ? command : command.join(" "),
    command: record,
    ms: endedAt === null ? undefined : endedAt - startedAt,
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
/** What was made and then filled was made; what was moved was moved, whatever else. */
const WEIGHT: LogEntry["op"][] = ["rename", "remove", "create", "link", "write", "attr"];

/** `doing`: the verb, where the kinds of change say nothing: git makes and removes files of its own on the way. */
export function titleOf({ ops, paths, entries }: Pick<LogGroup, "ops" | "paths" | "entries">, doing?: string): string {
  const names = paths.filter((path) => !/\/\.git(\/|$)/.test(path)).map((path) => relative(path) || path);
  const done = WEIGHT.filter((op) => (ops[op] ?? 0) > 0);
  const single =
    names.length === 1 || done.length === 1 || (done.length === 2 && done[0] === "create" && done[1] === "write");
  const verb = doing ?? (single && done[0] !== undefined ? VERBS[done[0]] : "Changed");
  if (names.length <= 1) return `${verb} ${names[0] ?? "nothing"}`;
  const more = Math.max(names.length, paths.length < 20 ? 0 : entries) - 2;
  return `${verb} ${names.slice(0, 2).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
