/** apply_patch beside the real `git apply --recount` and `patch`, on diffs that git made of random texts, whole and damaged. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToolset, InMemoryFileStore } from "@cloudflare/fs-tools";
import { afterAll, describe, expect, it } from "vitest";
import { Random } from "../support/random.ts";

const home = mkdtempSync(join(tmpdir(), "apply-patch-"));
afterAll(() => rmSync(home, { recursive: true }));

const WORDS = ["alpha", "beta", "", "  gamma", "\tdelta", "$&", "}", "{", "é", "same", "same"];

function randomText(random: Random): string {
  const lines = Array.from(
    { length: 1 + random.below(40) },
    () => `${WORDS[random.below(WORDS.length)]}${random.below(3) ? random.below(30) : ""}`,
  );
  return lines.join("\n") + (random.below(4) ? "\n" : "");
}

function changed(text: string, random: Random): string {
  const lines = text.split("\n");
  for (let i = 1 + random.below(4); i > 0; i--) {
    const at = random.below(lines.length + 1);
    const kind = random.below(3);
    if (kind === 0) lines.splice(at, 1 + random.below(2));
    else if (kind === 1) lines.splice(at, 0, `new ${random.below(100)}`);
    else lines[Math.min(at, lines.length - 1)] = `other ${random.below(100)}`;
  }
  return lines.join("\n");
}

interface Tree {
  [name: string]: string;
}

function writeTree(folder: string, tree: Tree): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(tree)) writeFileSync(join(folder, name), text);
}

const NAMES = ["a.txt", "b.txt", "c.txt"];

function readTree(folder: string): Tree {
  const tree: Tree = {};
  for (const name of NAMES) {
    try {
      tree[name] = readFileSync(join(folder, name), "utf8");
    } catch {
      // Deleted.
    }
  }
  return tree;
}

function gitDiff(folder: string, before: Tree, after: Tree, context: number): string {
  const git = (...argv: string[]) => execFileSync("git", argv, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  writeTree(folder, before);
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "before");
  for (const name of NAMES) rmSync(join(folder, name), { force: true });
  writeTree(folder, after);
  git("add", "-A");
  return git("diff", "--cached", `-U${context}`, "--no-renames");
}

/** Line counts as a model gets them: not quite. */
function miscounted(patch: string, random: Random): string {
  return patch.replace(
    /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/gm,
    (_, a, b) => `@@ -${a},${1 + random.below(9)} +${b},${1 + random.below(9)} @@`,
  );
}

async function ours(files: Tree, patch: string): Promise<Tree | "refused"> {
  const store = new InMemoryFileStore(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`/${name}`, text])),
  );
  const toolset = await createToolset({ store });
  const result = await toolset.handle("apply_patch", { patch });
  const after = Object.fromEntries(
    await Promise.all(
      store.paths().map(async (path) => [path.slice(1), new TextDecoder().decode((await store.read(path))!)]),
    ),
  );
  if (result.isError) {
    expect(after).toEqual(files);
    return "refused";
  }
  return after;
}

function theirs(folder: string, files: Tree, patch: string, program: "git" | "patch"): Tree | "refused" {
  for (const name of NAMES) rmSync(join(folder, name), { force: true });
  writeTree(folder, files);
  const argv =
    program === "git" ? ["apply", "--recount", "-"] : ["-p1", "-s", "--no-backup-if-mismatch", "-F0", "-r", "-"];
  const { status } = spawnSync(program, argv, { cwd: folder, input: patch });
  return status === 0 ? readTree(folder) : "refused";
}

const hasPatch = spawnSync("patch", ["--version"]).status === 0;

describe("apply_patch beside git apply and patch", () => {
  it.each(Array.from({ length: 60 }, (_, i) => i))("diff %i", async (seed) => {
    const random = new Random(seed + 1);
    const before = Object.fromEntries(NAMES.slice(0, 1 + random.below(3)).map((name) => [name, randomText(random)]));
    const after: Tree = {};
    for (const [name, text] of Object.entries(before)) {
      const fate = random.below(8);
      if (fate === 0) continue;
      after[name] = fate === 1 ? text : changed(text, random);
    }
    if (random.below(3) === 0) after["c.txt"] ??= randomText(random);
    const folder = join(home, String(seed));
    const diff = gitDiff(folder, before, after, random.below(2) ? 3 : 1);
    if (diff === "") return;
    // As it is.
    const whole = await ours(before, diff);
    expect(whole).toEqual(theirs(folder, before, diff, "git"));
    expect(whole).toEqual(after);
    if (hasPatch) expect(whole).toEqual(theirs(folder, before, diff, "patch"));
    // With wrong counts: git recounts them, and so do we.
    const wrong = miscounted(diff, random);
    expect(await ours(before, wrong)).toEqual(theirs(folder, before, wrong, "git"));
    // On a file that moved on: the same answer, or the same refusal, and then nothing is changed.
    const moved = Object.fromEntries(Object.entries(before).map(([name, text]) => [name, changed(text, random)]));
    // git insists on context; without any, we take lines that occur once.
    if (!/^@@[^\n]*\n[-+]/m.test(diff)) expect(await ours(moved, diff)).toEqual(theirs(folder, moved, diff, "git"));
  });
});
