/** This engine and real git alternate on one directory: without edits in between, the index stays identical, byte by byte. */
import { readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../node/node-file-system.ts";
import { runCli } from "../src/cli/run-cli.ts";
import { decode } from "../src/text/bytes.ts";
import { type ScratchRepository, scratchRepository } from "./scratch-repository.ts";

const MINIMAL = ["-c", "core.checkStat=minimal", "-c", "core.trustctime=false"];
const env = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A U Thor",
  GIT_AUTHOR_EMAIL: "author@example.com",
  GIT_COMMITTER_NAME: "C O Mitter",
  GIT_COMMITTER_EMAIL: "committer@example.com",
};

async function ours(repo: ScratchRepository, ...argv: string[]): Promise<string> {
  const host = { fs: createNodeFileSystem(), now: () => 1_700_000_000_000 };
  const { exitCode, stdout, stderr } = await runCli(host, { argv, cwd: repo.path, env });
  if (exitCode !== 0) throw new Error(decode(stderr));
  return decode(stdout);
}

const indexOf = (repo: ScratchRepository) => readFileSync(join(repo.path, ".git/index"));

/** Everything is much older than the index: nothing is racy. */
function age(repo: ScratchRepository, paths: readonly string[]): void {
  for (const path of paths) utimesSync(join(repo.path, path), 1_600_000_000, 1_600_000_000);
}

const files = { "a.txt": "a\n", "dir/b.txt": "b\n", "dir/sub/c.txt": "c\n", empty: "" };

async function alternate(repo: ScratchRepository): Promise<void> {
  const before = indexOf(repo);
  for (let turn = 0; turn < 10; turn++) {
    const reported = turn % 2 === 0 ? await ours(repo, "status", "--short") : repo.git(...MINIMAL, "status", "--short");
    expect(reported).toBe("");
    expect(Buffer.compare(before, indexOf(repo))).toBe(0);
  }
}

describe("status", () => {
  it("leaves an index that git wrote as it is, ten times in turn", async () => {
    using repo = scratchRepository();
    repo.write(files);
    age(repo, Object.keys(files));
    repo.git("add", ".");
    repo.git("commit", "-qm", "one");
    await alternate(repo);
  });

  it("leaves an index that we wrote as it is, ten times in turn", async () => {
    using repo = scratchRepository();
    repo.write(files);
    age(repo, Object.keys(files));
    await ours(repo, "add", ".");
    await ours(repo, "commit", "-qm", "one");
    await alternate(repo);
  });

  it("leaves racy entries as they are, which both read", async () => {
    using repo = scratchRepository();
    repo.write(files);
    await ours(repo, "add", ".");
    await ours(repo, "commit", "-qm", "one");
    const seconds = 1_600_000_000;
    age(repo, Object.keys(files));
    repo.git("add", ".");
    utimesSync(join(repo.path, ".git/index"), seconds, seconds);
    await alternate(repo);
  });

  it("learns a new time once, whoever looks first", async () => {
    using repo = scratchRepository();
    repo.write(files);
    age(repo, Object.keys(files));
    await ours(repo, "add", ".");
    await ours(repo, "commit", "-qm", "one");
    let seconds = 1_600_000_000;
    for (const look of [() => ours(repo, "status"), async () => repo.git(...MINIMAL, "status")]) {
      const before = indexOf(repo);
      const path = join(repo.path, "a.txt");
      const next = (seconds += 1);
      utimesSync(path, next, next);
      await look();
      expect(Buffer.compare(before, indexOf(repo))).not.toBe(0);
      await alternate(repo);
    }
  });

  it("sees an edit of the same size in the same second", async () => {
    using repo = scratchRepository();
    repo.write({ a: "one\n" });
    age(repo, ["a"]);
    await ours(repo, "add", ".");
    utimesSync(join(repo.path, ".git/index"), 1_600_000_000, 1_600_000_000);
    repo.write({ a: "two\n" });
    age(repo, ["a"]);
    expect(await ours(repo, "status", "--short")).toBe("AM a\n");
    // Refreshing made the index newer than the file; the edit must still be detected.
    expect(repo.git(...MINIMAL, "status", "--short")).toBe("AM a\n");
    expect(await ours(repo, "status", "--short")).toBe("AM a\n");
  });
});
