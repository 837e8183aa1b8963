/** Measures one suite of a server, prints the result, and saves it if the run has the standard shape. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerSuite } from "../suites/servers.ts";
import type { Flags } from "./flags.ts";

export async function runServerSuite(suite: ServerSuite, flags: Flags, bench: string, today: string): Promise<void> {
  const progress = (text: string) => console.error(`${suite.name}: ${text}`);
  const { text, data } = await suite.measure(join(bench, "..", ".."), flags.rounds, progress);
  const reported = `# ${suite.title}\n\n${today}. Median of ${flags.rounds} interleaved rounds, one workerd each.\n\n${text}`;
  console.log(reported);
  if (!flags.standard) return console.error("Not saved: results/ holds runs of the standard shape only.");
  const results = join(bench, "results");
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, `${today}-${suite.name}.md`), reported);
  writeFileSync(join(results, `${today}-${suite.name}.json`), `${JSON.stringify(data, null, 2)}\n`);
  console.error(`Saved as test/bench/results/${today}-${suite.name}.md and .json`);
}
