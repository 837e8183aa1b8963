/**
 * grep beside the real ripgrep: the same tree in a workspace and on a disk, the same query, the same answer. A table of known
 * hard cases, and generated ones, others in every run. SEARCH_SEED repeats a run, SEARCH_ROUNDS makes it shorter or longer,
 * SEARCH_FAILURES goes on after a failure until there are so many; a failure says how to repeat its tree alone:
 * `SEARCH_SEED=7 SEARCH_ROUNDS=1 SEARCH_FAILURES=20 npx vitest run test/oracle/search.workerd`.
 */
import { env } from "cloudflare:workers";
import { createFileSystem } from "@workspace/vfs";
import { describe, expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import { inObject } from "../../support/workerd/in-object.ts";
import type { SearchSettings } from "../../support/workerd/real-rg.ts";
import { difference, toText } from "./difference.ts";
import { differences, isDeliberate } from "./differences.ts";
import { generateRound } from "./generate-question.ts";
import { hardCases } from "./hard-cases/index.ts";
import { runOurs, writeTree } from "./our-answer.ts";
import type { Answer, Entry, Query, Question } from "./question.ts";
import { type Failing, shorten } from "./shorten.ts";

const ROUNDS = 60;
const QUERIES = 15;
/** One wrong rule makes every query of a tree fail. */
const MAX_OF_TREE = 2;
const SHOWN_TREE = 4000;
/** Counts ripgrep's matches: a run must not compare only empty results. */
const MIN_LINES = 4000;

async function runReal(question: Question): Promise<Answer[]> {
  const response = await env.REAL_RG.fetch("http://real-rg", { method: "POST", body: JSON.stringify(question) });
  if (!response.ok) throw new Error(`REAL_RG: ${await response.text()}`);
  return (await response.json()) as Answer[];
}

function runAllOurs({ tree, queries }: Question): Promise<Answer[]> {
  return inObject(async ({ volume }) => {
    const fs = createFileSystem(volume);
    await writeTree(fs, tree);
    const answers: Answer[] = [];
    for (const query of queries) answers.push(await runOurs(fs, query));
    return answers;
  });
}

interface Compared {
  real: Answer;
  /** In words; undefined when the answers are the same, or differ on purpose. */
  wrong: string | undefined;
}

async function runBoth(question: Question): Promise<Compared[]> {
  const [real, ours] = await Promise.all([runReal(question), runAllOurs(question)]);
  return question.queries.map((_, at) => {
    const [mine, theirs] = [ours[at]!, real[at]!];
    return { real: theirs, wrong: isDeliberate(mine) ? undefined : difference(mine, theirs) };
  });
}

async function wrongIn({ tree, queries }: Question): Promise<string> {
  const answers = await runBoth({ tree, queries });
  const wrong = answers.flatMap((answer, at) =>
    answer.wrong === undefined ? [] : [`${toText(queries[at]!)}: ${answer.wrong}`],
  );
  return wrong.join("\n");
}

describe("grep answers as ripgrep in a hard case", () => {
  it.each(hardCases)("$name", async (hardCase) => {
    expect(await wrongIn(hardCase)).toBe("");
  });
});

it("grep answers as ripgrep for generated patterns, flags and trees", { timeout: 1_800_000 }, async () => {
  const settings = (await (await env.REAL_RG.fetch("http://real-rg")).json()) as SearchSettings;
  const seed = settings.seed;
  const rounds = Number(settings.rounds ?? ROUNDS);
  const max = Number(settings.failures ?? 5);
  console.log(`search: ${rounds} trees of ${QUERIES} queries, SEARCH_SEED=${seed}`);
  const failures: string[] = [];
  const seen = { compared: 0, refused: 0, panicked: 0, lines: 0 };
  for (let round = 0; round < rounds && failures.length < max; round++) {
    const { tree, grown } = generateRound(new Random(seed + round), QUERIES);
    const answers = await runBoth({ tree, queries: grown.map(({ query }) => query) });
    let failed = 0;
    for (const [at, { real, wrong }] of answers.entries()) {
      seen.compared++;
      if ("refused" in real) seen.refused++;
      if ("panicked" in real) seen.panicked++;
      if ("lines" in real) seen.lines += real.lines.length;
      if (wrong === undefined || failures.length >= max || failed++ >= MAX_OF_TREE) continue;
      const short = await shorten({ tree, grown: grown[at]!, why: wrong }, judge);
      failures.push(`SEARCH_SEED=${seed + round} SEARCH_ROUNDS=1, query ${at + 1}: ${report(short)}`);
    }
  }
  console.log(`search: ${JSON.stringify(seen)}`);
  if (failures.length > 0) throw new Error(failures.join("\n\n"));
  if (settings.rounds === undefined) {
    expect(seen.compared).toBeGreaterThanOrEqual(500);
    expect(seen.lines).toBeGreaterThan(MIN_LINES);
  }
});

it.each(differences)("grep differs from ripgrep on purpose: $name", async ({ examples }) => {
  for (const { tree, query, ours } of examples) {
    const [answer] = await runAllOurs({ tree, queries: [query] });
    expect("lines" in answer! ? answer.lines : "refused" in answer! ? "refused" : answer).toEqual(ours);
  }
});

async function judge(tree: readonly Entry[], query: Query): Promise<string | undefined> {
  if (hasBorderlessRepository(tree)) return undefined;
  return (await runBoth({ tree, queries: [query] }))[0]!.wrong;
}

/** See differences.ts; shortening could make such trees. */
function hasBorderlessRepository(tree: readonly Entry[]): boolean {
  const has = (pattern: RegExp) => tree.some(({ path }) => pattern.test(path));
  return has(/(^|\/)\.git(\/|$)/) && !has(/^\.git(\/|$)/);
}

function report({ tree, grown, why }: Failing): string {
  return `${toText(grown.query)}: ${why}\n  tree: ${JSON.stringify(tree).slice(0, SHOWN_TREE)}`;
}
