/** `stats`, for a dashboard: sizes, changes per hour, and the cost of each kind of call. */
import type { History } from "@workspace/vfs";
import { type StatsResponse, statsResponse } from "../api/stats.ts";
import { ROOT } from "../http/workspace-path.ts";
import { defineRoute, type Route } from "./route.ts";

const HOUR_MS = 3_600_000;
const HOURS = 48;
/** Pages of the log, newest first; a workspace that changes faster shows only its last hours, and reports that. */
const PAGES = 20;

export const statsRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/w/:name/stats",
    summary: "Size, changes by the hour, and the cost of each kind of call",
    access: "read",
    kind: "stats",
    answers: [{ schema: statsResponse }],
    async run({ workspace: { fs, history }, object }) {
      const [use, { operations, cut }] = await Promise.all([fs.du(ROOT), changesByHour(history, Date.now())]);
      const { databaseBytes, costs, recent, sinceMs } = object.stats();
      const answer: StatsResponse = {
        ...use,
        databaseBytes,
        operations,
        operationsCut: cut,
        costs,
        recent,
        since: sinceMs,
      };
      return Response.json(answer);
    },
  }),
];

async function changesByHour(
  history: History,
  nowMs: number,
): Promise<{ operations: StatsResponse["operations"]; cut: boolean }> {
  const oldest = (Math.floor(nowMs / HOUR_MS) - HOURS + 1) * HOUR_MS;
  const hours = new Map<number, { changes: number; calls: Set<string | number> }>();
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const { entries, cursor: next } = await history.log({ limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    for (const { timeMs, callId, group } of entries) {
      if (timeMs < oldest) return { operations: listed(hours), cut: false };
      const hour = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
      const counted = hours.get(hour) ?? { changes: 0, calls: new Set() };
      hours.set(hour, counted);
      counted.changes++;
      counted.calls.add(callId ?? group);
    }
    if (next === null) return { operations: listed(hours), cut: false };
    cursor = next;
  }
  return { operations: listed(hours), cut: true };
}

function listed(hours: Map<number, { changes: number; calls: Set<string | number> }>): StatsResponse["operations"] {
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([time, { changes, calls }]) => ({ time, changes, calls: calls.size }));
}
