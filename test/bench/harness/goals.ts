/** Judges: which goals and budgets were missed, each as a sentence that names it. */
import { type Entrant, OURS } from "../participants.ts";
import type { Budget, Goal, Row, Suite } from "../suite.ts";
import type { Cost } from "../worker/counter.ts";
import type { Counts } from "./measure-counts.ts";
import type { Timings } from "./measure-times.ts";

export function missedGoals(suite: Suite, peers: readonly Entrant[], timings: Timings): string[] {
  const missed: string[] = [];
  for (const row of suite.rows) {
    const ours = timings.get(row.id)?.get(OURS);
    if (ours && "failed" in ours) missed.push(`${row.label}: ours failed`);
    for (const peer of peers) {
      const goal = row.goals[peer.id];
      const ratio = ratioTo(timings, row, peer);
      if (!goal || ratio === undefined || reaches(ratio, goal)) continue;
      missed.push(`${row.label}: ${ratio.toFixed(2)}× against ${peer.label}, the goal is ${goalText(goal)}`);
    }
  }
  return missed;
}

export function missedBudgets(suite: Suite, counts: Counts): string[] {
  return suite.counts.flatMap((row) => {
    const cost = counts.get(row.id)?.get(OURS);
    if (cost === undefined) return [];
    if ("failed" in cost) return [`${row.label}: ours failed: ${cost.failed.split("\n")[0]}`];
    return overBudget(cost, row.budget).map((what) => `${row.label}: ${what}`);
  });
}

/** How many times faster ours is. */
export function ratioTo(timings: Timings, row: Row<unknown>, peer: Entrant): number | undefined {
  const ours = timings.get(row.id)?.get(OURS);
  const theirs = timings.get(row.id)?.get(peer.id);
  if (!ours || !theirs || !("ms" in ours) || !("ms" in theirs)) return undefined;
  return theirs.ms / ours.ms;
}

export function reaches(ratio: number, goal: Goal): boolean {
  return "atLeast" in goal ? ratio >= goal.atLeast : ratio > goal.above;
}

export function goalText(goal: Goal): string {
  return "atLeast" in goal ? `≥ ${Number(goal.atLeast.toFixed(2))}×` : `> ${goal.above}×`;
}

export function budgetText({ statements, rowsRead, rowsWritten }: Budget): string {
  const part = (limit: number | undefined) => (limit === undefined ? "·" : `≤${limit}`);
  return `${part(statements)} / ${part(rowsRead)} / ${part(rowsWritten)}`;
}

function overBudget(cost: Cost, budget: Budget): string[] {
  const names = { statements: "statements", rowsRead: "rows read", rowsWritten: "rows written" } as const;
  return (Object.keys(names) as (keyof Cost)[]).flatMap((key) => {
    const limit = budget[key];
    return limit !== undefined && cost[key] > limit ? [`${cost[key]} ${names[key]}, the budget is ${limit}`] : [];
  });
}
