/** The log by calls, the commands and what calls cost, put together. What a server does not have is left out, not an error. */
import { asApiError } from "../api/api-error.ts";
import { type ExecRecord, listCommands } from "../api/exec.ts";
import { type LogQuery, readCalls } from "../api/history.ts";
import { readStats } from "../api/workspaces.ts";
import { type CallCost, type TimelineItem, timeline } from "./timeline.ts";

export interface Activity {
  items: TimelineItem[];
  more: boolean;
}

export async function readActivity(workspace: string, query: LogQuery, signal: AbortSignal): Promise<Activity> {
  const narrowed = query.path !== undefined || query.actor !== undefined;
  const [log, commands, costs] = await Promise.all([
    readCalls(workspace, query, signal),
    listCommands(workspace, signal).catch((failure): ExecRecord[] => without(failure)),
    recentCosts(workspace, signal).catch((failure): CallCost[] => without(failure)),
  ]);
  // Narrowed to a path, a command shows only if it changed something there.
  const shown = narrowed ? commands.filter(({ callId }) => log.groups.some((one) => one.callId === callId)) : commands;
  return { items: timeline(log.groups, shown, costs), more: (log.cursor ?? null) !== null };
}

async function recentCosts(workspace: string, signal: AbortSignal): Promise<CallCost[]> {
  return (await readStats(workspace, signal)).recent;
}

function without(failure: unknown): never[] {
  if (asApiError(failure).missing) return [];
  throw failure;
}
