/**
 * Random combinations of flags: lines put together at random from the flags of the scenarios, each answered by real git
 * and by ours in repositories of several states. It is a search and no gate, and runs only when it is asked to: about one line in fifty
 * still differs, mostly in which of two contradicting flags wins. What it finds and is mended becomes a line of
 * test/oracle/git/scenarios/fuzz-regressions.ts.
 *
 *   GIT_SEED=7 GIT_LINES=500 vitest run test/property/git-combinations.test.ts
 */
import { cpSync } from "node:fs";
import { createNodeFileSystem } from "@workspace/git/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Command } from "../../packages/git/src/cli/framework/command.ts";
import type { Flag } from "../../packages/git/src/cli/framework/flag-table.ts";
import { parseGlobalOptions } from "../../packages/git/src/cli/framework/global-options.ts";
import { parseFlags } from "../../packages/git/src/cli/framework/parse-flags.ts";
import { registry } from "../../packages/git/src/cli/registry.ts";
import { topics } from "../oracle/git/all-scenarios.ts";
import { compareOutputs, compareRecordings } from "../oracle/git/compare.ts";
import { playFileStepOnDisk } from "../oracle/git/file-steps-on-disk.ts";
import { inspectRepository } from "../oracle/git/inspect-repository.ts";
import { runOurGit } from "../oracle/git/our-git.ts";
import { makePlaces, type Places, runRealGit } from "../oracle/git/real-git.ts";
import { gitStep, isGitStep, type Scenario, type Step } from "../oracle/git/scenario.ts";
import { Random } from "../support/random.ts";
import { STATES } from "./git-states.ts";

const seed = Number(process.env.GIT_SEED ?? 1);
const lines = Number(process.env.GIT_LINES ?? 0);
const fs = createNodeFileSystem();

const LOOKING =
  "log show diff status blame grep describe shortlog ls-files ls-tree cat-file rev-parse rev-list show-ref for-each-ref merge-base diff-tree diff-index diff-files check-ignore count-objects branch tag reflog".split(
    " ",
  );
const CHANGING =
  "add rm mv commit branch checkout switch restore tag merge rebase cherry-pick revert reset stash clean update-index read-tree gc prune repack reflog fetch".split(
    " ",
  );
const LISTING: Readonly<Record<string, string>> = { branch: "--list", tag: "--list", reflog: "show" };
/** Not among the lines that only look: they change something, wait for input, or tell what depends on the machine. */
const NOT_LOOKING =
  /^(-[dDmMcCfsauF]|--(delete|move|copy|force|stdin|edit-description|set-upstream-to.*|unset-upstream|track.*|create-reflog|sign|annotate|file|message|cleanup|edit|output.*|batch.*|follow-symlinks|ext-diff|textconv|refresh)(=.*)?)$/;
/** Prompts, or opens an editor: without an answer. */
const NOT_CHANGING =
  /^(-[pie]|--(patch|interactive|edit|exec|edit-todo|stdin|pathspec-from-file|quit|reuse-message|template|file)(=.*)?)$/;

const REVISIONS = [
  "HEAD",
  "HEAD~1",
  "HEAD~3",
  "HEAD^2",
  "main",
  "topic",
  "side",
  "v0.1",
  "v1.0",
  "v2.0",
  "origin/main",
  "@{u}",
  "HEAD@{1}",
  ":/topic",
  "main^{tree}",
  "v1.0^{}",
  "stash",
  "nothing",
  "v0.1..main",
  "topic...main",
  "main..side",
  "^v0.1",
  "HEAD:src",
  "HEAD:a.txt",
  "main^@",
  "main^!",
  "--all",
  "--branches",
];
const COMMITS = ["HEAD", "HEAD~1", "HEAD~3", "main", "topic", "side", "v0.1", "v1.0", "origin/main", "stash"];
const PATHS = [
  "a.txt",
  "src",
  "src/main.c",
  "*.c",
  "docs",
  ":!src",
  ":(icase)A.TXT",
  "nope",
  ".",
  "link",
  "data.bin",
  ":/",
  "ü",
  "src/*.c",
  "empty",
];

/** The flags that the scenarios use, with their values, by command. */
function harvest(names: readonly string[], left: RegExp): Map<string, string[][]> {
  const found = new Map<string, Map<string, string[]>>();
  for (const { scenarios } of topics)
    for (const { steps } of scenarios)
      for (const step of steps.filter(isGitStep)) {
        const [name, flags] = flagsIn(gitStep(step).git);
        if (!names.includes(name)) continue;
        const of = found.get(name) ?? new Map<string, string[]>();
        found.set(name, of);
        for (const words of flags) if (!left.test(words[0] as string)) of.set(words.join(" "), words);
      }
  return new Map([...found].map(([name, words]) => [name, [...words.values()]]));
}

/** A mistake on purpose has none. */
function flagsIn(argv: readonly string[]): [name: string, flags: string[][]] {
  try {
    const [name = "", ...rest] = parseGlobalOptions(argv, "/", {}).rest;
    const command = registry[name] as Command | undefined;
    if (command === undefined) return ["", []];
    const flags = parseFlags(command, rest).order.flatMap(({ name: key, value, text }) => {
      const flag = command.flags[key] as Flag;
      if (flag.unsupported !== undefined || text === undefined) return [];
      const apart = typeof value === "string" && flag.value !== "optional" && !text.endsWith(value);
      return [apart ? [text, value] : [text]];
    });
    return [name, flags];
  } catch {
    return ["", []];
  }
}

const lookingFlags = harvest(LOOKING, NOT_LOOKING);
const changingFlags = harvest(CHANGING, NOT_CHANGING);

function some<T>(random: Random, max: number, from: readonly T[]): T[] {
  return from.length === 0 ? [] : Array.from({ length: random.between(0, max) }, () => random.pick(from));
}

function lookingLine(random: Random): string[] {
  const name = random.pick(LOOKING);
  const listing = LISTING[name];
  const argv = [
    name,
    ...(listing === undefined ? [] : [listing]),
    ...some(random, 3, lookingFlags.get(name) ?? []).flat(),
  ];
  if ((listing !== undefined && name !== "reflog") || name === "for-each-ref") return argv;
  const words = name === "ls-files" || name === "check-ignore" ? PATHS : name.startsWith("diff-") ? COMMITS : REVISIONS;
  if (name === "grep") argv.push("line");
  argv.push(...some(random, name === "diff-index" ? 1 : 2, words));
  return random.between(0, 2) === 0 ? [...argv, "--", ...some(random, 2, PATHS)] : argv;
}

const EXPIRY = ["--expire=now", "--expire=never", "--expire-unreachable=now", "--rewrite", "--updateref"];
const DROPPING = {
  gc: ["gc -q --prune=now", "gc -q", "gc -q --no-prune", "gc --auto"],
  repack: ["repack -adq", "repack -Adq", "repack -q", "repack -dq"],
  prune: ["prune", "prune -n", "prune -v", "prune --expire=now"],
} as const;
const BY_PATH = new Set(["add", "rm", "mv", "restore", "clean", "update-index"]);

function changingLine(random: Random): string[] {
  const name = random.pick(CHANGING);
  const argv = [name, ...some(random, 3, changingFlags.get(name) ?? []).flat()];
  if (name === "commit") argv.push("-m", "message");
  if (name === "stash")
    return random.between(0, 1) === 0 ? [name, random.pick(["pop", "apply", "drop", "list", "show"])] : argv;
  if (name === "reflog") return [name, "expire", ...some(random, 2, EXPIRY), random.pick(["--all", "main", "HEAD"])];
  // Times are those of the files, and there is no remote.
  if (name === "gc" || name === "repack" || name === "prune") return random.pick(DROPPING[name]).split(" ");
  if (name === "fetch")
    return [name, ".", ...some(random, 2, ["main:topic", "+main:side", "side:new", "topic:follow"])];
  if (name === "branch" || name === "tag") argv.push(...some(random, 1, ["new", "topic", "main", "v1.0"]));
  if (!BY_PATH.has(name) && name !== "commit") argv.push(...some(random, 2, COMMITS));
  const paths = BY_PATH.has(name) || random.between(0, 3) === 0 ? some(random, 2, PATHS) : [];
  return paths.length > 0 && random.between(0, 1) === 0 ? [...argv, "--", ...paths] : [...argv, ...paths];
}

/** The step whose clock all the lines have. */
const AT = 60;

describe.skipIf(lines === 0).each(Object.keys(STATES))("%s", (state) => {
  const places = makePlaces("real");
  const scenario: Scenario = { name: state, steps: STATES[state] as readonly Step[] };
  const random = new Random(seed * 100 + Object.keys(STATES).indexOf(state));
  beforeAll(async () => {
    for (const [at, step] of scenario.steps.entries()) {
      if (!isGitStep(step)) playFileStepOnDisk(places.root, step);
      else if ((await runRealGit(scenario, gitStep(step), at, places)).exitCode !== 0 && step !== "git merge left")
        throw new Error(`${JSON.stringify(step)} failed`);
    }
  });
  afterAll(() => places.remove());

  /** Null: the same. What git refuses is refused; which of several mistakes it names first is not compared. */
  async function difference(git: readonly string[], real: Places, ours: Places): Promise<string | null> {
    const lines: Scenario = { name: state, steps: Array.from({ length: AT + 1 }, () => ({ git })) };
    const expected = await runRealGit(lines, { git }, AT, real);
    const actual = await runOurGit(lines, { git }, AT, { ...ours, fs });
    if (expected.exitCode > 1 && actual.exitCode > 1) return null;
    return compareOutputs(lines, AT, expected, actual);
  }

  it(`read-only lines answer as real git, seed ${seed}`, { timeout: 3_600_000 }, async () => {
    const reported: string[] = [];
    for (let line = 0; line < lines; line++) {
      const found = await difference(lookingLine(random), places, places);
      if (found !== null) reported.push(found);
    }
    if (reported.length > 0) expect.fail(`${reported.length} of ${lines} lines differ\n\n${reported.join("\n\n")}`);
  });

  it(`changing lines answer as real git, seed ${seed}`, { timeout: 3_600_000 }, async () => {
    const differences: string[] = [];
    for (let line = 0; line < lines / 3; line++) {
      const [real, ours] = [makePlaces("real"), makePlaces("ours")];
      const played: string[][] = [];
      try {
        for (const { root } of [real, ours])
          cpSync(places.root, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
        for (let step = 0; step < 2; step++) {
          played.push(changingLine(random));
          const found = (await difference(played.at(-1) as string[], real, ours)) ?? (await afterwards(real, ours));
          if (found === null) continue;
          differences.push(`${found}\nafter ${played.map((git) => `git ${git.join(" ")}`).join(" && ")}`);
          break;
        }
      } finally {
        real.remove();
        ours.remove();
      }
    }
    if (differences.length > 0)
      expect.fail(`${differences.length} of ${lines} lines differ\n\n${differences.join("\n\n")}`);
  });

  async function afterwards(real: Places, ours: Places): Promise<string | null> {
    const [expected, actual] = [await inspectRepository(scenario, real), await inspectRepository(scenario, ours)];
    const nothing: Scenario = { name: state, steps: [] };
    return compareRecordings(nothing, { outputs: [], state: expected }, { outputs: [], state: actual });
  }
});
