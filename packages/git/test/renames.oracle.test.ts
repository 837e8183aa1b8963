/**
 * Renames, copies and rewrites of random histories, with their scores, compared with `git diff-tree`. Zero
 * differences.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeFileSystem } from "@workspace/git/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runCli } from "../src/cli/run-cli.ts";

const SEED = Number(process.env.RENAME_ORACLE_SEED ?? 11);
const COMMITS = Number(process.env.RENAME_ORACLE_COMMITS ?? 40);
const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent", LC_ALL: "C" } as Record<string, string>;
let dir = "";
let commits = "";

function random(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Files in a few directories; each commit moves, copies, edits, swaps, empties and rewrites some. */
function history(): string {
  const below = random(SEED);
  const line = () => `${["if (x) {", "return 1;", "}", "", "call(a, b);"][below(5)]} ${below(40)}`;
  const content = () => {
    if (below(8) === 0) return "";
    const lines = Array.from({ length: 3 + below(40) }, line).join("\n");
    return below(6) === 0 ? lines : `${lines}\n`;
  };
  const edit = (text: string) => {
    const lines = text.split("\n");
    for (let n = below(below(3) === 0 ? 20 : 5); n > 0; n--) lines.splice(below(lines.length), below(2), line());
    return lines.join("\n");
  };
  const name = () => `${["", "a/", "b/c/", "d/"][below(4)]}${["x", "y", "z", "main", "util"][below(5)]}${below(3)}.c`;
  const files = new Map<string, string>();
  for (let i = 0; i < 25; i++) files.set(name(), content());
  let stream = "";
  for (let i = 1; i <= COMMITS; i++) {
    for (let n = 2 + below(8); n > 0; n--) {
      const paths = [...files.keys()];
      const path = paths[below(paths.length)] as string;
      const old = files.get(path) ?? "";
      const what = below(9);
      if (what < 4) {
        files.delete(path);
        files.set(name(), edit(old));
      } else if (what === 4) files.set(name(), edit(old));
      else if (what === 5) files.set(path, edit(old));
      else if (what === 6) files.set(path, content());
      else if (what === 7) files.delete(path);
      else files.set(name(), old);
      if (files.size === 0) files.set(name(), content());
    }
    stream += `commit refs/heads/main\ncommitter C <c@example.com> ${1_700_000_000 + i} +0000\ndata 1\nx\ndeleteall\n`;
    for (const [path, text] of files) stream += `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  }
  return stream;
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "renames-"));
  const git = (argv: string[], input = "") =>
    spawnSync("git", argv, { cwd: dir, env, input, encoding: "utf8", maxBuffer: 2 ** 28 });
  git(["init", "-q", "-b", "main"]);
  git(["fast-import", "--quiet"], history());
  commits = git(["rev-list", "--reverse", "main"]).stdout;
});

afterAll(() => rmSync(dir, { recursive: true }));

it.each([
  "-M",
  "-M30%",
  "-M90%",
  "-M100%",
  "-C",
  "-C -C",
  "-C70% --find-copies-harder",
  "-B",
  "-B -M",
  "-B30%/20% -M40%",
  "-B -C",
  "-M -l2",
  "-C -C -l3",
  "-M --no-rename-empty",
])(`diff-tree %s finds what git finds (seed ${SEED})`, async (options) => {
  const argv = ["diff-tree", "--stdin", "-r", "--raw", ...options.split(" ")];
  const expected = spawnSync("git", argv, { cwd: dir, env, input: commits, encoding: "utf8", maxBuffer: 2 ** 28 });
  const host = { fs: createNodeFileSystem(), now: () => 0 };
  const ours = await runCli(host, { argv, cwd: dir, env, stdin: commits });
  expect(new TextDecoder().decode(ours.stdout)).toBe(expected.stdout);
});
