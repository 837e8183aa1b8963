/**
 * The timeline, newest first: the changes of each call, and between them the commands and tool calls that changed nothing. Each has
 * its actor, a description, its duration and its cost, as far as the server has them.
 */
import type { ExecRecord } from "../api/exec.ts";
import type { LogEntry, LogGroup, ToolCall } from "../api/history.ts";
import { relative } from "../api/path.ts";
import type { StatsResponse } from "../api/workspaces.ts";

/** The fields of a command that the timeline needs. */
export type CommandFacts = Pick<
  ExecRecord,
  "id" | "callId" | "command" | "state" | "startedAt" | "endedAt" | "exitCode" | "ranOn" | "actor"
>;

export type CallCost = StatsResponse["recent"][number];

export interface TimelineItem {
  id: string;
  kind: "command" | "tool" | "git" | "change";
  actor?: string;
  /** Milliseconds since 1970. */
  time: number;
  title: string;
  /** Absent: it changed nothing. */
  change?: LogGroup;
  command?: CommandFacts;
  call?: ToolCall;
  ms?: number;
  cost?: CallCost;
}

export interface TimelineInput {
  groups: readonly LogGroup[];
  commands?: readonly CommandFacts[];
  calls?: readonly ToolCall[];
  costs?: readonly CallCost[];
}

export function timeline({ groups, commands = [], calls = [], costs = [] }: TimelineInput): TimelineItem[] {
  const commandOf = new Map(commands.map((record) => [record.callId, record]));
  const callOf = new Map(calls.map((call) => [call.callId, call]));
  const items = groups.map((group): TimelineItem => {
    const record = group.callId === undefined ? undefined : commandOf.get(group.callId);
    if (record !== undefined) return { ...commandItem(record), change: group };
    const call = group.callId === undefined ? undefined : callOf.get(group.callId);
    return call === undefined ? changeItem(group) : { ...toolItem(call), actor: group.actor, change: group };
  });
  const seen = new Set(groups.map(({ callId }) => callId));
  // Items older than the oldest change shown belong to the next page.
  const oldest = groups.at(-1)?.time ?? 0;
  for (const record of commands) {
    if (!seen.has(record.callId) && record.startedAt >= oldest) items.push(commandItem(record));
    seen.add(record.callId);
  }
  for (const call of calls) if (!seen.has(call.callId) && call.time >= oldest) items.push(toolItem(call));
  return items.map((item) => priced(item, costs)).sort((a, b) => b.time - a.time);
}

/** Finds the cost by the call's id; for a change without one, by its position in the log: the smallest call around it. */
function priced(item: TimelineItem, costs: readonly CallCost[]): TimelineItem {
  const callId = item.change?.callId ?? item.command?.callId ?? item.call?.callId;
  const { group = -1 } = item.change ?? {};
  const around = costs
    .filter(({ revs }) => revs !== undefined && revs.first <= group && group <= revs.last)
    .sort((a, b) => width(a) - width(b));
  const cost = costs.find((one) => one.callId !== undefined && one.callId === callId) ?? around[0];
  return cost === undefined ? item : { ...item, cost, ms: item.ms ?? cost.ms };
}

function width({ revs }: CallCost): number {
  return revs === undefined ? 0 : revs.last - revs.first;
}

function changeItem(group: LogGroup): TimelineItem {
  const itsOwn = group.paths.every(ofGit);
  const byGit = itsOwn || group.callId?.startsWith("git-") === true;
  return {
    id: `#${group.group}`,
    kind: byGit ? "git" : "change",
    actor: group.actor,
    time: group.time,
    title: itsOwn ? "Git wrote its repository" : byGit ? groupTitle(group, "Git changed") : groupTitle(group),
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

/** A tool by its name and subject: `grep "TODO" src`. */
function toolItem(call: ToolCall): TimelineItem {
  const { callId, actor, time, ms, tool } = call;
  return {
    id: callId,
    kind: "tool",
    actor,
    time: time - ms,
    title: `${tool} ${inputSubject(call.input)}`.trim(),
    call,
    ms,
  };
}

/** The subject of a tool's input; the whole input can be long. */
export function inputSubject(input: string): string {
  let given: Record<string, unknown>;
  try {
    given = JSON.parse(input) as Record<string, unknown>;
  } catch {
    return "";
  }
  if (typeof given !== "object" || given === null) return "";
  const words = ["command", "pattern", "query", "path", "from", "to", "callId", "url"]
    .map((name) => given[name])
    .filter((value): value is string => typeof value === "string" && value !== "")
    .map((value) => relative(value) || value);
  return words.join(" ").slice(0, 200);
}

/** Paths of a repository itself. */
export function ofGit(path: string): boolean {
  return /\/\.git(\/|$)/.test(path);
}

const VERBS: Record<LogEntry["op"], string> = {
  create: "Created",
  write: "Wrote",
  attr: "Changed attributes of",
  link: "Linked",
  remove: "Removed",
  rename: "Moved",
};
/** Priority of operations per path: create then write counts as create; a rename always counts as rename. */
const WEIGHT: LogEntry["op"][] = ["rename", "remove", "create", "link", "write", "attr"];

/**
 * `doing`: the verb to use if the kinds of change are meaningless, as for git, which creates and removes files of its own on the
 * way.
 */
export function groupTitle(
  { ops, paths, entries }: Pick<LogGroup, "ops" | "paths" | "entries">,
  doing?: string,
): string {
  const names = paths.filter((path) => !ofGit(path)).map((path) => relative(path) || path);
  const done = WEIGHT.filter((op) => (ops[op] ?? 0) > 0);
  const single =
    names.length === 1 || done.length === 1 || (done.length === 2 && done[0] === "create" && done[1] === "write");
  const verb = doing ?? (single && done[0] !== undefined ? VERBS[done[0]] : "Changed");
  if (names.length <= 1) return `${verb} ${names[0] ?? "nothing"}`;
  const more = Math.max(names.length, paths.length < 20 ? 0 : entries) - 2;
  return `${verb} ${names.slice(0, 2).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
