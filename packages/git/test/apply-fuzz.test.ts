/** Damaged patches through `git apply` either apply or are rejected with every file unchanged; no hang, no internal error. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createNodeFileSystem } from "../node/node-file-system.ts";
import { runCommand } from "../src/cli/run-cli.ts";
import { GitError } from "../src/errors.ts";
import { corruptBytes, FUZZ_SEED, random } from "./corrupt-bytes.ts";
import { type ScratchRepository, scratchRepository } from "./scratch-repository.ts";

const ROUNDS = 400;
const lines = (count: number, from = 1) => Array.from({ length: count }, (_, i) => `line ${i + from}\n`).join("");
const FILES = { "a.txt": lines(40), "dir/b.txt": lines(12, 100), "old.txt": lines(30, 300), gone: "gone\n" };

/** Text, a rename with an edit, a new mode, a new and a removed file, and binary content. */
function originals(repo: ScratchRepository): Uint8Array[] {
  repo.write(FILES);
  repo.git("add", ".");
  repo.git("commit", "-qm", "one");
  repo.write({ "a.txt": FILES["a.txt"].replace("line 7\n", () => "seven\n").replace("line 33\n", () => "") });
  const plain = repo.gitBytes(["diff"]);
  repo.write({
    "dir/b.txt": `${FILES["dir/b.txt"]}more`,
    new: "new\n",
    bytes: Uint8Array.from({ length: 600 }, (_, i) => (i * i) % 251),
  });
  repo.git("mv", "old.txt", "new.txt");
  repo.write({ "new.txt": FILES["old.txt"].replace("line 310\n", () => "ten\n") });
  repo.git("rm", "-q", "gone");
  repo.git("add", ".");
  repo.git("update-index", "--chmod=+x", "dir/b.txt");
  const all = repo.gitBytes(["diff", "--cached", "--binary", "-M"]);
  repo.git("reset", "-q", "--hard");
  return [plain, all];
}

function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(".git"))
    .sort()
    .map((name) => {
      const stat = statSync(join(folder, name));
      return stat.isDirectory() ? name : `${name} ${stat.mode} ${readFileSync(join(folder, name), "latin1")}`;
    });
}

it(`apply takes what is damaged (seed ${FUZZ_SEED})`, async () => {
  using repo = scratchRepository();
  const next = random(FUZZ_SEED);
  const patches = originals(repo);
  const before = stateOf(repo.path);
  const host = { fs: createNodeFileSystem(), now: () => 1_700_000_000_000 };
  const codes = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    const stdin = corruptBytes(patches[round % patches.length] as Uint8Array, next);
    const flags = [[], ["--recount"], ["-R"], ["--reject"], ["--unidiff-zero", "-C1"]][next(5)] as string[];
    const { exitCode, error } = await runCommand(host, { argv: ["apply", ...flags], cwd: repo.path, stdin });
    codes.set(exitCode, (codes.get(exitCode) ?? 0) + 1);
    if (error !== undefined && !(error instanceof GitError)) throw new Error(`round ${round}`, { cause: error });
    const after = stateOf(repo.path);
    // `--reject` applies what it can.
    if (exitCode !== 0 && !flags.includes("--reject")) expect(after, `round ${round}: ${flags}`).toEqual(before);
    if (after.join() === before.join()) continue;
    for (const name of readdirSync(repo.path)) if (name !== ".git") rmSync(join(repo.path, name), { recursive: true });
    mkdirSync(join(repo.path, "dir"));
    repo.write(FILES);
  }
  expect([...codes.keys()].sort((a, b) => a - b)).toEqual([0, 1, 128]);
});
