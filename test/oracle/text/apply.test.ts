/** `parsePatch` and `applyHunks` against `git apply`: patches between random texts, on texts that were edited since. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApplyHunksOptions, applyHunks, parsePatch } from "@workspace/text";
import { expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import { gitHunks } from "./git-hunks.ts";
import { edited, randomLines, toText } from "./random-text.ts";

const ROUNDS = Number(process.env.TEXT_ORACLE_PAIRS ?? 120);
const SEED = Number(process.env.TEXT_ORACLE_SEED ?? 20240117);

const VARIANTS: [string[], string[], ApplyHunksOptions][] = [
  [[], [], {}],
  [[], ["-R"], { reverse: true }],
  [[], ["-C1"], { context: 1 }],
  [[], ["-C0"], { context: 0 }],
  [["-U1"], [], {}],
  [["-U0"], ["--unidiff-zero"], { unidiffZero: true }],
  [["-U0"], [], {}],
  [[], ["--allow-overlap"], { allowOverlap: true }],
];

it(`applyHunks equals git apply (seed ${SEED})`, () => {
  const random = new Random(SEED);
  const dir = mkdtempSync(join(tmpdir(), "text-apply-"));
  const env = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const [diffFlags, flags, options] = random.pick(VARIANTS);
      const lines = randomLines(random, random.pick([6, 30, 120]));
      const pair = { old: toText(random, lines), new: toText(random, edited(random, lines, 1 + random.below(6))) };
      const hunks = gitHunks([pair], diffFlags)[0] as string;
      if (hunks === "") continue;
      const patch = Buffer.from(`--- a/f\n+++ b/f\n${hunks}`, "latin1");
      const start = options.reverse ? pair.new : pair.old;
      const moved = random.next() < 0.6 ? start : edited(random, start.split("\n"), 1 + random.below(2)).join("\n");
      if (moved === "") continue;
      writeFileSync(join(dir, "f"), moved);
      const argv = ["apply", "--whitespace=nowarn", ...flags];
      const { status } = spawnSync("git", argv, { cwd: dir, env, input: patch });
      const expected = status === 0 ? readFileSync(join(dir, "f"), "latin1") : null;
      const { content, hunks: applied } = applyHunks(Buffer.from(moved), parsePatch(patch)[0]?.hunks ?? [], options);
      const ours = applied.every(({ at }) => at !== null) ? Buffer.from(content).toString("latin1") : null;
      const reported = { round, flags, moved, patch: patch.toString("latin1") };
      expect({ ...reported, result: ours }).toEqual({ ...reported, result: expected });
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
});
