/** `mergeText` against `git merge-file -p`: random texts edited twice, every style and favor. Zero differences, exit code included. */

import { type MergeTextOptions, mergeText } from "@workspace/text";
import { expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import { gitMergeFiles } from "./git-hunks.ts";
import { edited, randomLines, toText } from "./random-text.ts";

const ROUNDS = Number(process.env.TEXT_ORACLE_PAIRS ?? 500);
const SEED = Number(process.env.TEXT_ORACLE_SEED ?? 20240117);

it(`mergeText equals git merge-file (seed ${SEED})`, () => {
  const random = new Random(SEED);
  const cases = Array.from({ length: ROUNDS }, () => {
    const crlf = random.next() < 0.15;
    const lines = randomLines(random, random.pick([4, 12, 40, 150]));
    const text = (all: readonly string[]) => {
      const plain = toText(random, all);
      return crlf ? plain.replaceAll("\n", () => "\r\n") : plain;
    };
    const style = random.pick(["merge", "diff3", "zdiff3"] as const);
    const favor = random.pick([undefined, undefined, "ours", "theirs", "union"] as const);
    const markerSize = random.pick([7, 7, 10]);
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
    const ours = text(edited(random, lines, random.below(6)));
    const theirs = random.next() < 0.2 ? text(edited(random, ours.split("\n"), 1)) : text(edited(random, lines));
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
