/** Kinds of call by descending total cost: count, average duration, rows per call, with a bar for the share. */
import type { StatsResponse } from "../api/workspaces.ts";
import { formatCount, formatDuration } from "../ui/format.ts";

type Cost = StatsResponse["costs"][number];

export function CostTable({ costs }: { costs: readonly Cost[] }) {
  if (costs.length === 0) return <p class="faint">No calls since the object started. Open a file, then refresh.</p>;
  const sorted = costs.toSorted((a, b) => b.totalMs - a.totalMs || b.calls - a.calls);
  const max = Math.max(...sorted.map(({ totalMs }) => totalMs), 1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <section class="cost-scroll" tabIndex={0} aria-label="Costs by kind of call">
      <table class="cost">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Calls</th>
            <th scope="col">Average</th>
            <th scope="col">Longest</th>
            <th scope="col">Rows read per call</th>
            <th scope="col">Rows written per call</th>
            <th scope="col">In all</th>
          </tr>
        </thead>
        <tbody>
          {sorted.map((cost) => (
            <tr key={cost.kind}>
              <th scope="row" class="code">
                {cost.kind}
                {cost.errors > 0 && <span class="cost-errors"> {formatCount(cost.errors)} failed</span>}
              </th>
              <td>{formatCount(cost.calls)}</td>
              <td>{formatDuration(cost.totalMs / cost.calls)}</td>
              <td>{formatDuration(cost.maxMs)}</td>
              <td>{perCall(cost.rowsRead, cost.calls)}</td>
              <td>{perCall(cost.rowsWritten, cost.calls)}</td>
              <td class="cost-share">
                <span style={{ width: `${(100 * cost.totalMs) / max}%` }} aria-hidden="true" />
                {formatDuration(cost.totalMs)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function perCall(rows: number, calls: number): string {
  const mean = rows / calls;
  return mean < 10 && !Number.isInteger(mean) ? mean.toFixed(1) : formatCount(Math.round(mean));
}
