/** Combines the log by calls, the commands, the tool calls and their costs. Parts that a server lacks are omitted, not an error. */
import { asApiError } from "../api/api-error.ts";
import { type ExecRecord, listCommands } from "../api/exec.ts";
import { type LogQuery, readCalls, readToolCalls, type ToolCall } from "../api/history.ts";
import { readStats } from "../api/workspaces.ts";
import { type CallCost, type TimelineItem, timeline } from "./timeline.ts";

export interface Activity {
  items: TimelineItem[];
  more: boolean;
}

export async function readActivity(workspace: string, query: LogQuery, signal: AbortSignal): Promise<Activity> {
  const narrowed = query.path !== undefined || query.actor !== undefined;
  const [log, commands, calls, costs] = await Promise.all([
    readCalls(workspace, query, signal),
    listCommands(workspace, signal).catch((failure): ExecRecord[] => without(failure)),
    readToolCalls(workspace, signal).catch((failure): ToolCall[] => without(failure)),
    recentCosts(workspace, signal).catch((failure): CallCost[] => without(failure)),
  ]);
  // With a filter, a command or a call is shown only if it changed something there.
  const changed = ({ callId }: { callId: string }) => !narrowed || log.groups.some((one) => one.callId === callId);
  const items = timeline({
    groups: log.groups,
    commands: commands.filter(changed),
    calls: calls.filter(changed),
    costs,
  });
  return { items, more: (log.cursor ?? null) !== null };
}

async function recentCosts(workspace: string, signal: AbortSignal): Promise<CallCost[]> {
  return (await readStats(workspace, signal)).recent;
}

function without(failure: unknown): never[] {
  if (asApiError(failure).missing) return [];
  throw failure;
}
