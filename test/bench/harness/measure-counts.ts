/** Counts what a suite's operations cost: exact numbers, the same on every machine, so they can be held in CI. */
import type { Entrant } from "../participants.ts";
import type { Params, Suite } from "../suite.ts";
import type { Cost } from "../worker/counter.ts";
import { BenchError } from "./bench-error.ts";
import type { Runtime } from "./runtime.ts";

export type Count = Cost | { failed: string };
/** Operation id → contender id → cost. */
export type Counts = Map<string, Map<string, Count>>;

const OBJECT = "counts";

export async function measureCounts(
  runtime: Runtime,
  suite: Suite,
  entrants: readonly Entrant[],
  params: Params,
): Promise<Counts> {
  const counts: Counts = new Map(suite.counts.map((row) => [row.id, new Map()]));
  for (const entrant of entrants) {
    const filled = await runtime.send(entrant, OBJECT, { do: "fill", suite: suite.name, params });
    if (filled.error) throw new BenchError(`${entrant.id} cannot be filled for counting: ${filled.error}`);
    for (const row of suite.counts) {
      if (row.cold) await runtime.end(entrant, OBJECT, "restart");
      const reply = await runtime.send(entrant, OBJECT, { do: "count", suite: suite.name, row: row.id, params });
      counts.get(row.id)?.set(entrant.id, reply.error ? { failed: reply.error } : costOf(reply));
    }
    await runtime.end(entrant, OBJECT, "empty");
  }
  return counts;
}

function costOf(reply: Record<string, unknown>): Cost {
  const { statements, rowsRead, rowsWritten } = reply as unknown as Cost;
  return { statements, rowsRead, rowsWritten };
}
