/** `mergeText` against `git merge-file -p`: random texts edited twice, every style and favour. Zero differences, exit code included. */

import { type MergeTextOptions, mergeText } from "@workspace/text";
import { expect, it } from "vitest";
import { below, edited, pick, randomFrom, randomLines, toText } from "./random-text.ts";
import { gitMergeFiles } from "./real-git.ts";

const ROUNDS = Number(process.env.TEXT_ORACLE_PAIRS ?? 500);
const SEED = Number(process.env.TEXT_ORACLE_SEED ?? 20240117);

it(`mergeText equals git merge-file (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  const cases = Array.from({ length: ROUNDS }, () => {
    const crlf = random() < 0.15;
    const lines = randomLines(random, pick(random, [4, 12, 40, 150]));
    const text = (all: readonly string[]) => {
      const plain = toText(random, all);
      return crlf ? plain.replaceAll("\n", () => "\r\n") : plain;
    };
    const style = pick(random, ["merge", "diff3", "zdiff3"] as const);
    const favor = pick(random, [undefined, undefined, "ours", "theirs", "union"] as const);
    const markerSize = pick(random, [7, 7, 10]);
    const options: MergeTextOptions = {
      style,
      favor,
      markerSize,
      level: "alnum",
      labels: { ours: "A", base: "O", theirs: "B" },
    };
    const flags = ["-L", "A", "-L", "O", "-L", "B", `--marker-size=${markerSize}`];
    if (style !== "merge") flags.push(`--${style}`);
    if (favor) flags.push(`--${favor}`);
    const base = text(lines);
    const ours = text(edited(random, lines, below(random, 6)));
    const theirs = random() < 0.2 ? text(edited(random, ours.split("\n"), 1)) : text(edited(random, lines));
    return { base, ours, theirs, options: flags, ourOptions: options };
  });
  const expected = gitMergeFiles(cases);
  cases.forEach(({ base, ours, theirs, ourOptions, ...rest }, i) => {
    const { content, conflicts } = mergeText(base, ours, theirs, ourOptions);
    const result = { text: Buffer.from(content).toString("latin1"), code: Math.min(conflicts, 127) };
    const wrong = result.text !== expected[i]?.text || result.code !== expected[i]?.code;
    if (wrong)
      expect({ base, ours, theirs, ...rest, ...result }).toEqual({ base, ours, theirs, ...rest, ...expected[i] });
  });
});
