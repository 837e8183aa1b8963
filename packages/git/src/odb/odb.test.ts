/** The database compared with real git: reads repositories created by git, and git reads objects written here. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { hashObject } from "../hash/hash-object.ts";
import { parseCommit, serializeCommit } from "../object/commit.ts";
import type { Oid } from "../object/oid.ts";
import { parseTag, serializeTag } from "../object/tag.ts";
import { parseTree, serializeTree } from "../object/tree.ts";
import { decode, encode } from "../text/bytes.ts";
import { openObjectDatabase } from "./open-object-database.ts";
import { peel, readCommit, readTree } from "./read-object.ts";

const root = mkdtempSync(join(tmpdir(), "odb-"));
const environment = {
  PATH: process.env.PATH,
  HOME: root,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A U Thor",
  GIT_AUTHOR_EMAIL: "author@example.com",
  GIT_COMMITTER_NAME: "C O Mitter",
  GIT_COMMITTER_EMAIL: "committer@example.com",
  GIT_AUTHOR_DATE: "1700000000 +0000",
  GIT_COMMITTER_DATE: "1700000000 +0200",
};
const git = (args: string[], input?: string | Uint8Array) =>
  execFileSync("git", args, { cwd: root, env: environment, input, maxBuffer: 1 << 28, stdio: "pipe" });
const text = (...args: string[]) => git(args).toString().trim();
const open = () => openObjectDatabase({ fs: createNodeFileSystem(), gitDir: join(root, ".git") });

beforeAll(() => {
  git(["init", "-q", "-b", "main"]);
  for (let i = 0; i < 30; i++) {
    const lines = Array.from({ length: 400 }, (_, line) => `line ${line === i ? `changed ${i}` : line}`);
    writeFileSync(join(root, "file.txt"), lines.join("\n"));
    writeFileSync(join(root, `ü${i}.txt`), `${i}`);
    git(["add", "-A"]);
    git(["commit", "-q", "-m", `commit ${i}\n\nbody ü`]);
  }
  git(["tag", "-a", "v1", "-m", "one"]);
  git(["tag", "-a", "v2", "-m", "two", "v1"]);
});
afterAll(() => rmSync(root, { recursive: true }));

async function compareAll() {
  const odb = open();
  const lines = text("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype) %(objectsize)");
  expect(lines.split("\n").length).toBeGreaterThan(90);
  for (const line of lines.split("\n")) {
    const [oid, type, size] = line.split(" ") as [Oid, string, string];
    expect(await odb.header(oid)).toMatchObject({ type, size: Number(size) });
    const object = await odb.need(oid);
    expect(hashObject(object.type, object.body)).toBe(oid);
    const again =
      object.type === "commit"
        ? serializeCommit(parseCommit(object.body))
        : object.type === "tree"
          ? serializeTree(parseTree(object.body))
          : object.type === "tag"
            ? serializeTag(parseTag(object.body))
            : object.body;
    expect(decode(again)).toBe(decode(object.body));
  }
}

describe("openObjectDatabase", () => {
  it("reads every loose object as git does", compareAll);

  it("reads every packed object as git does", async () => {
    git(["gc", "-q"]);
    await compareAll();
    git(["repack", "-adfq", "--depth=50", "--window=50"]);
    await compareAll();
  });

  it("answers null for what is missing, and says so in git's words", async () => {
    const odb = open();
    const nowhere = "1".repeat(40) as Oid;
    expect(await odb.read(nowhere)).toBeNull();
    expect(await odb.header(nowhere)).toBeNull();
    expect(await odb.missing([nowhere, text("rev-parse", "HEAD") as Oid])).toEqual([nowhere]);
    await expect(odb.need(nowhere, "tree")).rejects.toThrow(`unable to read tree ${nowhere}`);
    const head = text("rev-parse", "HEAD") as Oid;
    await expect(odb.need(head, "tree")).rejects.toThrow(`object ${head} is a commit, not a tree`);
  });

  it("peels tags and commits", async () => {
    const odb = open();
    const tag = text("rev-parse", "v2") as Oid;
    expect(await peel(odb, tag)).toBe(text("rev-parse", "v1^{}"));
    expect(await peel(odb, tag, "commit")).toBe(text("rev-parse", "HEAD"));
    expect(await peel(odb, tag, "tree")).toBe(text("rev-parse", "HEAD^{tree}"));
    expect(await peel(odb, tag, "blob")).toBeNull();
    const commit = await readCommit(odb, text("rev-parse", "HEAD") as Oid);
    expect(commit).toMatchObject({ message: "commit 29\n\nbody ü\n", author: { name: "A U Thor", zone: "+0000" } });
    expect((await readTree(odb, commit.tree)).find(({ name }) => name === "ü3.txt")?.mode).toBe(0o100644);
  });

  it("writes what git reads", async () => {
    const odb = open();
    const blob = await odb.write("blob", encode("written here\n"));
    expect(text("cat-file", "-p", blob)).toBe("written here");
    const [tree] = await odb.writeMany([
      { type: "tree", body: serializeTree([{ mode: 0o100644, name: "a", oid: blob }]) },
      { type: "blob", body: encode("written here\n") },
    ]);
    expect(text("ls-tree", tree as string)).toBe(`100644 blob ${blob}\ta`);
    git(["fsck", "--strict"]);
    expect(await odb.read(blob)).toEqual({ type: "blob", body: encode("written here\n") });
  });

  it("finds names by prefix and shortens as git does", async () => {
    const odb = open();
    for (const oid of text("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split("\n") as Oid[]) {
      expect(await odb.withPrefix(oid.slice(0, 12))).toEqual([oid]);
      expect(await odb.abbreviate(oid, 4)).toBe(text("rev-parse", "--short=4", oid));
      expect(await odb.abbreviate(oid)).toBe(text("rev-parse", "--short", oid));
    }
  });
});
