/** The methods that return data, one scenario for each kind of work. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { createGit, type Git } from "../cli/create-git.ts";

let folder = "";
let seconds = 1_700_000_000;
let git: Git;
const at = (path: string) => join(folder, "repo", path);
const write = (path: string, content: string) => writeFileSync(at(path), content);
const text = (path: string) => readFileSync(at(path), "utf8");

async function commit(message: string, files: Record<string, string>) {
  seconds += 60;
  for (const [path, content] of Object.entries(files)) write(path, content);
  await git.add({ all: true });
  return (await git.commit({ message })).oid;
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "git-api-"));
  const identity = { name: "Work Space", email: "ws@example.com" };
  git = createGit({ fs: createNodeFileSystem(), now: () => seconds * 1000, identity, cwd: join(folder, "repo") });
  await git.init({ cwd: folder, directory: "repo", initialBranch: "main" });
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("branches and tags", () => {
  it("are created, switched to, listed and deleted", async () => {
    const first = await commit("first", { a: "1\n" });
    await git.branch({ name: "side" });
    await git.switch({ to: "topic", create: true });
    const second = await commit("second", { a: "2\n" });
    await git.tag({ name: "v1", message: "version one" });
    await git.tag({ name: "light", revision: "side" });
    const refs = await git.refs();
    expect(refs.map(({ name, type, current }) => [name, type, current])).toEqual([
      ["refs/heads/main", "commit", false],
      ["refs/heads/side", "commit", false],
      ["refs/heads/topic", "commit", true],
      ["refs/tags/light", "commit", false],
      ["refs/tags/v1", "tag", false],
    ]);
    expect(refs.at(-1)?.peeled).toBe(second);
    await git.switch({ to: first, detach: true });
    expect((await git.status()).branch).toBeNull();
    write("a", "local\n");
    await expect(git.switch({ to: "topic" })).rejects.toThrow("would be overwritten");
    await git.switch({ to: "topic", force: true });
    expect(text("a")).toBe("2\n");
    await git.switch({ to: "main" });
    await expect(git.deleteBranch({ name: "topic" })).rejects.toThrow("not fully merged");
    await git.deleteBranch({ name: "topic", force: true });
    await git.deleteTag({ name: "v1" });
    expect((await git.refs()).map(({ name }) => name)).toEqual([
      "refs/heads/main",
      "refs/heads/side",
      "refs/tags/light",
    ]);
    await expect(git.switch({ to: "--force" })).rejects.toThrow();
  });
});

describe("merge, cherryPick, revert and rebase", () => {
  async function diverge() {
    await commit("base", { a: "1\n2\n3\n" });
    await git.switch({ to: "side", create: true });
    const side = await commit("side", { a: "1\nside\n3\n", s: "s\n" });
    await git.switch({ to: "main" });
    const main = await commit("main", { a: "1\nmain\n3\n" });
    return { side, main };
  }

  it("return a conflict as a result, and continue or abort", async () => {
    const { main, side } = await diverge();
    const stopped = await git.merge({ revision: "side" });
    expect(stopped).toMatchObject({ outcome: "conflict", conflicts: ["a"], head: main });
    expect(text("a")).toBe("1\n<<<<<<< HEAD\nmain\n=======\nside\n>>>>>>> side\n3\n");
    expect(await git.merge({ action: "abort" })).toMatchObject({ outcome: "done", head: main });
    await git.merge({ revision: "side" });
    write("a", "1\nboth\n3\n");
    await git.add({ paths: ["a"] });
    const merged = await git.merge({ action: "continue" });
    expect((await git.log({ revisions: [merged.head] }))[0]?.parents).toEqual([main, side]);
    await expect(git.merge({ action: "abort" })).rejects.toThrow("no merge to abort");
    expect(await git.merge({ revision: "side" })).toMatchObject({ outcome: "done", head: merged.head });
  });

  it("pick and revert", async () => {
    const { side } = await diverge();
    const extra = await commit("extra", { e: "e\n" });
    expect(await git.cherryPick({ revisions: ["side"] })).toMatchObject({ outcome: "conflict", conflicts: ["a"] });
    await git.cherryPick({ action: "abort" });
    const back = await git.revert({ revisions: [extra] });
    expect(back.outcome).toBe("done");
    expect((await git.log())[0]?.subject).toBe('Revert "extra"');
    await expect(git.cherryPick({ revisions: ["nosuch"] })).rejects.toThrow("bad revision 'nosuch'");
    expect(await git.resolve({ revision: "side" })).toBe(side);
  });

  it("rebase with a todo list as data", async () => {
    await commit("base", { base: "" });
    await git.switch({ to: "topic", create: true });
    const one = await commit("one", { one: "1\n" });
    const two = await commit("two", { two: "2\n" });
    const three = await commit("three", { three: "3\n" });
    const todo = [
      { command: "pick", revision: two },
      { command: "fixup", revision: three },
      { command: "reword", revision: one, message: "first of all" },
    ] as const;
    expect((await git.rebase({ upstream: "main", todo })).outcome).toBe("done");
    expect((await git.log()).map(({ subject }) => subject)).toEqual(["first of all", "two", "base"]);
    await expect(git.rebase({ upstream: "main", todo: [{ command: "pick", revision: "nosuch" }] })).rejects.toThrow(
      "invalid line 1: pick nosuch",
    );
    expect((await git.status()).branch).toBe("topic");
  });
});

describe("stash, restore, reset, clean and move", () => {
  it("save changes and restore them", async () => {
    await commit("first", { a: "1\n" });
    write("a", "2\n");
    write("new", "new\n");
    const [saved] = await git.stash({ action: "push", message: "work", includeUntracked: true });
    expect(saved).toMatchObject({ name: "stash@{0}", message: "On main: work" });
    expect((await git.status()).clean).toBe(true);
    expect(await git.stash({ action: "pop" })).toEqual([]);
    expect([text("a"), text("new")]).toEqual(["2\n", "new\n"]);
    await expect(git.stash({ action: "pop" })).rejects.toThrow("No stash entries found.");
    await git.restore({ paths: ["a"] });
    expect(text("a")).toBe("1\n");
    await git.clean({ directories: true });
    expect((await git.status()).clean).toBe(true);
    await git.move({ from: "a", to: "b" });
    expect((await git.status()).entries).toMatchObject([{ path: "b", index: "R" }]);
    await git.reset({ mode: "hard" });
    expect((await git.status()).clean).toBe(true);
    expect(text("a")).toBe("1\n");
  });
});

describe("blame", () => {
  it("names the commit of each line", async () => {
    const first = await commit("first", { a: "1\n2\n" });
    const second = await commit("second", { a: "1\ntwo\n" });
    expect(await git.blame({ path: "a" })).toMatchObject([
      { line: 1, oid: first, text: "1", author: "Work Space", subject: "first" },
      { line: 2, oid: second, text: "two", originalLine: 2 },
    ]);
    expect(await git.blame({ path: "a", lines: { first: 2, last: 2 }, revision: first })).toMatchObject([
      { line: 2, oid: first, text: "2" },
    ]);
    await expect(git.blame({ path: "nosuch" })).rejects.toThrow("no such path 'nosuch' in HEAD");
  });
});

describe("clone, fetch, pull and push", () => {
  it("work between two repositories in the same files", async () => {
    const first = await commit("first", { a: "1\n" });
    const clone = join(folder, "clone");
    await git.clone({ cwd: folder, url: "repo", directory: "clone" });
    expect(await git.remotes({ cwd: clone })).toEqual([
      { name: "origin", url: join(folder, "repo"), pushUrls: [join(folder, "repo")] },
    ]);
    expect(await git.lsRemote({ cwd: clone })).toEqual([
      { name: "HEAD", oid: first, symref: "refs/heads/main" },
      { name: "refs/heads/main", oid: first },
    ]);
    const second = await commit("second", { a: "2\n" });
    await git.fetch({ cwd: clone });
    expect(await git.resolve({ cwd: clone, revision: "origin/main" })).toBe(second);
    expect(await git.pull({ cwd: clone })).toMatchObject({ outcome: "done", head: second });
    await git.switch({ cwd: clone, to: "topic", create: true });
    const { oid } = await git.commit({ cwd: clone, message: "mine", allowEmpty: true });
    expect(await git.push({ cwd: clone, remote: "origin", refspecs: ["topic"], setUpstream: true })).toMatchObject([
      { flag: "*", from: "refs/heads/topic", to: "refs/heads/topic", summary: "[new branch]" },
    ]);
    expect(await git.resolve({ revision: "topic" })).toBe(oid);
    const [refused] = await git.push({ cwd: clone, remote: "origin", refspecs: ["topic:main"] });
    expect(refused).toMatchObject({ flag: "!", summary: "[remote rejected] (branch is currently checked out)" });
    expect(await git.resolve({ revision: "main" })).toBe(second);
    await git.addRemote({ cwd: clone, name: "gone", url: "../gone" });
    await expect(git.fetch({ cwd: clone, remote: "gone" })).rejects.toThrow("does not appear to be a git repository");
    await expect(git.pull({ cwd: clone, remote: "gone", branch: "main" })).rejects.toThrow("does not appear to be");
    await expect(git.clone({ cwd: folder, url: "nothing", directory: "x" })).rejects.toThrow("does not exist");
  });
});
