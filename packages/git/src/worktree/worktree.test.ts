/** The checkout engine on a disk, with the machine's own git as the judge of what it leaves. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { GitError } from "../errors.ts";
import type { Oid } from "../oid.ts";
import { openRepository } from "../open-repository.ts";
import { resetHard } from "./reset-hard.ts";
import type { WorkRepository } from "./survey.ts";
import { switchTree } from "./switch-tree.ts";

let folder: string;

const env = {
  PATH: process.env.PATH ?? "",
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
};
const git = (...argv: string[]) => execFileSync("git", argv, { cwd: folder, env, encoding: "utf8" });
const put = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const tree = (revision: string) => git("rev-parse", `${revision}^{tree}`).trim() as Oid;

async function open(): Promise<WorkRepository> {
  const host = { fs: createNodeFileSystem(), now: () => 1_700_000_000_000 };
  return (await openRepository(host, { cwd: folder, env })) as WorkRepository;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "worktree-"));
  git("init", "-q", "-b", "one");
  put("same.txt", "same\n");
  put("changed.txt", "one\n");
  put("gone/deep/file.txt", "gone\n");
  put("swap", "a file\n");
  put("kind/inner.txt", "a directory\n");
  put("tool.sh", "#!/bin/sh\n");
  git("add", ".");
  git("commit", "-q", "-m", "one");
  git("checkout", "-q", "-b", "two");
  put("changed.txt", "two\n");
  rmSync(join(folder, "gone"), { recursive: true });
  rmSync(join(folder, "swap"));
  put("swap/inner.txt", "now a directory\n");
  rmSync(join(folder, "kind"), { recursive: true });
  put("kind", "now a file\n");
  chmodSync(join(folder, "tool.sh"), 0o755);
  symlinkSync("same.txt", join(folder, "link"));
  put("new/ünï.txt", "new\n");
  git("add", "-A");
  git("commit", "-q", "-m", "two");
  git("checkout", "-q", "one");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("switchTree goes there and back, and leaves what git would", async () => {
  await switchTree(await open(), tree("one"), tree("two"));
  git("symbolic-ref", "HEAD", "refs/heads/two");
  expect(git("status", "--porcelain")).toBe("");
  expect(git("write-tree").trim()).toBe(tree("two"));
  await switchTree(await open(), tree("two"), tree("one"));
  git("symbolic-ref", "HEAD", "refs/heads/one");
  expect(git("status", "--porcelain", "--ignored")).toBe("");
  expect(git("fsck", "--strict")).toBe("");
});

it("switchTree keeps what both trees have the same, edited or not", async () => {
  put("same.txt", "edited\n");
  put("untracked.txt", "mine\n");
  await switchTree(await open(), tree("one"), tree("two"));
  git("symbolic-ref", "HEAD", "refs/heads/two");
  expect(git("status", "--porcelain")).toBe(" M same.txt\n?? untracked.txt\n");
});

it.each([
  ["an edited file", "changed.txt"],
  ["an untracked file in the way", "new/ünï.txt"],
])("switchTree refuses to lose %s, and changes nothing", async (_, path) => {
  put(path, "precious\n");
  const before = git("status", "--porcelain");
  const refused = await switchTree(await open(), tree("one"), tree("two")).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(GitError);
  expect((refused as GitError).message).toContain(`would be overwritten by checkout:\n\t${path}\n`);
  expect(git("status", "--porcelain")).toBe(before);
  expect(readFileSync(join(folder, path), "utf8")).toBe("precious\n");
});

it("switchTree never writes through a link", async () => {
  const outside = mkdtempSync(join(tmpdir(), "outside-"));
  symlinkSync(outside, join(folder, "new"));
  await expect(switchTree(await open(), tree("one"), tree("two"))).rejects.toThrow("overwritten by checkout:\n\tnew\n");
  rmSync(outside, { recursive: true });
});

it("resetHard undoes every edit, staged or not, and keeps what is untracked", async () => {
  put("changed.txt", "edited\n");
  rmSync(join(folder, "gone"), { recursive: true });
  put("added.txt", "staged\n");
  git("add", "added.txt");
  chmodSync(join(folder, "tool.sh"), 0o755);
  put("untracked.txt", "mine\n");
  await resetHard(await open(), tree("one"));
  expect(git("status", "--porcelain")).toBe("?? untracked.txt\n");
  await resetHard(await open(), tree("two"));
  git("symbolic-ref", "HEAD", "refs/heads/two");
  expect(git("status", "--porcelain")).toBe("?? untracked.txt\n");
});
