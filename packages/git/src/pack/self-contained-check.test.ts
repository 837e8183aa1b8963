/** Detects during indexing whether a pack is self-contained; the packs are real git's, with and without some of their objects. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeFileSystem } from "@workspace/git/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryBudget } from "../memory/memory-budget.ts";
import { indexPack } from "./index-pack.ts";
import { SelfContainedCheck } from "./self-contained-check.ts";

const root = mkdtempSync(join(tmpdir(), "pack-links-"));
const env = {
  ...process.env,
  ...{ GIT_CONFIG_NOSYSTEM: "1", HOME: root, GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@x" },
  ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@x" },
};

function git(argv: readonly string[], input?: string): Buffer {
  return execFileSync("git", ["-C", root, ...argv], { env, input, stdio: ["pipe", "pipe", "ignore"] });
}

const line = (argv: readonly string[], input?: string) => git(argv, input).toString().trim();

beforeAll(() => {
  git(["init", "-q", "-b", "main"]);
  for (let i = 0; i < 5; i++) {
    writeFileSync(join(root, "file"), `${"line\n".repeat(50)}${i}\n`);
    git(["add", "file"]);
    git(["update-index", "--add", "--cacheinfo", `100644,${line(["hash-object", "-w", "file"])},dir/file${i}`]);
    git(["update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},module`]);
    git(["commit", "-q", "-m", `${i}`]);
  }
  git(["tag", "-a", "-m", "tag", "v1", "HEAD~1"]);
});
afterAll(() => rmSync(root, { recursive: true }));

/** Of all objects but those named; `more` are put in beside them. */
async function isSelfContained(
  without: readonly string[] = [],
  more: readonly string[] = [],
  limit = 48 * 1024 * 1024,
) {
  const gone = new Set(without.map((name) => line(["rev-parse", name])));
  const all = line(["rev-list", "--objects", "--all"]).split("\n");
  const names = all.map((entry) => entry.slice(0, 40)).filter((name) => !gone.has(name));
  const pack = git(["pack-objects", "--stdout", "-q"], [...names, ...more].join("\n").concat("\n"));
  const memory = new MemoryBudget(limit);
  const directory = mkdtempSync(join(root, "pack-"));
  using links = new SelfContainedCheck(memory);
  const stream = (async function* () {
    yield new Uint8Array(pack);
  })();
  await indexPack({ fs: createNodeFileSystem(), directory, memory }, stream, { watch: links });
  expect(memory.live).toBe(0);
  return links.isWhole;
}

describe("SelfContainedCheck", () => {
  it("finds all that commits, trees and tags name, and asks for no submodule", async () => {
    expect(await isSelfContained()).toBe(true);
  });

  for (const missing of ["HEAD~2", "HEAD~4", "HEAD^{tree}", "HEAD~3:dir", "HEAD~1:file", "HEAD:dir/file0"])
    it(`misses ${missing}`, async () => {
      expect(await isSelfContained([missing])).toBe(false);
    });

  it("does not report an object that no other names", async () => {
    expect(await isSelfContained(["HEAD", "v1"])).toBe(true);
  });

  it("takes no object for another kind", async () => {
    const blob = line(["rev-parse", "HEAD:file"]);
    const entry = Buffer.concat([Buffer.from("40000 sub\0"), Buffer.from(blob, "hex")]).toString("latin1");
    writeFileSync(join(root, "bad"), entry, "latin1");
    const tree = line(["hash-object", "-t", "tree", "--literally", "-w", join(root, "bad")]);
    expect(await isSelfContained([], [tree])).toBe(false);
  });

  it("says nothing of an object that is broken", async () => {
    writeFileSync(join(root, "bad"), "tree none\n");
    const commit = line(["hash-object", "-t", "commit", "--literally", "-w", join(root, "bad")]);
    expect(await isSelfContained([], [commit])).toBe(false);
  });
});
