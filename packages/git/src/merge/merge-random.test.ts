/**
 * Random three-way histories, merged by real git and by this engine: the resulting tree, the stages of every conflict and every
 * message must be equal. `MERGE_SEED` and `MERGE_CASES` choose others.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { openRepository } from "../repository/open-repository.ts";
import type { Repository } from "../repository.ts";
import { mergeBases } from "../revision/merge-base.ts";
import { findCommit } from "../revision/resolve-revision.ts";
import { mergeCommits } from "./merge-commits.ts";

const SEED = Number(process.env.MERGE_SEED ?? 1);
const CASES = Number(process.env.MERGE_CASES ?? 200);
const folder = mkdtempSync(join(tmpdir(), "merge-random-"));
const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
let repo: Repository;

interface Node {
  mode: "100644" | "100755" | "120000";
  content: string;
}
type Tree = Map<string, Node>;

/** mulberry32. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const NAMES = ["a", "b", "c", "d"];
const FOLDERS = ["", "x/", "y/", "x/in/", "z/"];

function makeBase(random: (below: number) => number): Tree {
  const tree: Tree = new Map();
  for (let i = 0; i < 4 + random(5); i++) {
    const path = pick(random, FOLDERS) + pick(random, NAMES);
    put(tree, path, { mode: random(8) === 0 ? "100755" : "100644", content: text(random, `${path} ${random(3)}`) });
  }
  return tree;
}

function pick<T>(random: (below: number) => number, list: readonly T[]): T {
  return list[random(list.length)] as T;
}

function text(random: (below: number) => number, word: string): string {
  if (random(12) === 0) return `\0binary ${word}\n`;
  return Array.from({ length: 6 + random(6) }, (_, i) => `${word} line ${i}\n`).join("");
}

/** What is in the way goes. */
function put(tree: Tree, path: string, node: Node): void {
  for (const other of [...tree.keys()]) {
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) tree.delete(other);
  }
  tree.set(path, node);
}

function change(random: (below: number) => number, before: Tree): Tree {
  const tree: Tree = new Map([...before].map(([path, node]) => [path, { ...node }]));
  for (let i = 0; i < 1 + random(4); i++) {
    const paths = [...tree.keys()];
    const path = paths.length > 0 ? pick(random, paths) : "a";
    const node = tree.get(path) ?? { mode: "100644" as const, content: "new\n" };
    const fresh = pick(random, FOLDERS) + pick(random, NAMES);
    switch (random(9)) {
      case 0:
      case 1:
      case 2: {
        const lines = node.content.split("\n");
        lines[random(lines.length)] = `changed ${random(4)}`;
        if (node.mode !== "120000") tree.set(path, { ...node, content: lines.join("\n") });
        break;
      }
      case 3:
        tree.delete(path);
        break;
      case 4:
        tree.delete(path);
        put(tree, fresh, node);
        break;
      case 5:
        put(tree, fresh, { mode: "100644", content: text(random, `added ${random(3)}`) });
        break;
      case 6: {
        const [from, to] = [pick(random, ["x/", "y/", "z/"]), pick(random, ["moved/", "y/", "w/"])];
        for (const one of paths.filter((name) => name.startsWith(from))) {
          const moving = tree.get(one) as Node;
          tree.delete(one);
          put(tree, to + one.slice(from.length), moving);
        }
        break;
      }
      case 7:
        if (node.mode !== "120000") tree.set(path, { ...node, mode: node.mode === "100644" ? "100755" : "100644" });
        break;
      default:
        put(tree, path, { mode: "120000", content: `target${random(3)}` });
    }
  }
  return tree;
}

function commitText(ref: string, tree: Tree, mark: number, time: number, parents: readonly number[]): string {
  const files = [...tree]
    .map(([path, { mode, content }]) => `M ${mode} inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`)
    .join("");
  const [from, ...merged] = parents;
  const above = (from === undefined ? "" : `from :${from}\n`) + merged.map((one) => `merge :${one}\n`).join("");
  return `commit refs/heads/${ref}\nmark :${mark}\ncommitter C <c@example.com> ${time} +0000\ndata 1\nx\n${above}deleteall\n${files}\n`;
}

/** Every fourth is a criss-cross, with two bases. */
function history(random: (below: number) => number, i: number): string {
  const base = makeBase(random);
  const [first, second] = [change(random, base), change(random, base)];
  const mark = 10 * i + 1;
  const time = 1_700_000_000 + 100 * i;
  const start = commitText(`base${i}`, base, mark, time, []);
  if (i % 4 !== 0) {
    return `${start}${commitText(`ours${i}`, first, mark + 1, time + 1, [mark])}${commitText(`theirs${i}`, second, mark + 2, time + 2, [mark])}`;
  }
  return [
    start,
    commitText(`one${i}`, first, mark + 1, time + 1, [mark]),
    commitText(`two${i}`, second, mark + 2, time + 2, [mark]),
    commitText(`ours${i}`, change(random, first), mark + 3, time + 3, [mark + 1, mark + 2]),
    commitText(`theirs${i}`, change(random, second), mark + 4, time + 4, [mark + 2, mark + 1]),
  ].join("");
}

beforeAll(async () => {
  execFileSync("git", ["init", "-q", "--bare", folder], { env, stdio: "pipe" });
  const random = randomFrom(SEED);
  const stream = Array.from({ length: CASES }, (_, i) => history(random, i)).join("");
  execFileSync("git", ["fast-import", "--quiet"], { env, cwd: folder, input: stream, stdio: "pipe" });
  repo = await openRepository({ fs: createNodeFileSystem(), now: () => 0 }, { cwd: folder, env: { HOME: folder } });
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ourAnswer(i: number): Promise<string> {
  const [ours, theirs] = [await findCommit(repo, `ours${i}`), await findCommit(repo, `theirs${i}`)];
  if (ours === null || theirs === null) throw new Error(`no case ${i}`);
  const bases = await mergeBases(repo, ours, [theirs]);
  const { tree, conflicts, messages } = await mergeCommits(repo, ours, theirs, bases, {
    ours: `ours${i}`,
    theirs: `theirs${i}`,
  });
  const stages = conflicts.flatMap(({ path, stages: three }) =>
    three.flatMap((one, at) => (one ? [`${one.mode.toString(8)} ${one.oid} ${at + 1}\t${path}`] : [])),
  );
  return [tree, ...stages.sort(), "", ...messages].join("\n");
}

function gitAnswer(i: number): string {
  const argv = ["merge-tree", "--write-tree", "--messages", `ours${i}`, `theirs${i}`];
  const { stdout, stderr } = spawnSync("git", argv, { env, cwd: folder, encoding: "utf8" });
  if (stderr !== "") throw new Error(stderr);
  const [head = "", ...rest] = stdout.replace(/\n$/, "").split("\n\n");
  const [tree = "", ...stages] = head.trimEnd().split("\n");
  return [
    tree,
    ...stages.sort(),
    "",
    ...rest
      .join("\n\n")
      .split("\n")
      .filter((line) => line !== ""),
  ].join("\n");
}

it(`mergeCommits makes what git makes of ${CASES} histories, seed ${SEED}`, async () => {
  const wrong: string[] = [];
  for (let i = 0; i < CASES; i++) {
    const expected = gitAnswer(i);
    const actual = await ourAnswer(i).catch((error: Error) => `${error.stack}`);
    if (expected !== actual) wrong.push(`case ${i}\n--- git\n${expected}\n--- ours\n${actual}`);
  }
  expect(wrong.slice(0, Number(process.env.MERGE_SHOW ?? 5)).join("\n\n"), `${wrong.length} of ${CASES} differ`).toBe(
    "",
  );
});
