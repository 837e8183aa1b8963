/**
 * The index never changes an answer: many trees in one workspace, large enough that searching it makes an index, and each tree
 * alone in a workspace too small for one. The same queries have the same answers, also after the trees were renamed and after
 * their files were exchanged. That the answers are ripgrep's is for search.workerd.test.ts to say.
 */
import { env } from "cloudflare:workers";
import { createFileSystem, type SearchableFileSystem } from "@workspace/vfs";
import { expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import { inObject } from "../../support/workerd/in-object.ts";
import type { SearchSettings } from "../../support/workerd/real-rg.ts";
import { difference, toText } from "./difference.ts";
import { generateRound } from "./generate-question.ts";
import { ROOT, runOurs, writeTree } from "./our-answer.ts";
import type { Answer, Entry, Query, Question } from "./question.ts";

const TREES = 40;
const QUERIES = 12;
/** What makes the workspace worth an index. */
const FILLERS = 600;
const FILLER_BYTES = 8192;
const MAX_WAITS = 100;
const SHOWN = 5;

interface Planted {
  root: string;
  question: Question;
}

it("grep answers with an index as without, before and after renames and writes", { timeout: 1_800_000 }, async () => {
  const settings = (await (await env.REAL_RG.fetch("http://real-rg")).json()) as SearchSettings;
  const seed = settings.seed;
  console.log(`search with an index: ${TREES} trees of ${QUERIES} queries, three times, SEARCH_SEED=${seed}`);
  const wrong = await inObject(async ({ volume }) => {
    const fs = createFileSystem(volume);
    const planted = await plantAll(fs, seed);
    await settle(fs);
    const before = await compareAll(fs, planted, "indexed");
    for (const tree of planted) await rename(fs, tree);
    const moved = await compareAll(fs, planted, "renamed");
    for (const [at, tree] of planted.entries()) await exchange(fs, tree, planted[(at + 1) % planted.length]!);
    return [...before, ...moved, ...(await compareAll(fs, planted, "exchanged"))];
  });
  if (wrong.length > 0) {
    throw new Error(`SEARCH_SEED=${seed}, ${wrong.length} wrong answers\n${wrong.slice(0, SHOWN).join("\n")}`);
  }
});

async function plantAll(fs: SearchableFileSystem, seed: number): Promise<Planted[]> {
  const random = new Random(seed);
  const planted: Planted[] = [];
  for (let at = 0; at < TREES; at++) {
    const { tree, grown } = generateRound(random, QUERIES);
    const queries = grown.map(({ query }) => query);
    const root = `${ROOT}/tree-${at}`;
    await writeTree(fs, tree, root);
    planted.push({ root, question: { tree, queries } });
  }
  const line = () => `${random.next()} ${random.next()}\n`;
  const fillers = Array.from({ length: FILLERS }, (_, at) => ({
    path: `filler-${at}.txt`,
    text: line().repeat(FILLER_BYTES / 40),
  }));
  await writeTree(fs, fillers, `${ROOT}/fillers`);
  return planted;
}

/** Searches for a missing text until almost no file is read: then an index exists and is in use. */
async function settle(fs: SearchableFileSystem): Promise<void> {
  for (let left = MAX_WAITS; left > 0; left--) {
    const { stats } = await fs.grep("nowhere to be found", ROOT, { hidden: true, ignore: false });
    if (stats.filesSkippedByIndex >= FILLERS) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("no index was built");
}

async function compareAll(fs: SearchableFileSystem, planted: readonly Planted[], stage: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const { root, question } of planted) {
    const plain = await runWithoutIndex(question);
    for (const [at, query] of question.queries.entries()) {
      const found = difference(await runOurs(fs, query, root), plain[at]!);
      if (found !== undefined) wrong.push(`${stage}: ${toText(query)} in ${JSON.stringify(question.tree)}: ${found}`);
    }
  }
  return wrong;
}

function runWithoutIndex({ tree, queries }: Question): Promise<Answer[]> {
  return inObject(async ({ volume }) => {
    const fs = createFileSystem(volume);
    await writeTree(fs, tree);
    const answers: Answer[] = [];
    for (const query of queries) answers.push(await runOurs(fs, query));
    return answers;
  });
}

async function rename(fs: SearchableFileSystem, planted: Planted): Promise<void> {
  await fs.rename(planted.root, `${planted.root}-moved`);
  planted.root += "-moved";
}

/** Every other file gets the content of a file of the other tree; the queries are the other tree's too, to find it. */
async function exchange(fs: SearchableFileSystem, planted: Planted, other: Planted): Promise<void> {
  const contents = other.question.tree.filter((entry) => "text" in entry || "bytes" in entry);
  const tree = planted.question.tree.map((entry, at): Entry => {
    const content = contents[at % contents.length];
    const isRule = /(^|\/)(\.(git|rg)?ignore|exclude)$/.test(entry.path);
    if (at % 2 === 0 || isRule || content === undefined || !("text" in entry || "bytes" in entry)) return entry;
    return { ...content, path: entry.path };
  });
  const queries: Query[] = [...planted.question.queries, ...other.question.queries.filter(({ path }) => !path)];
  planted.question = { tree, queries };
  await writeTree(
    fs,
    tree.filter((entry) => "text" in entry || "bytes" in entry),
    planted.root,
  );
  expect(planted.question.queries.length).toBeGreaterThan(0);
}
