/** Output that cannot be written: `wsgit` and real git as children say so alike, and leave no lock behind. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const wsgit = join(import.meta.dirname, "../../../packages/git/bin/wsgit.mjs");
const env = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
  LC_ALL: "C",
};

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "full-disk-"));
  execFileSync(process.execPath, [wsgit, "version"]);
  const git = (...argv: string[]) => execFileSync("git", argv, { cwd: folder, env, stdio: "pipe" });
  git("init", "-q", "-b", "main");
  for (let i = 0; i < 3000; i++) writeFileSync(join(folder, `a-file-with-a-long-name-${i}`), `${i}\n`);
  git("add", ".");
  git("commit", "-q", "-m", "one");
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(side: "real" | "ours", line: string) {
  const git = side === "real" ? "git" : `'${process.execPath}' '${wsgit}'`;
  const { status, stderr } = spawnSync("sh", ["-c", line.replace(/^git/, () => git)], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, stderr };
}

it.each([
  "git status >/dev/full",
  "git ls-files >/dev/full",
  "git ls-tree -r HEAD >/dev/full",
  "git rev-parse HEAD >/dev/full",
  "git commit --allow-empty -m two >/dev/full",
])("%s fails with the reason", (line) => {
  const ours = run("ours", line);
  expect(ours).toEqual({
    status: 128,
    stderr: "fatal: write failure on standard output: No space left on device\n",
  });
  const real = run("real", line);
  expect(real.status).toBe(128);
  expect(real.stderr).toContain("No space left on device");
  expect(existsSync(join(folder, ".git/index.lock"))).toBe(false);
});

it("an unwritable message does not change the exit code", () => {
  expect(run("ours", "git nonsense 2>/dev/full")).toEqual(run("real", "git nonsense 2>/dev/full"));
});
