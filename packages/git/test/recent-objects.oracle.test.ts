/** Recent objects and all they reach survive `prune` and `gc`, as in real git; a scenario cannot set file times. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createNodeFileSystem } from "../node/node-file-system.ts";
import { runCli } from "../src/cli/run-cli.ts";

const fs = createNodeFileSystem();
const created: string[] = [];
afterEach(() => {
  for (const path of created.splice(0)) rmSync(path, { recursive: true });
});

const env = { GIT_CONFIG_NOSYSTEM: "1", GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", PATH: process.env.PATH ?? "" };
const identity = { ...env, GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };

/** An old tree that only a recent commit reaches, and an old unreachable blob. */
function prepared({ packed }: { packed: boolean }) {
  const cwd = mkdtempSync(join(tmpdir(), "recent-"));
  created.push(cwd);
  const real = (...argv: string[]) =>
    execFileSync("git", argv, { cwd, env: identity, encoding: "utf8", stdio: "pipe" }).trim();
  real("init", "-q");
  writeFileSync(join(cwd, "a"), "a\n");
  real("add", "a");
  const tree = real("write-tree");
  real("rm", "-q", "--cached", "a");
  const old = real("commit-tree", tree, "-m", "old");
  const lonely = real("hash-object", "-w", "--stdin", "-t", "blob", "--path", "x", "a");
  if (packed) {
    execFileSync("git", ["pack-objects", "-q", ".git/objects/pack/pack"], {
      cwd,
      input: `${tree}\n${old}\n${lonely}\n`,
    });
    real("prune-packed");
  }
  age(join(cwd, ".git/objects"));
  const young = real("commit-tree", tree, "-p", old, "-m", "young");
  return { cwd, tree, old, young, real };
}

function age(directory: string): void {
  const past = Date.now() / 1000 - 100 * 86_400;
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) age(join(directory, entry.name));
    else utimesSync(join(directory, entry.name), past, past);
  }
}

const ours = async (cwd: string, argv: string[]) =>
  (await runCli({ fs, now: () => Date.now() }, { argv, cwd, env: identity })).exitCode;

it.each([
  [["prune", "--expire=2.weeks.ago"], false],
  [["gc", "-q"], false],
  [["gc", "-q"], true],
  [["repack", "-Adq", "--unpack-unreachable=2.weeks.ago"], true],
])("%j keeps what a young commit leads to (packed: %j)", async (argv, packed) => {
  const { cwd, real, tree, old, young } = prepared({ packed });
  expect(await ours(cwd, argv)).toBe(0);
  expect([tree, old, young].map((oid) => real("cat-file", "-t", oid))).toEqual(["tree", "commit", "commit"]);
  expect(real("rev-list", "--objects", young).split("\n")).toHaveLength(4);
});

it("prune drops old objects that nothing leads to", async () => {
  const { cwd, real, young, old } = prepared({ packed: false });
  age(join(cwd, ".git/objects"));
  expect(await ours(cwd, ["prune", "--expire=2.weeks.ago"])).toBe(0);
  expect(real("cat-file", "--batch-all-objects", "--batch-check")).not.toContain(young.slice(0, 40));
  expect(real("cat-file", "--batch-all-objects", "--batch-check")).not.toContain(old);
});
