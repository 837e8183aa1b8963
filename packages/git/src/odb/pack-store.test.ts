/** Packs on disk: both index versions, an index too large to hold, several packs, alternates, and broken files. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { GitError } from "../errors.ts";
import { hashObject } from "../hash/hash-object.ts";
import { MemoryBudget } from "../memory/memory-budget.ts";
import type { Oid } from "../object/oid.ts";
import { listAll } from "./list-all.ts";
import { openObjectDatabase } from "./open-object-database.ts";

const root = mkdtempSync(join(tmpdir(), "pack-store-"));
const fs = createNodeFileSystem();
const environment = {
  PATH: process.env.PATH,
  HOME: root,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A U Thor",
  GIT_AUTHOR_EMAIL: "author@example.com",
  GIT_COMMITTER_NAME: "C O Mitter",
  GIT_COMMITTER_EMAIL: "committer@example.com",
};
const git = (args: string[], cwd = root, input = "") =>
  execFileSync("git", args, { cwd, env: environment, input, maxBuffer: 1 << 28, stdio: "pipe" });
const names = (cwd = root) =>
  git(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], cwd).toString().trim().split("\n") as Oid[];
const directory = join(root, ".git/objects/pack");
const files = (extension: string) => readdirSync(directory).filter((name) => name.endsWith(extension));

beforeAll(() => {
  git(["init", "-q", "-b", "main"]);
  for (let i = 0; i < 25; i++) {
    const lines = Array.from({ length: 200 }, (_, line) => `line ${line % 30 === i ? `changed ${i}` : line * 7919}`);
    writeFileSync(join(root, "file.txt"), lines.join("\n"));
    git(["add", "file.txt"]);
    git(["commit", "-q", "-m", `commit ${i}`]);
    if (i % 9 === 8) git(["repack", "-d", "-q"]);
  }
  git(["repack", "-d", "-q"]);
});
afterAll(() => rmSync(root, { recursive: true }));

async function readAll(memory = new MemoryBudget(48 << 20), gitDir = join(root, ".git"), wanted = names()) {
  const odb = openObjectDatabase({ fs, gitDir, memory });
  for (const oid of wanted) {
    const { type, body } = await odb.need(oid);
    expect(hashObject(type, body)).toBe(oid);
  }
  const listed: Oid[] = [];
  for await (const oid of listAll(odb)) listed.push(oid);
  expect(listed).toEqual(wanted);
  return odb;
}

describe("PackStore", () => {
  it("reads from several packs", async () => {
    expect(files(".pack").length).toBeGreaterThan(2);
    await readAll();
  });

  it("stays within its memory when there is too little to hold an index", async () => {
    const memory = new MemoryBudget(20_000);
    const odb = await readAll(memory);
    expect(memory.peak).toBeLessThanOrEqual(20_000);
    expect(await odb.withPrefix((names()[0] as Oid).slice(0, 8))).toEqual([names()[0]]);
  });

  it("reads indexes of version 1", async () => {
    git(["repack", "-a", "-d", "-q"]);
    git(["-c", "pack.indexVersion=1", "repack", "-a", "-d", "-f", "-q"]);
    const index = readFileSync(join(directory, files(".idx")[0] as string));
    expect(index[0]).not.toBe(0xff);
    await readAll();
    await readAll(new MemoryBudget(20_000));
    git(["repack", "-a", "-d", "-f", "-q"]);
  });

  it("sees packs that came, and goes on when they are replaced", async () => {
    const odb = await readAll();
    writeFileSync(join(root, "other.txt"), "another\n");
    const blob = git(["hash-object", "-w", "other.txt"]).toString().trim() as Oid;
    git(["add", "other.txt"]);
    git(["commit", "-q", "-m", "another"]);
    git(["repack", "-a", "-d", "-f", "-q"]);
    expect((await odb.read(blob))?.body.length).toBe(8);
  });

  it("borrows from alternates", async () => {
    const borrower = join(root, "borrower");
    git(["clone", "-q", "--shared", "--bare", root, borrower]);
    await readAll(undefined, borrower, names(borrower));
    const second = join(root, "second.git");
    git(["init", "-q", "--bare", second]);
    mkdirSync(join(second, "objects/info"), { recursive: true });
    writeFileSync(join(second, "objects/info/alternates"), "# here\n../../borrower/objects\n");
    await readAll(undefined, second, names(second));
  });

  it("answers broken packs and indexes with an error, never with a crash", async () => {
    const wanted = names();
    const [index, pack] = [files(".idx")[0] as string, files(".pack")[0] as string].map((name) =>
      join(directory, name),
    );
    for (const path of [index, pack] as string[]) {
      const whole = readFileSync(path);
      chmodSync(path, 0o644);
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 5 }),
          fc.option(fc.nat(), { nil: undefined }),
          async (changes, cut) => {
            const broken = Buffer.from(whole.subarray(0, cut === undefined ? whole.length : cut % whole.length));
            for (const [at, byte] of changes) if (broken.length > 0) broken[at % broken.length] = byte;
            writeFileSync(path, broken);
            const odb = openObjectDatabase({ fs, gitDir: join(root, ".git") });
            for (const oid of wanted.slice(0, 40))
              await odb.read(oid).catch((error: unknown) => expect(error).toBeInstanceOf(GitError));
          },
        ),
        { numRuns: 60 },
      );
      writeFileSync(path, whole);
    }
    await readAll();
  });
});
