/** Writes a run under `results/`, dated: the tables for people, the numbers for programs. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Entrant } from "../participants.ts";
import type { Params, Suite } from "../suite.ts";
import type { Counts } from "./measure-counts.ts";
import type { Timings } from "./measure-times.ts";

export interface SuiteRun {
  suite: Suite;
  entrants: readonly Entrant[];
  date: string;
  params: Params;
  rounds: number;
  /** Contender id → version, and workerd's. */
  versions: Record<string, string>;
  timings: Timings;
  counts: Counts;
  missed: readonly string[];
}

export function keepResults(folder: string, run: SuiteRun, text: string): string {
  mkdirSync(folder, { recursive: true });
  const name = `${run.date}-${run.suite.name}`;
  writeFileSync(join(folder, `${name}.md`), `${text}\n`);
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(asData(run), null, 2)}\n`);
  return name;
}

function asData({ suite, date, params, rounds, versions, timings, counts, missed }: SuiteRun) {
  const nested = <T>(from: Map<string, Map<string, T>>) =>
    Object.fromEntries([...from].map(([row, byContender]) => [row, Object.fromEntries(byContender)]));
  return { suite: suite.name, date, params, rounds, versions, times: nested(timings), counts: nested(counts), missed };
}
