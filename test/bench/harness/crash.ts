/** `--crash <rounds>`: runs the crash test's loop for this number of kills, and saves its result with the others. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CrashOptions, CrashResult } from "../../crash/run-crash-rounds.ts";

export async function crash(bench: string, rounds: number, seed: number, today: string): Promise<void> {
  // Not bundled with the harness: it finds its Worker beside itself.
  const source = pathToFileURL(join(bench, "..", "crash", "run-crash-rounds.ts")).href;
  const { runCrashRounds } = (await import(source)) as { runCrashRounds(options: CrashOptions): Promise<CrashResult> };
  const result = await runCrashRounds({ rounds, seed, log: (line) => console.error(line) });
  const text = `# workerd killed under load

${today}, seed ${seed}. ${result.rounds} times SIGKILL at a random moment of a load of six concurrent writers, then a new start: ${result.acknowledged}
operations had been acknowledged, and every one of them was there. Of the operations in flight ${result.applied} had happened wholly and ${result.undone}
not at all, none by halves; \`fsck\` was clean each time. ${Math.round(result.seconds)} seconds.
`;
  console.log(text);
  mkdirSync(join(bench, "results"), { recursive: true });
  writeFileSync(join(bench, "results", `${today}-crash.md`), text);
}
