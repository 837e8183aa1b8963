/**
 * Random histories, drawn by real git and by this engine. A failure names the seed: `GRAPH_SEED=7 vitest run … graph.test.ts`.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../node/node-file-system.ts";
import { runCli } from "../src/cli/run-cli.ts";

const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", TZ: "UTC", LC_ALL: "C" };
const folder = mkdtempSync(join(tmpdir(), "graph-"));
afterAll(() => rmSync(folder, { recursive: true }));

function git(cwd: string, argv: readonly string[], input = ""): string {
  return execFileSync("git", argv, { cwd, env, input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });
}

async function ours(cwd: string, argv: readonly string[]): Promise<string> {
  const host = { fs: createNodeFileSystem(), now: () => 1_800_000_000_000 };
  const { stdout, stderr } = await runCli(host, { argv, cwd, env });
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

/** mulberry32. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** A stream for fast-import: commits with up to five earlier parents, and a few branches at the end. */
function history(seed: number): string {
  const next = random(seed);
  const count = 4 + next(22);
  let text = "";
  for (let i = 1; i <= count; i++) {
    const parents = new Set<number>();
    const wanted = i === 1 || next(12) === 0 ? 0 : next(3) > 0 ? 1 : 2 + (next(4) === 0 ? next(4) : 0);
    while (parents.size < Math.min(wanted, i - 1)) parents.add(Math.max(1, i - 1 - next(Math.min(i - 1, 7))));
    const [first, ...rest] = parents;
    const when = 1_700_000_000 + i * 60 + (next(5) === 0 ? -next(200) : 0);
    const message = `c${i}\n\nbody of ${i}\n`;
    text += `commit refs/heads/b${i}\nmark :${i}\ncommitter C <c@x> ${when} +0000\ndata ${message.length}\n${message}`;
    if (first !== undefined) text += `from :${first}\n`;
    for (const parent of rest) text += `merge :${parent}\n`;
    text += `M 644 inline f${i % 3}\ndata 2\n${i % 10}\n\n`;
  }
  return text;
}

const QUESTIONS = [
  ["log", "--graph", "--format=%s", "--all"],
  ["log", "--graph", "--oneline", "--all", "--color=always"],
  ["log", "--graph", "--all"],
  ["log", "--graph", "--format=format:%s%n%b", "--all"],
  ["log", "--graph", "--format=%s", "--date-order", "--all"],
  ["log", "--graph", "--format=%s", "--first-parent", "--all"],
  ["log", "--graph", "--format=%s", "-n", "5", "--all"],
  ["log", "--graph", "--format=%s", "--grep=[135]", "--all"],
  ["log", "--graph", "--format=%s", "--all", "--", "f1"],
  ["log", "--graph", "--format=%s", "--no-merges", "--all"],
  ["log", "--graph", "--format=%s", "--all", "--not", "b3"],
  ["log", "--graph", "--format=%s", "--boundary", "--all", "--not", "b3"],
];

const only = process.env.GRAPH_SEED;
const seeds =
  only === undefined ? Array.from({ length: Number(process.env.GRAPH_ROUNDS ?? 12) }, (_, i) => i + 1) : [Number(only)];

describe("Graph", () => {
  it.each(seeds)("draws history %i as git does", async (seed) => {
    const cwd = join(folder, String(seed));
    git(folder, ["init", "-q", cwd]);
    git(cwd, ["fast-import", "--quiet"], history(seed));
    git(cwd, ["pack-refs", "--all"]);
    for (const argv of QUESTIONS) {
      expect(`${argv.join(" ")}\n${await ours(cwd, argv)}`).toBe(`${argv.join(" ")}\n${git(cwd, argv)}`);
    }
  });
});
