/** Stricter than git: if part of a work tree's state cannot be read, nothing is dropped, since it may hold the only reference. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { createNodeFileSystem } from "../node/node-file-system.ts";
import { runCli } from "../src/cli/run-cli.ts";

const created: string[] = [];
afterEach(() => {
  for (const path of created.splice(0)) rmSync(path, { recursive: true });
});
const person = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@b" };
const env = { GIT_CONFIG_NOSYSTEM: "1", PATH: process.env.PATH ?? "", ...person };

function repository() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "roots-")));
  created.push(root);
  const real = (...argv: string[]) =>
    execFileSync("git", argv, { cwd: root, env, encoding: "utf8", stdio: "pipe" }).trim();
  real("init", "-q", "main");
  real("-C", "main", "commit", "-q", "--allow-empty", "-m", "one");
  real("-C", "main", "worktree", "add", "-q", "--detach", "../linked");
  real("-C", "main", "hash-object", "-w", "--stdin");
  const run = (argv: string[], cwd = "main") =>
    runCli({ fs: createNodeFileSystem(), now: () => Date.now() }, { argv, cwd: join(root, cwd), env });
  const objects = () => real("-C", "main", "cat-file", "--batch-all-objects", "--batch-check");
  return { root, real, run, objects };
}

it.each([
  ["HEAD", "junk\n"],
  ["HEAD", `${"1".repeat(40)}\n`],
  ["index", "junk"],
  ["refs/worktree/own", "junk\n"],
])("prune, repack and gc drop nothing beside a work tree whose %s is broken", async (file, content) => {
  const { root, run, objects } = repository();
  const before = objects();
  execFileSync("mkdir", ["-p", join(root, "main/.git/worktrees/linked/refs/worktree")]);
  writeFileSync(join(root, "main/.git/worktrees/linked", file), content);
  for (const argv of [["prune"], ["repack", "-ad"], ["gc", "--prune=now"]]) {
    const { exitCode, stderr } = await run(argv);
    expect([argv[0], exitCode]).toEqual([argv[0], 128]);
    expect(new TextDecoder().decode(stderr)).toContain("fatal: ");
  }
  expect(objects()).toBe(before);
});

it.each(["MERGE_HEAD", "CHERRY_PICK_HEAD", "MERGE_AUTOSTASH", "rebase-merge/autostash", "rebase-merge/orig-head"])(
  "prune keeps what %s of any work tree names",
  async (file) => {
    for (const gitDir of ["main/.git", "main/.git/worktrees/linked"]) {
      const { root, real, run } = repository();
      const oid = real("-C", "main", "commit-tree", "HEAD^{tree}", "-m", "needed");
      execFileSync("mkdir", ["-p", join(root, gitDir, "rebase-merge")]);
      writeFileSync(join(root, gitDir, file), `${oid}\n`);
      for (const cwd of ["main", "linked"]) expect((await run(["prune"], cwd)).exitCode).toBe(0);
      expect(real("-C", "main", "cat-file", "-t", oid)).toBe("commit");
    }
  },
);

it("prune keeps what a damaged line of a reflog names", async () => {
  const { root, real, run } = repository();
  const oid = real("-C", "main", "commit-tree", "HEAD^{tree}", "-m", "needed");
  writeFileSync(join(root, "main/.git/logs/HEAD"), `${"0".repeat(40)} ${oid} A U Th`);
  expect((await run(["prune"])).exitCode).toBe(0);
  expect(real("-C", "main", "cat-file", "-t", oid)).toBe("commit");
});
