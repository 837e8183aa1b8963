/** The real git, for comparison: many diffs with one process, by giving it two directories. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
export function gitMergeFiles(cases: readonly MergeFileCase[]): { text: string; code: number }[] {
  const dir = mkdtempSync(join(tmpdir(), "text-git-"));
  try {
    // One shell starts every git: forking this process for each takes ten times as long.
    const script = cases.map(({ base, ours, theirs, options }, i) => {
      writeFileSync(join(dir, `base${i}`), base);
      writeFileSync(join(dir, `ours${i}`), ours);
      writeFileSync(join(dir, `theirs${i}`), theirs);
      return `git merge-file -p -q ${options.join(" ")} ours${i} base${i} theirs${i} >merged${i}; echo $?`;
    });
    const { stdout, stderr } = spawnSync("/bin/sh", {
      cwd: dir,
      env: ENV,
      encoding: "latin1",
      input: script.join("\n"),
    });
    if (stderr.length > 0) throw new Error(stderr);
    const codes = stdout.split("\n");
    return cases.map((_, i) => ({ text: readFileSync(join(dir, `merged${i}`), "latin1"), code: Number(codes[i]) }));
  } finally {
    rmSync(dir, { recursive: true });
  }
}
