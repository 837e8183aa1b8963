/** What one git began the other goes on with: a merge, a pick, a revert and a rebase that stopped, either way round. */
import { runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { describe, expect, it } from "vitest";
import { compareRecordings } from "./compare.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { playOurGit, type RunOurs } from "./our-git.ts";
import { makePlaces, playRealGit, runInShell } from "./real-git.ts";
import type { Scenario, Step } from "./scenario.ts";

const fs = createNodeFileSystem();
const env = { GIT_EDITOR: ":" };

const diverged: Step[] = [
  "git init -q -b main",
  { write: { a: "1\n2\n3\n", b: "b\n" } },
  "git add .",
  "git commit -qm base",
  "git checkout -q -b side",
  { write: { a: "1\nside\n3\n" } },
  "git commit -qam 'side one'",
  { write: { b: "side\n" } },
  "git commit -qam 'side two'",
  "git checkout -q main",
  { write: { a: "1\nmain\n3\n" } },
  "git commit -qam main",
];
const resolved: Step[] = [{ write: { a: "1\nboth\n3\n" } }, "git add a"];

/** What is begun, and how it ends. */
const handovers: Record<string, { begin: Step[]; end: Step[] }> = {
  "merge, continued": { begin: ["git merge side"], end: ["git status", ...resolved, "git merge --continue"] },
  "merge, committed": { begin: ["git merge side"], end: [...resolved, "git commit -qF .git/MERGE_MSG"] },
  "merge, aborted": { begin: ["git merge side"], end: ["git merge --abort"] },
  "cherry-pick, continued": {
    begin: ["git cherry-pick side~1 side"],
    end: ["git status", ...resolved, "git cherry-pick --continue"],
  },
  "cherry-pick, skipped": { begin: ["git cherry-pick side~1 side"], end: ["git cherry-pick --skip"] },
  "cherry-pick, aborted": { begin: ["git cherry-pick side~1 side"], end: ["git cherry-pick --abort"] },
  "revert, continued": {
    begin: [
      "git checkout -q side",
      { write: { a: "1\nmore\n3\n" } },
      "git commit -qam more",
      "git revert --no-edit HEAD~2",
    ],
    end: ["git status", ...resolved, "git revert --continue"],
  },
  "rebase, continued": {
    begin: ["git checkout -q side", "git rebase main"],
    end: ["git status", ...resolved, "git rebase --continue"],
  },
  "rebase, skipped": { begin: ["git checkout -q side", "git rebase main"], end: ["git rebase --skip"] },
  "rebase, aborted": { begin: ["git checkout -q side", "git rebase main"], end: ["git rebase --abort"] },
  "rebase with an autostash, continued": {
    begin: ["git checkout -q side", { append: { b: "local\n" } }, "git rebase --autostash main"],
    end: [...resolved, "git rebase --continue", "git stash list"],
  },
  "stash, popped": {
    begin: [{ append: { b: "local\n" } }, "git stash -q"],
    end: ["git stash list", "git stash pop"],
  },
};

function mixed(commandsOfFirst: number, first: RunOurs, second: RunOurs): RunOurs {
  let played = 0;
  return (host, call) => (played++ < commandsOfFirst ? first(host, call) : second(host, call));
}

const byReal: RunOurs = (_, { argv, cwd, env: variables = {}, stdin }) =>
  runInShell({ argv: ["git", ...argv], cwd, env: variables, stdin: stdin as string });
const byOurs: RunOurs = runCli;

const isCommand = (step: Step) => typeof step === "string" || "git" in step;

async function difference(scenario: Scenario, run: RunOurs): Promise<string | null> {
  const positions = makePlaces("ours");
  try {
    const outputs = await playOurGit(scenario, { ...positions, fs }, run);
    const ours = { outputs, state: await inspectRepository(scenario, positions) };
    return compareRecordings(scenario, await playRealGit(scenario), ours);
  } finally {
    positions.remove();
  }
}

describe.each(Object.entries(handovers))("%s", (name, { begin, end }) => {
  const scenario: Scenario = { name, env, steps: [...diverged, ...begin, ...end] };
  const count = [...diverged, ...begin].filter(isCommand).length;

  it("ours finishes what real git started", async () => {
    expect(await difference(scenario, mixed(count, byReal, byOurs))).toBeNull();
  });

  it("real git finishes what ours started", async () => {
    expect(await difference(scenario, mixed(count, byOurs, byReal))).toBeNull();
  });
});
