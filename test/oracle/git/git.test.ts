/**
 * Every scenario with real git and with ours, on a disk. One topic: `vitest run --project slow test/oracle/git/git.test.ts -t
 * 'topic'`; what fails names the scenario, the step and the lines that differ.
 */
import { runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { describe, expect, it } from "vitest";
import { topics } from "./all-scenarios.ts";
import { compareRecordings } from "./compare.ts";
import { playOurGit, type RunOurs } from "./our-git.ts";
import { makePlaces, playRealGit, runInShell } from "./real-git.ts";
import type { Scenario } from "./scenario.ts";
import { stateOf } from "./state-of.ts";

const fs = createNodeFileSystem();
/** `ORACLE_REAL=commit,merge`: these commands are real git's on our side too, to look at others before these are there. */
const byRealGit = new Set((process.env.ORACLE_REAL ?? "").split(","));

const run: RunOurs = (host, call) => {
  const { argv, cwd, env = {}, stdin } = call;
  if (!byRealGit.has(argv.find((word) => !word.startsWith("-")) ?? "")) return runCli(host, call);
  return runInShell({ argv: ["git", ...argv], cwd, env, stdin: stdin as string });
};

async function difference(scenario: Scenario): Promise<string | null> {
  const places = makePlaces("ours");
  try {
    const outputs = await playOurGit(scenario, { ...places, fs }, run);
    const ours = { outputs, state: await stateOf(scenario, places) };
    return compareRecordings(scenario, await playRealGit(scenario), ours);
  } finally {
    places.remove();
  }
}

describe.each(topics)("$name", ({ scenarios }) => {
  it.each(scenarios)("$name", async (scenario) => {
    const told = await difference(scenario);
    if (told !== null) expect.fail(told);
  });
});
