/** Tables as Markdown that also reads well in a terminal. Nothing of the machine is in them: no host, no path. */
import { type Entrant, LIMIT, OURS } from "../participants.ts";
import type { Suite } from "../suite.ts";
import { budgetText, goalText, ratioTo, reaches } from "./goals.ts";
import type { Counts } from "./measure-counts.ts";
import type { Timing, Timings } from "./measure-times.ts";

export function timesTable(suite: Suite, entrants: readonly Entrant[], timings: Timings): string {
  const ours = entrants.some((entrant) => entrant.id === OURS);
  const peers = ours ? entrants.filter((entrant) => entrant.id !== OURS && entrant.id !== LIMIT) : [];
  const rated = ours && suite.rows.some(({ calls }) => calls !== undefined);
  const head = [
    "ms",
    ...entrants.map((entrant) => entrant.label),
    ...(rated ? ["our calls a second"] : []),
    ...peers.map((peer) => `${peer.label} ÷ ours`),
  ];
  const body = suite.rows.map((row) => {
    const times = entrants.map((entrant) => timeCell(timings.get(row.id)?.get(entrant.id)));
    const ratios = peers.map((peer) => {
      const ratio = ratioTo(timings, row, peer);
      const goal = row.goals[peer.id];
      if (ratio === undefined) return "–";
      if (!goal) return factor(ratio);
      return `${factor(ratio)} (${goalText(goal)}${reaches(ratio, goal) ? "" : ", missed"})`;
    });
    const rate = rated ? [rateCell(row.calls, timings.get(row.id)?.get(OURS))] : [];
    return [row.label, ...times, ...rate, ...ratios];
  });
  return `${[table(head, body), ...timeNotes(suite, entrants, timings)].join("\n")}\n`;
}

export function countsTable(suite: Suite, entrants: readonly Entrant[], counts: Counts): string {
  const counted = entrants.filter((entrant) => entrant.id !== LIMIT);
  const head = ["statements / rows read / rows written", "budget", ...counted.map((entrant) => entrant.label)];
  const body = suite.counts.map((row) => [
    row.label,
    budgetText(row.budget),
    ...counted.map((entrant) => {
      const cost = counts.get(row.id)?.get(entrant.id);
      if (cost === undefined) return "–";
      return "failed" in cost ? "failed" : `${cost.statements} / ${cost.rowsRead} / ${cost.rowsWritten}`;
    }),
  ]);
  const failures = suite.counts.flatMap((row) =>
    counted.flatMap((entrant) => {
      const cost = counts.get(row.id)?.get(entrant.id);
      return cost && "failed" in cost ? [`- ${entrant.label}, ${row.label}: ${firstLine(cost.failed)}`] : [];
    }),
  );
  return [table(head, body), ...failures].join("\n");
}

function timeCell(timing: Timing | undefined): string {
  if (!timing || "cannot" in timing) return "–";
  if ("failed" in timing) return "failed";
  return timing.ms >= 100 ? timing.ms.toFixed(0) : timing.ms.toFixed(timing.ms >= 10 ? 1 : 2);
}

/** To two digits: the third is noise. */
function rateCell(calls: number | undefined, timing: Timing | undefined): string {
  if (calls === undefined || !timing || !("ms" in timing) || timing.ms === 0) return "–";
  return Number(((calls / timing.ms) * 1000).toPrecision(2))
    .toLocaleString("en")
    .replaceAll(",", " ");
}

function timeNotes(suite: Suite, entrants: readonly Entrant[], timings: Timings): string[] {
  const notes = new Map<string, string[]>();
  for (const entrant of entrants) {
    for (const row of suite.rows) {
      const timing = timings.get(row.id)?.get(entrant.id);
      if (!timing || "ms" in timing) continue;
      const reason = "cannot" in timing ? timing.cannot : `failed: ${firstLine(timing.failed)}`;
      const key = `${entrant.label}: ${reason}`;
      notes.set(key, [...(notes.get(key) ?? []), row.label]);
    }
  }
  return [...notes].map(([reason, rows]) => `- “${rows.join("”, “")}” – ${reason}`);
}

function factor(ratio: number): string {
  return `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(1)}×`;
}

function firstLine(text: string): string {
  return (text.split("\n")[0] as string).slice(0, 300);
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((line) => (line[column] as string).length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] as number) : cell.padStart(widths[column] as number))).join(" | ")} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return `${[line(head), rule, ...body.map(line)].join("\n")}\n`;
}
