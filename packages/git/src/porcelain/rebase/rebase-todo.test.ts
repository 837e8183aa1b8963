/** A rebase from a todo list given as data, with a conflict on the way, continued without an editor. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createNodeFileSystem } from "../../../node/node-file-system.ts";
import { createGit, type Git } from "../../cli/create-git.ts";

let folder = "";
let git: Git;

const commit = async (path: string, content: string, message: string) => {
  writeFileSync(join(folder, path), content);
  await git.add({ paths: [path] });
  return (await git.commit({ message })).oid;
};
const subjects = async () => (await git.log()).map(({ message }) => message.trimEnd());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "rebase-todo-"));
  git = createGit({
    fs: createNodeFileSystem(),
    now: () => 1_700_000_000_000,
    identity: { name: "Work Space", email: "ws@example.com" },
    cwd: folder,
  });
  await git.init({ initialBranch: "main" });
});
afterEach(() => rmSync(folder, { recursive: true }));

it("rebase drops, rewords, reorders and melds what the list says", async () => {
  const base = await commit("base", "base\n", "base");
  const one = await commit("one", "1\n", "one");
  const two = await commit("two", "2\n", "two");
  const three = await commit("three", "3\n", "three");
  const four = await commit("one", "1, fixed\n", "four");
  const { outcome } = await git.rebase({
    upstream: base,
    todo: [
      { command: "pick", revision: three },
      { command: "reword", revision: one, message: "one, in other words" },
      { command: "fixup", revision: four },
      { command: "drop", revision: two },
    ],
  });
  expect(outcome).toBe("done");
  expect(await subjects()).toEqual(["one, in other words", "three", "base"]);
  expect(readFileSync(join(folder, "one"), "utf8")).toBe("1, fixed\n");
  expect(await git.status()).toMatchObject({ branch: "main", clean: true });
});

it("rebase stops at a conflict and keeps the words for what is to come", async () => {
  const base = await commit("a", "base\n", "base");
  await commit("a", "one\n", "one");
  const two = await commit("a", "two\n", "two");
  const other = await commit("b", "b\n", "other");
  const stopped = await git.rebase({
    upstream: base,
    todo: [
      { command: "pick", revision: two },
      { command: "reword", revision: other, message: "said anew" },
    ],
  });
  expect(stopped).toMatchObject({ outcome: "conflict", conflicts: ["a"] });
  writeFileSync(join(folder, "a"), "resolved\n");
  await git.add({ paths: ["a"] });
  expect(await git.rebase({ action: "continue" })).toMatchObject({ outcome: "done" });
  expect(await subjects()).toEqual(["said anew", "two", "base"]);
});
