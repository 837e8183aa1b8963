/** Indexes written by real git: read and rewritten, identical byte by byte. */
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchRepository } from "../../test/scratch-repository.ts";
import { IndexEditor } from "./index-editor.ts";
import type { IndexEntry } from "./index-entry.ts";
import { readIndex } from "./read-index.ts";
import { writeIndex } from "./write-index.ts";

const files = {
  "a.txt": "a\n",
  "dir/b.txt": "b\n",
  "dir/sub/c.txt": "c\n",
  "dir-x": "x\n",
  "dir.y": "y\n",
  "ünï/ß": "utf\n",
  "zz/deep/er/and/deeper/file": "z\n",
};

async function rewrite(setUp: (repo: ReturnType<typeof scratchRepository>) => void) {
  using repo = scratchRepository();
  repo.write(files);
  repo.git("add", ".");
  setUp(repo);
  const path = join(repo.path, ".git/index");
  const before = readFileSync(path);
  const opened = await repo.open();
  const index = await readIndex(opened);
  await writeIndex(opened, index);
  const after = readFileSync(path);
  return { before, after, index, listed: repo.git("ls-files", "--stage", "-z"), repo };
}

describe("readIndex and writeIndex", () => {
  it.each([
    ["version 2", () => {}],
    ["version 2 with a cached tree", (repo) => void repo.git("commit", "-qm", "x")],
    [
      "version 3, intent to add",
      (repo) => {
        repo.git("commit", "-qm", "x");
        repo.write({ "new.txt": "n" });
        repo.git("add", "-N", "new.txt");
      },
    ],
    ["version 3, skip-worktree", (repo) => void repo.git("update-index", "--skip-worktree", "a.txt")],
    ["assume-valid", (repo) => void repo.git("update-index", "--assume-unchanged", "a.txt")],
    ["version 4", (repo) => void repo.git("update-index", "--index-version", "4")],
    [
      "version 4 with a cached tree",
      (repo) => {
        repo.git("update-index", "--index-version", "4");
        repo.git("commit", "-qm", "x");
      },
    ],
    [
      "a partly invalid cached tree",
      (repo) => {
        repo.git("commit", "-qm", "x");
        repo.write({ "dir/sub/c.txt": "changed\n" });
        repo.git("add", ".");
      },
    ],
    [
      "EOIE",
      (repo) => {
        repo.git("config", "index.recordEndOfIndexEntries", "true");
        repo.git("commit", "-qm", "x");
        repo.git("update-index", "--force-write-index");
      },
    ],
    [
      "an untracked cache",
      (repo) => {
        repo.git("config", "core.untrackedCache", "true");
        repo.git("status");
      },
    ],
    [
      "names longer than the flags can say",
      (repo) => {
        repo.write({ [`${"d".repeat(200)}/`.repeat(15) + "f".repeat(200)]: "l" });
        repo.gitBytes(
          ["update-index", "--index-info"],
          `100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391 0\t${"long/".repeat(900)}f\n`,
        );
      },
    ],
    [
      "conflict stages and resolve-undo",
      (repo) => {
        repo.git("commit", "-qm", "x");
        repo.git("checkout", "-qb", "other");
        repo.write({ "a.txt": "other\n", "dir/b.txt": "other\n" });
        repo.git("commit", "-qam", "other");
        repo.git("checkout", "-q", "main");
        repo.write({ "a.txt": "main\n", "dir/b.txt": "main\n" });
        repo.git("commit", "-qam", "main");
        try {
          repo.git("merge", "other");
        } catch {}
        repo.git("add", "a.txt");
      },
    ],
  ] satisfies [string, (repo: ReturnType<typeof scratchRepository>) => void][])(
    "rewrites %s to equal bytes",
    async (_name, setUp) => {
      const { before, after, index, listed } = await rewrite(setUp);
      expect(Buffer.compare(before, after)).toBe(0);
      const ours = index.entries.map(({ mode, oid, stage, path }) => `${mode.toString(8)} ${oid} ${stage}\t${path}\0`);
      expect(ours.join("")).toBe(listed);
    },
  );

  it("readIndex gives an empty index where there is none", async () => {
    using repo = scratchRepository();
    const index = await readIndex(await repo.open());
    expect(index.entries).toEqual([]);
    expect(index.version).toBe(0);
  });

  it("readIndex refuses a split index, as git refuses an extension it does not know", async () => {
    using repo = scratchRepository();
    repo.write(files);
    repo.git("add", ".");
    repo.git("update-index", "--split-index");
    await expect(readIndex(await repo.open())).rejects.toThrow(/index uses link extension, which we do not understand/);
  });

  it.each([
    ["nothing", (_bytes: Buffer) => Buffer.alloc(0), /index file smaller than expected/],
    [
      "another signature",
      (bytes: Buffer) => Buffer.concat([Buffer.from("CRID"), bytes.subarray(4)]),
      /bad signature 0x44495243/,
    ],
    ["version 9", (bytes: Buffer) => Buffer.from(bytes.fill(9, 7, 8)), /bad index version 9/],
    ["a count too large", (bytes: Buffer) => Buffer.from(bytes.fill(0xff, 8, 12)), /index file corrupt/],
    ["a cut", (bytes: Buffer) => bytes.subarray(0, 120), /index file corrupt/],
  ])("readIndex says what git says of %s", async (_name, damage, expected) => {
    using repo = scratchRepository();
    repo.write(files);
    repo.git("add", ".");
    const path = join(repo.path, ".git/index");
    writeFileSync(path, damage(readFileSync(path)));
    await expect(readIndex(await repo.open())).rejects.toThrow(expected);
  });

  it("IndexEditor remembers a resolved conflict as git does", async () => {
    using repo = scratchRepository();
    repo.write({ ...files, "a.txt": "resolved\n" });
    repo.git("add", ".");
    const oid = repo.git("rev-parse", ":dir/b.txt").trim();
    const stages = (path: string) => [1, 2, 3].map((stage) => `100644 ${oid} ${stage}\t${path}\n`).join("");
    const zero = `0 ${"0".repeat(40)}\t`;
    repo.gitBytes(["update-index", "--index-info"], `${zero}a.txt\n${stages("a.txt")}${stages("zz")}`);
    const opened = await repo.open();
    const editor = new IndexEditor(await readIndex(opened), { resolveUndo: true });
    editor.set({ ...(editor.get("a.txt", 2) as IndexEntry), stage: 0 });
    editor.remove("zz");
    await writeIndex(opened, editor.finish());
    const listed = ["a.txt", "zz"].map(stages).join("");
    expect(repo.git("ls-files", "--resolve-undo")).toBe(listed);
    expect(repo.git("ls-files", "-u")).toBe("");
  });

  it("writeIndex smudges an entry that changed in the second it was staged", async () => {
    using repo = scratchRepository();
    repo.write({ a: "one\n" });
    repo.git("add", ".");
    const index = await readIndex(await repo.open());
    repo.write({ a: "two\n" });
    const [entry] = index.entries;
    const seconds = entry!.stat.mtimeSeconds;
    utimesSync(join(repo.path, "a"), seconds, seconds);
    // The index is as old as the file: the entry is racy.
    utimesSync(join(repo.path, ".git/index"), seconds, seconds);
    const racy = await readIndex(await repo.open());
    await writeIndex(await repo.open(), racy);
    const written = await readIndex(await repo.open());
    expect(written.entries[0]!.stat.size).toBe(0);
    expect(repo.git("status", "--porcelain")).toBe("AM a\n");
  });
});
