/** The real git, for comparison: many diffs with one process, by giving it two directories. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ENV = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };

export interface Pair {
  readonly old: string | Uint8Array;
  readonly new: string | Uint8Array;
}

/** The hunks of each pair, without file headers, as latin-1 text. */
export function gitHunks(pairs: readonly Pair[], options: readonly string[]): string[] {
  const dir = mkdtempSync(join(tmpdir(), "text-git-"));
  try {
    mkdirSync(join(dir, "a"));
    mkdirSync(join(dir, "b"));
    pairs.forEach((pair, i) => {
      writeFileSync(join(dir, "a", `f${i}`), pair.old);
      writeFileSync(join(dir, "b", `f${i}`), pair.new);
    });
    const argv = ["diff", "--no-index", "--no-renames", "--text", ...options, "a", "b"];
    const { stdout, stderr } = spawnSync("git", argv, { cwd: dir, env: ENV, encoding: "latin1", maxBuffer: 2 ** 30 });
    if (stderr.length > 0) throw new Error(stderr);
    const hunks = pairs.map(() => "");
    for (const part of stdout.split(/^diff --git /m).slice(1)) {
      const name = /^a\/a\/f(\d+) /.exec(part);
      const at = part.search(/^@@ /m);
      hunks[Number(name?.[1])] = at < 0 ? "" : part.slice(at);
    }
    return hunks;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

export interface MergeFileCase {
  readonly base: string | Uint8Array;
  readonly ours: string | Uint8Array;
  readonly theirs: string | Uint8Array;
  readonly options: readonly string[];
}

/** `git merge-file -p` of each: what it prints, as latin-1 text, and its exit code. */
export function gitMergeFiles(cases: readonly MergeFileCase[]): { text: string; code: number | null }[] {
  const dir = mkdtempSync(join(tmpdir(), "text-git-"));
  try {
    return cases.map(({ base, ours, theirs, options }) => {
      writeFileSync(join(dir, "base"), base);
      writeFileSync(join(dir, "ours"), ours);
      writeFileSync(join(dir, "theirs"), theirs);
      const argv = ["merge-file", "-p", "-q", ...options, "ours", "base", "theirs"];
      const { stdout, status } = spawnSync("git", argv, { cwd: dir, env: ENV, encoding: "latin1", maxBuffer: 2 ** 28 });
      return { text: stdout, code: status };
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
}
