/**
 * Real git and ours on the same directory, taking turns at random for a hundred steps, beside a second directory that only real git
 * touches. Every answer must be the same, and so must what real git sees in both, checked every few steps. A failure names the
 * seed: `GIT_SEED=7 GIT_ROUNDS=1 vitest run test/property/git-alternation.test.ts`.
 */
import { createNodeFileSystem } from "@workspace/git/node";
import { expect, it } from "vitest";
import { compareOutputs, compareRecordings } from "../oracle/git/compare.ts";
import { playFileStepOnDisk } from "../oracle/git/file-steps-on-disk.ts";
import { inspectRepository } from "../oracle/git/inspect-repository.ts";
import { runOurGit } from "../oracle/git/our-git.ts";
import { makePlaces, runRealGit } from "../oracle/git/real-git.ts";
import { gitStep, isGitStep, type Scenario, type Step } from "../oracle/git/scenario.ts";
import { Random } from "../support/random.ts";

const STEPS = 100;
const LOOK_EVERY = 10;
const rounds = Number(process.env.GIT_ROUNDS ?? 3);
const firstSeed = Number(process.env.GIT_SEED ?? 1);
const fs = createNodeFileSystem();
/** `ORACLE_REAL=merge,rebase`: these are always real git's. */
const byRealGit = new Set((process.env.ORACLE_REAL ?? "").split(","));

function isReal(step: Step): boolean {
  return isGitStep(step) && byRealGit.has(gitStep(step).git[0] ?? "");
}

const PATHS = ["a.txt", "b.txt", "dir/c.txt", "dir/d e.txt", "deep/er/f", "ü.txt"];
const BRANCHES = ["master", "one", "two", "three"];

/** Commands that look or change; each must be answered the same whatever state the steps before have left. */
const COMMANDS: readonly (readonly [weight: number, make: (random: Random) => Step])[] = [
  [12, (random) => ({ write: { [random.pick(PATHS)]: textOf(random) } })],
  [3, (random) => ({ append: { "a.txt": `${random.between(0, 99)}\n` } })],
  [8, () => "git add -A"],
  [3, (random) => ({ git: ["add", "--", random.pick(PATHS)] })],
  [10, (random) => `git commit -q -m 'commit ${random.between(0, 999)}'`],
  [3, (random) => `git commit -q -a -m 'all ${random.between(0, 999)}'`],
  [1, () => "git commit -q --amend --no-edit"],
  [3, (random) => `git branch ${random.pick(BRANCHES)}`],
  [1, (random) => `git branch -D ${random.pick(BRANCHES)}`],
  [5, (random) => `git checkout -q ${random.pick(BRANCHES)}`],
  [2, (random) => `git switch -q -c x${random.between(0, 9)}`],
  [1, () => "git checkout -q --detach"],
  [3, (random) => `git merge --no-edit ${random.pick(BRANCHES)}`],
  [2, () => "git merge --abort"],
  [2, (random) => `git cherry-pick ${random.pick(BRANCHES)}`],
  [1, () => "git cherry-pick --abort"],
  [1, () => "git revert --no-edit HEAD"],
  [1, () => "git revert --abort"],
  [2, (random) => `git reset -q --${random.pick(["soft", "mixed", "hard"])} HEAD~${random.between(0, 1)}`],
  [3, () => "git reset -q --hard"],
  [2, () => "git stash -q"],
  [1, () => "git stash pop -q"],
  [2, (random) => ({ git: ["rm", "-q", "--", random.pick(PATHS)] })],
  [2, (random) => ({ git: ["mv", random.pick(PATHS), random.pick(PATHS)] })],
  [2, (random) => ({ git: ["restore", "--", random.pick(PATHS)] })],
  [1, (random) => ({ git: ["restore", "--staged", "--", random.pick(PATHS)] })],
  [2, (random) => `git tag t${random.between(0, 9)}`],
  [1, (random) => `git tag -a -m message a${random.between(0, 9)}`],
  [1, () => "git clean -fdq"],
  [1, () => "git gc -q"],
  [1, () => "git pack-refs --all"],
  [4, () => "git status"],
  [3, () => "git status --porcelain=v2 --branch"],
  [2, () => "git diff"],
  [2, () => "git diff --cached --stat"],
  [3, () => "git log --oneline --graph --all"],
  [1, () => "git ls-files -s"],
  [1, () => "git branch -a -v"],
  [1, () => "git for-each-ref"],
];

/** What gc throws away depends on the machine's clock for real git, so nothing is. */
const START: readonly Step[] = [
  "git init -q",
  "git config gc.reflogExpire never",
  "git config gc.reflogExpireUnreachable never",
  "git config gc.pruneExpire never",
];

function textOf(random: Random): string {
  const lines = Array.from({ length: random.between(0, 12) }, () => `line ${random.between(0, 20)}`);
  const end = random.between(0, 9) === 0 ? "\r\n" : "\n";
  return lines.map((line) => line + end).join("");
}

function nextStep(random: Random): Step {
  const total = COMMANDS.reduce((sum, [weight]) => sum + weight, 0);
  let left = random.between(0, total - 1);
  for (const [weight, make] of COMMANDS) {
    left -= weight;
    if (left < 0) return make(random);
  }
  return "git status";
}

it.each(Array.from({ length: rounds }, (_, i) => firstSeed + i))("seed %i", async (seed) => {
  const random = new Random(seed);
  const steps: Step[] = [...START, { write: { "a.txt": "one\n" } }, "git add .", "git commit -q -m first"];
  while (steps.length < STEPS) steps.push(nextStep(random));
  const scenario: Scenario = { name: `seed ${seed}`, steps };
  const [alone, shared] = [makePlaces("real"), makePlaces("ours")];
  const look = async (at: number) => {
    const empty = { outputs: [] };
    const reported = compareRecordings(
      { name: `seed ${seed} after step ${at}`, steps: [] },
      { ...empty, state: await inspectRepository(scenario, alone) },
      { ...empty, state: await inspectRepository(scenario, shared) },
    );
    if (reported !== null)
      expect.fail(
        `${reported}\n${steps
          .slice(0, at + 1)
          .map((step) => JSON.stringify(step))
          .join("\n")}`,
      );
  };
  try {
    for (const [at, step] of steps.entries()) {
      const turn = isReal(step) ? 0 : random.between(0, 1);
      if (!isGitStep(step)) {
        for (const { root } of [alone, shared]) playFileStepOnDisk(root, step);
        continue;
      }
      const expected = await runRealGit(scenario, gitStep(step), at, alone);
      const actual =
        turn === 0
          ? await runRealGit(scenario, gitStep(step), at, shared)
          : await runOurGit(scenario, gitStep(step), at, { ...shared, fs });
      const difference = compareOutputs(scenario, at, expected, actual);
      if (difference !== null) {
        const turns = `by ${turn === 0 ? "real git on the shared directory" : "ours"}`;
        expect.fail(
          `${difference}\n${turns}\n${steps
            .slice(0, at + 1)
            .map((one) => JSON.stringify(one))
            .join("\n")}`,
        );
      }
      if (at % LOOK_EVERY === LOOK_EVERY - 1) await look(at);
    }
    await look(steps.length - 1);
  } finally {
    alone.remove();
    shared.remove();
  }
});
