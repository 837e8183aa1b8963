/**
 * Trees that are small to store and endless to walk: ten trees that name the next ten times come to ten billion files, and one that is
 * nested thousands of times. Every command ends with an error that names the limit, before it has changed a file. What is counted is
 * work, never time.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitLimits } from "@workspace/git";
import { createWorkBudget } from "@workspace/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gitEnv, ours } from "./faulty-server.ts";

const unbounded = { steps: Number.POSITIVE_INFINITY, stretchSteps: Number.POSITIVE_INFINITY };

let root = "";
const git = (argv: string[], input = "") =>
  execFileSync("git", argv, { cwd: root, env: gitEnv, encoding: "utf8", input, stdio: "pipe" }).trim();

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "hostile-trees-"));
  git(["init", "-q", "-b", "main"]);
  writeFileSync(join(root, "a"), "a\n");
  git(["add", "a"]);
  git(["commit", "-q", "-m", "one"]);
});
afterEach(() => rmSync(root, { recursive: true }));

const names = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

/** A branch `bomb` whose tree comes to 10^levels files. */
function plantBomb(levels: number): void {
  const blob = git(["hash-object", "-w", "--stdin"], "x\n");
  let tree = git(["mktree"], names.map((name) => `100644 blob ${blob}\t${name}\n`).join(""));
  for (let level = 1; level < levels; level++)
    tree = git(["mktree"], names.map((name) => `040000 tree ${tree}\t${name}\n`).join(""));
  plant(tree);
}

function plantDeep(levels: number): void {
  const blob = git(["hash-object", "-w", "--stdin"], "x\n");
  let tree = git(["mktree"], `100644 blob ${blob}\tx\n`);
  for (let level = 1; level < levels; level++) tree = git(["mktree"], `040000 tree ${tree}\td\n`);
  plant(tree);
}

function plant(tree: string): void {
  git(["update-ref", "refs/heads/bomb", git(["commit-tree", "-p", "main", "-m", "bomb", tree])]);
}

async function play(argv: string[], limits: Partial<GitLimits> = { treeEntries: 20_000 }) {
  const work = createWorkBudget(unbounded);
  const result = await ours(root, argv, { work, limits });
  return { ...result, used: work.used };
}

const TOO_MANY = "fatal: the tree comes to more than 20000 entries, the limit of one walk\n";

describe("ten billion files", () => {
  beforeEach(() => plantBomb(10));

  it.each([
    ["checkout", "bomb"],
    ["switch", "-f", "bomb"],
    ["reset", "--hard", "bomb"],
    ["reset", "bomb"],
    ["merge", "bomb"],
    ["merge", "--no-ff", "-m", "x", "bomb"],
    ["cherry-pick", "bomb"],
    ["read-tree", "bomb"],
    ["read-tree", "-m", "-u", "main", "bomb"],
    ["restore", "--source=bomb", "."],
    ["checkout", "bomb", "--", "."],
    ["diff", "main", "bomb"],
    ["diff", "--stat", "bomb"],
    ["diff-tree", "-r", "main", "bomb"],
    ["ls-tree", "-r", "bomb"],
    ["ls-files", "--with-tree=bomb"],
    ["log", "--stat", "bomb"],
    ["log", "-p", "bomb"],
    ["show", "bomb"],
    ["grep", "x", "bomb"],
    ["blame", "bomb", "--", "0"],
    ["rebase", "bomb"],
    ["clone", "-q", "-b", "bomb", ".", "clone"],
    ["worktree", "add", "other", "bomb"],
  ])("%s %s %s %s ends at the limit", async (...argv) => {
    const { exitCode, stderr, used } = await play(argv.filter((word) => word !== undefined));
    expect(exitCode).toBeGreaterThan(0);
    expect(used.steps).toBeLessThan(200_000);
    if (!/not supported|no such path|is not a git command/.test(stderr)) expect(stderr).toContain(TOO_MANY);
    expect(
      readdirSync(root)
        .filter((name) => name !== "clone")
        .sort(),
    ).toEqual([".git", "a"]);
    expect(git(["status", "--porcelain", "--untracked-files=no"])).toBe("");
    expect(existsSync(join(root, ".git/index.lock"))).toBe(false);
  });

  it.each([
    ["rev-list", "--objects", "bomb"],
    ["fsck"],
    ["count-objects"],
    ["log", "--oneline", "bomb"],
    ["ls-tree", "bomb"],
    ["cat-file", "-p", "bomb^{tree}"],
    ["gc", "-q"],
    ["merge-base", "main", "bomb"],
    ["log", "--oneline", "bomb", "--", "0/1/2/3/4/5/6/7/8/9"],
  ])("%s %s %s looks at each object once", async (...argv) => {
    const { exitCode, stderr, used } = await play(argv.filter((word) => word !== undefined));
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(used.steps).toBeLessThan(20_000);
  });

  it("status on such a branch ends at the limit", async () => {
    git(["symbolic-ref", "HEAD", "refs/heads/bomb"]);
    for (const argv of [["status"], ["status", "--short"], ["diff", "--cached"], ["stash"]]) {
      const { stderr, used } = await play(argv);
      expect(stderr).toContain(TOO_MANY);
      expect(used.steps).toBeLessThan(200_000);
    }
  });

  it("a walk yields to other requests, and stops when it is aborted", async () => {
    const controller = new AbortController();
    const work = createWorkBudget({ ...unbounded, pauseSteps: 1000 }, controller.signal);
    let turns = 0;
    const timer = setInterval(() => {
      if (++turns === 3) controller.abort();
    }, 0);
    // With the limit that there is by default.
    const { exitCode, stderr } = await ours(root, ["ls-tree", "-r", "bomb"], { work });
    clearInterval(timer);
    expect([exitCode, stderr]).toEqual([128, "fatal: aborted\n"]);
    expect(work.used.pauses).toBeLessThan(10);
  });
});

it("a tree of fewer entries than the limit is checked out", async () => {
  plantBomb(3);
  expect(await play(["checkout", "-q", "bomb"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect((await play(["ls-files"])).stdout.split("\n").length - 1).toBe(1000);
});

it("a tree that is nested deeper than the limit is refused by name", async () => {
  plantDeep(60);
  const limits = { treeDepth: 50 };
  for (const argv of [
    ["checkout", "bomb"],
    ["ls-tree", "-r", "bomb"],
    ["diff", "main", "bomb"],
    ["merge", "--no-ff", "bomb"],
  ]) {
    const { exitCode, stderr } = await play(argv, limits);
    expect(exitCode).toBeGreaterThan(0);
    expect(stderr).toContain("tree is deeper than 50");
  }
  expect(git(["status", "--porcelain"])).toBe("");
});

it("one large blob under many paths is refused before a file is changed", async () => {
  const blob = git(["hash-object", "-w", "--stdin"], "x".repeat(1024 * 1024));
  const entries = Array.from({ length: 2000 }, (_, i) => `100644 blob ${blob}\tf${i}\n`).join("");
  plant(git(["mktree"], entries));
  for (const argv of [
    ["checkout", "bomb"],
    ["reset", "--hard", "bomb"],
    ["restore", "--source=bomb", "."],
  ]) {
    const { exitCode, stderr, used } = await play(argv);
    expect([exitCode, stderr]).toEqual([128, "fatal: paths that share a blob come to more than 1073741824 bytes\n"]);
    expect(used.steps).toBeLessThan(100_000);
    expect(readdirSync(root).sort()).toEqual([".git", "a"]);
    expect(git(["status", "--porcelain"])).toBe("");
  }
});
