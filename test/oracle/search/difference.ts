/** Where two answers to one query part ways, in words; undefined when they do not. */
import type { Answer, Query } from "./question.ts";

const MAX_RANGES = 20_000;
const SHOWN_LINES = 4;
const SHOWN_CHARACTERS = 300;

export function difference(ours: Answer, real: Answer): string | undefined {
  if ("panicked" in real || "panicked" in ours) return undefined;
  if ("crashed" in ours) return `ours crashed: ${ours.crashed}`;
  if ("crashed" in real) return `rg crashed: ${real.crashed}`;
  if ("refused" in ours) return "refused" in real ? undefined : `ours refuses (${clipped(ours.refused)}), rg does not`;
  if ("refused" in real) return `rg refuses (${clipped(real.refused.replaceAll("\n", " "))}), ours does not`;
  return linesDifference(ours.lines.map(bounded), real.lines.map(bounded)) ?? fieldsDifference(ours, real);
}

/** Where ours truncates the matches of one line, only the reported ones are compared; see differences.ts. */
function bounded(line: string): string {
  const ranges = line.split("][");
  return ranges.length < MAX_RANGES ? line : ranges.slice(0, MAX_RANGES - 1).join("][");
}

function linesDifference(ours: readonly string[], real: readonly string[]): string | undefined {
  if (ours.length === real.length && ours.every((line, at) => line === real[at])) return undefined;
  const [mine, theirs] = [missing(ours, real), missing(real, ours)];
  if (mine.length + theirs.length === 0) return `another order\n    ours: ${shown(ours)}\n    rg:   ${shown(real)}`;
  return `\n    only ours: ${shown(mine)}\n    only rg:   ${shown(theirs)}`;
}

function missing(from: readonly string[], in_: readonly string[]): string[] {
  const there = new Set(in_);
  return from.filter((line) => !there.has(line));
}

/** Only what both tell. */
function fieldsDifference(ours: Extract<Answer, { lines: string[] }>, real: Extract<Answer, { lines: string[] }>) {
  for (const field of ["searched", "truncated"] as const) {
    const [mine, theirs] = [ours[field], real[field]];
    if (mine !== undefined && theirs !== undefined && mine !== theirs) return `${field}: ours ${mine}, rg ${theirs}`;
  }
  return undefined;
}

function shown(lines: readonly string[]): string {
  const more = lines.length > SHOWN_LINES ? ` … and ${lines.length - SHOWN_LINES} more` : "";
  return lines.length === 0 ? "nothing" : `${lines.slice(0, SHOWN_LINES).map(clipped).join("  ")}${more}`;
}

function clipped(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** A query on one line. */
export function toText({ pattern, ...flags }: Query): string {
  const rest = Object.keys(flags).length === 0 ? "" : ` ${JSON.stringify(flags)}`;
  return `${JSON.stringify(pattern)}${rest}`;
}
