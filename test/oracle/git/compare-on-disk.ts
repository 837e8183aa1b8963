/**
 * Plays a scenario with real git and with ours, each in a directory of its own on a disk, and says what differs: the step and the lines,
 * or null.
 */
import { runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { compareRecordings } from "./compare.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { playOurGit, type RunOurs } from "./our-git.ts";
import { makePlaces, playRealGit, runInShell } from "./real-git.ts";
import type { Scenario } from "./scenario.ts";

const fs = createNodeFileSystem();
/** `ORACLE_REAL=commit,merge`: these commands are real git's on our side too, to look at others before these are there. */
const byRealGit = new Set((process.env.ORACLE_REAL ?? "").split(","));

const run: RunOurs = (host, call) => {
  const { argv, cwd, env = {}, stdin } = call;
  if (!byRealGit.has(argv.find((word) => !word.startsWith("-")) ?? "")) return runCli(host, call);
  return runInShell({ argv: ["git", ...argv], cwd, env, stdin: stdin as string });
};

export async function compareOnDisk(scenario: Scenario): Promise<string | null> {
  const positions = makePlaces("ours");
  try {
    const outputs = await playOurGit(scenario, { ...positions, fs }, run);
    const ours = { outputs, state: await inspectRepository(scenario, positions) };
    return compareRecordings(scenario, await playRealGit(scenario), ours);
  } finally {
    positions.remove();
  }
}
