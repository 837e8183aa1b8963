/** Blame and combined diffs of random histories with merges, against real git. Zero differences. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeFileSystem } from "@workspace/git/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../src/cli/run-cli.ts";

const SEED = Number(process.env.BLAME_ORACLE_SEED ?? 5);
const COMMITS = Number(process.env.BLAME_ORACLE_COMMITS ?? 60);
const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", HOME: "/nonexistent", LC_ALL: "C" } as Record<string, string>;
let dir = "";

function random(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

type Files = ReadonlyMap<string, readonly string[]>;

/** Edits, moves and copies lines between a few files, renames files, and merges two branches every few commits. */
function history(): string {
  const below = random(SEED);
  const line = () =>
    `${["  ", "\t", ""][below(3)]}${["if (condition) {", "return value;", "}", "", "call(first, second);", "function head(x)"][below(6)]}${below(3) === 0 ? below(30) : ""}`;
  const names = ["a", "b", "dir/c"];
  const change = (files: Files): Files => {
    const next = new Map([...files].map(([name, lines]) => [name, [...lines]]));
    for (let n = 1 + below(3); n > 0; n--) {
      const all = [...next.keys()];
      const name = all[below(all.length)] as string;
      const lines = next.get(name) as string[];
      const at = below(lines.length + 1);
      const what = below(8);
      if (what < 3) lines.splice(at, below(3), ...Array.from({ length: below(4) }, line));
      else if (what === 3) lines.splice(below(lines.length + 1), 0, ...lines.splice(at, 2 + below(6)));
      else if (what === 4) {
        const other = next.get(all[below(all.length)] as string) as string[];
        lines.splice(at, 0, ...other.slice(0, 3 + below(6)));
      } else if (what === 5) lines.splice(at, 1, ` ${lines[at] ?? ""}  `);
      else if (what === 6 && next.size > 1) {
        next.delete(name);
        next.set(`${name}${below(10)}`, lines);
      } else next.set(names[below(3)] as string, next.get(names[0] as string) ?? [...lines]);
    }
    return next;
  };
  const merge = (ours: Files, theirs: Files): Files => {
    const next = new Map<string, string[]>();
    for (const [name, lines] of ours) {
      const other = theirs.get(name);
      const cut = below(lines.length + 1);
      next.set(
        name,
        other ? [...lines.slice(0, cut), ...other.slice(below(4) === 0 ? below(other.length + 1) : cut)] : [...lines],
      );
    }
    return next;
  };
  const first: Files = new Map(names.map((name) => [name, Array.from({ length: 20 }, line)]));
  const trees: Files[] = [];
  let stream = "";
  for (let i = 0; i < COMMITS; i++) {
    const parents =
      i === 0 ? [] : i % 4 === 3 ? [i - 1, Math.max(0, i - 2 - below(3))] : [Math.max(0, i - 1 - below(2))];
    const [one, two] = parents;
    const files =
      one === undefined
        ? first
        : two === undefined || two === one
          ? change(trees[one] as Files)
          : merge(trees[one] as Files, trees[two] as Files);
    trees.push(files);
    stream += `commit refs/heads/main\nmark :${i + 1}\ncommitter C <c@example.com> ${1_700_000_000 + i} +0000\ndata 1\nx\n`;
    if (one !== undefined) stream += `from :${one + 1}\n`;
    if (two !== undefined && two !== one) stream += `merge :${two + 1}\n`;
    stream += "deleteall\n";
    for (const [path, lines] of files) {
      const text = `${lines.join("\n")}${below(10) === 0 ? "" : "\n"}`;
      stream += `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
    }
  }
  return stream;
}

const git = (argv: string[], input = "") =>
  spawnSync("git", argv, { cwd: dir, env, input, encoding: "utf8", maxBuffer: 2 ** 28 }).stdout;

async function ours(argv: string[], stdin = ""): Promise<string> {
  const { stdout } = await runCli({ fs: createNodeFileSystem(), now: () => 0 }, { argv, cwd: dir, env, stdin });
  return new TextDecoder().decode(stdout);
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "blame-"));
  git(["init", "-q", "-b", "main"]);
  git(["fast-import", "--quiet", "--force"], history());
});

afterAll(() => rmSync(dir, { recursive: true }));

describe(`a random history (seed ${SEED})`, () => {
  it.each(["-s", "-s -w", "-p", "-s -M", "-s -C", "-s -C -C", "-s -C -C -C", "-s --first-parent", "-n -s"])(
    "blame %s names whom git names",
    async (options) => {
      for (const path of git(["ls-tree", "-r", "--name-only", "main"]).trim().split("\n")) {
        const argv = ["blame", ...options.split(" "), "main", "--", path];
        expect({ path, blame: await ours(argv) }).toEqual({ path, blame: git(argv) });
      }
    },
  );

  it.each(["", "-M", "-C", "--first-parent"])("blame --ignore-rev %s guesses as git does", async (more) => {
    const marks = ["-c", "blame.markIgnoredLines=true", "-c", "blame.markUnblamableLines=true"];
    const commits = git(["rev-list", "main"]).trim().split("\n");
    for (const path of git(["ls-tree", "-r", "--name-only", "main"]).trim().split("\n")) {
      for (const every of [2, 3, 5]) {
        const ignored = commits.filter((_, at) => at % every === 0).flatMap((oid) => ["--ignore-rev", oid]);
        const argv = [...marks, "blame", "-s", ...more.split(" ").filter(Boolean), ...ignored, "main", "--", path];
        expect({ path, every, blame: await ours(argv) }).toEqual({ path, every, blame: git(argv) });
      }
    }
  });

  it.each(["", "-M", "-C", "-w"])("blame --reverse %s names whom git names", async (more) => {
    for (const start of [8, 20, 33]) {
      const from = git(["rev-list", "--first-parent", `--skip=${start}`, "-1", "main"]).trim();
      for (const path of git(["ls-tree", "-r", "--name-only", from]).trim().split("\n")) {
        const argv = [
          "blame",
          "-s",
          "-f",
          ...more.split(" ").filter(Boolean),
          "--reverse",
          `${from}..main`,
          "--",
          path,
        ];
        expect({ path, start, blame: await ours(argv) }).toEqual({ path, start, blame: git(argv) });
      }
    }
  });

  it.each(["--cc", "-c -p", "--cc -U0", "--cc -U1 --color", "-c", "--cc --stat", "-c -p -w", "--cc -M -p", "-m -p"])(
    "diff-tree %s shows merges as git does",
    async (options) => {
      const commits = git(["rev-list", "--merges", "main"]);
      const argv = ["diff-tree", "--stdin", "-r", ...options.split(" ")];
      expect(await ours(argv, commits)).toBe(git(argv, commits));
    },
  );
});
