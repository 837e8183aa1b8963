/** The checkout engine on a disk; the machine's own git verifies the results. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { GitError } from "../errors.ts";
import type { CacheTree, IndexFile } from "../index/index-file.ts";
import { writeTree } from "../index/write-tree.ts";
import type { Oid } from "../object/oid.ts";
import { openRepository } from "../repository/open-repository.ts";
import { resetHard } from "./reset-hard.ts";
import { switchTree } from "./switch-tree.ts";
import type { WorkRepository } from "./work-tree-stats.ts";

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
const git = (...argv: string[]) => execFileSync("git", argv, { cwd: folder, env, encoding: "utf8", stdio: "pipe" });
const put = (path: string, text: string) => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const tree = (revision: string) => git("rev-parse", `${revision}^{tree}`).trim() as Oid;

async function open(fs = createNodeFileSystem()): Promise<WorkRepository> {
  const host = { fs, now: () => 1_700_000_000_000 };
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

it("switchTree reads no page of a pack again for files that lie beside their trees", async () => {
  git("gc", "-q");
  const fs = createNodeFileSystem();
  const read: string[] = [];
  const noting = {
    ...fs,
    readRange: (path: string, start: number, length: number) => {
      read.push(path);
      return fs.readRange(path, start, length);
    },
    open: (...argv: Parameters<typeof fs.open>) => {
      read.push(argv[0]);
      return fs.open(...argv);
    },
  };
  await switchTree(await open(noting), tree("one"), tree("two"));
  expect(read.filter((path) => path.endsWith(".pack"))).toHaveLength(1);
  expect(readFileSync(join(folder, "swap/inner.txt"), "utf8")).toBe("now a directory\n");
  git("symbolic-ref", "HEAD", "refs/heads/two");
  expect(git("status", "--porcelain")).toBe("");
});

/** Every tree that the index says it stands for, beside the one that its entries make. */
async function expectTrue(repo: WorkRepository, { tree: claimed, ...index }: IndexFile): Promise<number> {
  const created = (await writeTree(repo.odb, { ...index, tree: null }, { missingOk: true, dryRun: true })).tree;
  let known = 0;
  const compare = (path: string, one: CacheTree, other: CacheTree | undefined) => {
    if (one.oid !== null) expect([path, one.oid, one.entries]).toEqual([path, other?.oid, other?.entries]);
    if (one.oid !== null) known++;
    for (const [name, child] of one.children) compare(`${path}${name}/`, child, other?.children.get(name));
  };
  if (claimed !== null) compare("", claimed, created);
  return known;
}

it("switchTree leaves an index that knows the trees it stands for, and only these", async () => {
  const repo = await open();
  expect(await expectTrue(repo, (await switchTree(repo, tree("one"), tree("two"))).index)).toBe(3);
  expect(await expectTrue(repo, (await switchTree(repo, tree("two"), tree("one"))).index)).toBe(4);
  put("same.txt", "staged\n");
  git("add", "same.txt");
  expect(await expectTrue(repo, (await switchTree(repo, tree("one"), tree("two"))).index)).toBe(0);
});

it("switchTree claims no tree of which the index would make another", async () => {
  const blob = Buffer.from(git("rev-parse", "one:same.txt").trim(), "hex");
  const raw = (...entries: [string, Buffer][]) => {
    const body = Buffer.concat(entries.flatMap(([head, oid]) => [Buffer.from(`${head}\0`), oid]));
    const argv = ["hash-object", "-t", "tree", "--literally", "-w", "--stdin"];
    return execFileSync("git", argv, { cwd: folder, env, input: body, stdio: "pipe" }).toString().trim() as Oid;
  };
  const oldMode = raw(["100664 same.txt", blob]);
  const unordered = raw(["100644 z", blob], ["100644 same.txt", blob]);
  const hollow = raw(["40000 empty", Buffer.from(raw(), "hex")], ["100644 same.txt", blob]);
  const within = raw(["40000 dir", Buffer.from(oldMode, "hex")], ["100644 same.txt", blob]);
  for (const to of [oldMode, unordered, hollow, within]) {
    const repo = await open();
    await expectTrue(repo, (await switchTree(repo, tree("one"), to)).index);
    await resetHard(repo, tree("one"));
  }
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
