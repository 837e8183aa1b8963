/**
 * The search oracle itself, without our engine: ripgrep agrees with ripgrep, its modes agree with each other, and an engine
 * with any one thing wrong, played by ripgrep with another flag, is noticed. So the suite can fail, and only where it should.
 */
import { describe, expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import { type Distort, runRealRg } from "../../support/workerd/real-rg.ts";
import { difference, toText } from "./difference.ts";
import { differences } from "./differences.ts";
import { generateRound } from "./generate-question.ts";
import { hardCases } from "./hard-cases/index.ts";
import type { Answer, Query, Question } from "./question.ts";

const ROUNDS = 12;
const QUERIES = 15;

const generated: Question[] = Array.from({ length: ROUNDS }, (_, round) => {
  const { tree, grown } = generateRound(new Random(1000 + round), QUERIES);
  return { tree, queries: grown.map(({ query }) => query) };
});

const without =
  (...flags: string[]): Distort =>
  (argv) =>
    argv.filter((argument) => !flags.some((flag) => argument === flag || argument.startsWith(`${flag}=`)));
/** Before the pattern, so that what the query says still wins where flags contradict. */
const adding =
  (...flags: string[]): Distort =>
  (argv) => [...flags, ...argv];
const changing =
  (from: RegExp, to: (match: string) => string): Distort =>
  (argv) =>
    argv.map((argument) => (argument.startsWith("--regexp") ? argument : argument.replace(from, to)));

/** With the cases that should notice, to look there first. */
const wrongEngines: [name: string, distort: Distort, where: string][] = [
  ["takes a literal for a pattern", without("--fixed-strings"), "a literal"],
  ["minds case", without("--ignore-case"), "case folding"],
  ["never minds case", adding("--ignore-case"), "anchors"],
  ["knows no smart case", without("--smart-case"), "smart case"],
  ["finds parts of words", without("--word-regexp"), "words"],
  ["finds parts of lines", without("--line-regexp"), "whole lines"],
  ["does not invert", without("--invert-match"), "inverted"],
  ["does not cross lines", without("--multiline"), "multiline search"],
  ["crosses lines", adding("--multiline"), "newlines"],
  ["lets the dot cross lines", adding("--multiline-dotall"), "multiline search"],
  ["takes CRLF for the end of a line", adding("--crlf"), "CRLF"],
  ["knows ASCII only", adding("--no-unicode"), "Unicode"],
  ["reads UTF-16 and marks as bytes", adding("--encoding=none"), "UTF-16"],
  ["searches binary files", adding("--text"), "NUL"],
  ["searches binary files to the end", adding("--binary"), "NUL"],
  ["searches hidden files", adding("--hidden"), "ignores: hidden"],
  ["never searches hidden files", without("--hidden"), "ignores: hidden"],
  ["has no ignore rules", adding("--no-ignore"), "ignores: a plain rule"],
  ["always has ignore rules", without("--no-ignore"), "ignores: a plain rule"],
  ["has no .ignore", adding("--no-ignore-dot"), "ignores: .ignore"],
  ["has no .gitignore", adding("--no-ignore-vcs"), "ignores: .ignore"],
  ["has no .git/info/exclude", adding("--no-ignore-exclude"), "ignores: .git/info"],
  ["has no rules from above", adding("--no-ignore-parent"), "globs below"],
  ["has .gitignore only in repositories", without("--no-require-git"), "ignores: a plain rule"],
  ["follows links", adding("--follow"), "links"],
  ["has no globs", without("--glob"), "globs"],
  ["never minds case in globs", adding("--glob-case-insensitive"), "globs"],
  ["has no types", without("--type"), "types"],
  ["gives all hits of a file", without("--max-count"), "hits per file"],
  ["gives one line of context less", changing(/(?<=-context=)\d+/, (n) => String(Number(n) - 1)), "context"],
  ["gives one line of context more", changing(/(?<=-context=)\d+/, (n) => String(Number(n) + 1)), "context"],
  ["counts matches for lines", changing(/^--count$/, () => "--count-matches"), "modes"],
  ["goes backwards", changing(/^--sort=path$/, () => "--sortr=path"), "order by path"],
  ["goes by time", changing(/^--sort=path$/, () => "--sortr=modified"), "order by path"],
  ["looks one directory deep", adding("--max-depth=1"), "globs"],
  ["stops on the first line that does not match", adding("--stop-on-nonmatch"), "modes"],
  ["backtracks", adding("--pcre2"), "look-around"],
];

async function firstDifference(questions: Iterable<Question>, distort: Distort): Promise<string | undefined> {
  for (const { tree, queries } of questions) {
    const [wrong, right] = [await runRealRg({ tree, queries }, distort), await runRealRg({ tree, queries })];
    for (const [at, query] of queries.entries()) {
      const found = difference(wrong[at]!, right[at]!);
      if (found !== undefined) return `${toText(query)}: ${found}`;
    }
  }
  return undefined;
}

describe("the search oracle", { timeout: 1_800_000 }, () => {
  it("finds ripgrep equal to ripgrep, whatever its buffers and threads", async () => {
    // A binary file that is named is searched otherwise when it is mapped.
    const walked = generated.map(({ tree, queries }) => ({ tree, queries: queries.filter((query) => !query.path) }));
    expect(await firstDifference(walked, adding("--no-mmap", "--threads=1"))).toBeUndefined();
    expect(await firstDifference(hardCases, adding("--threads=3", "--line-buffered"))).toBeUndefined();
  });

  it("reads the modes of ripgrep alike", async () => {
    let compared = 0;
    for (const { tree, queries } of generated) {
      const plain = queries
        .filter(({ multiline, mode }) => !multiline && mode === undefined)
        .map(({ context, before, after, maxHits, ...query }): Query => query);
      const inMode = (mode: Query["mode"]) => runRealRg({ tree, queries: plain.map((query) => ({ ...query, mode })) });
      const [lines, files, counts] = [await inMode("lines"), await inMode("files"), await inMode("count")];
      for (const [at, answer] of lines.entries()) {
        if (!("lines" in answer) || answer.lines.some((line) => line.includes(":binary @"))) continue;
        const byPath = Map.groupBy(answer.lines, (line) => /^(.*?):\d+:M @/s.exec(line)?.[1] ?? line);
        expect(linesOf(files[at]!)).toEqual([...byPath.keys()]);
        expect(linesOf(counts[at]!)).toEqual([...byPath].map(([path, hits]) => `${path}:${hits.length}`));
        compared += answer.lines.length;
      }
    }
    expect(compared).toBeGreaterThan(500);
  });

  it.each(wrongEngines)("notices an engine that %s", async (_, distort, where) => {
    const first = hardCases.filter(({ name }) => name.includes(where));
    expect(await firstDifference([...first, ...generated], distort)).toBeDefined();
  });

  it("differences has at most ten entries, and describes ripgrep correctly", async () => {
    expect(differences.length).toBeLessThanOrEqual(10);
    for (const { name, examples } of differences) {
      for (const { tree, query, flags = [], rg } of examples) {
        const [answer] = await runRealRg({ tree, queries: [query] }, (argv) => [
          ...argv.slice(0, -2),
          ...flags,
          ...argv.slice(-2),
        ]);
        expect([name, "refused" in answer! ? "refused" : linesOf(answer!)]).toEqual([name, rg]);
      }
    }
  });
});

function linesOf(answer: Answer): string[] {
  return "lines" in answer ? answer.lines : [JSON.stringify(answer)];
}
