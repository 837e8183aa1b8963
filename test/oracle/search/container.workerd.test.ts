/**
 * The two search engines beside each other: the same tree, the same question, the same answer, from the object and from ripgrep in a
 * container. The questions are those that the local engine is held to beside ripgrep itself; where it differs on purpose, so it does here.
 */
import { env } from "cloudflare:workers";
import { createFileSystem, type SearchableFileSystem } from "@workspace/vfs";
import { expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import { containerOn, DaemonFixture } from "../../support/workerd/daemon-fixture.ts";
import { inObject } from "../../support/workerd/in-object.ts";
import type { SearchSettings } from "../../support/workerd/real-rg.ts";
import { difference, toText } from "./difference.ts";
import { isDeliberate } from "./differences.ts";
import { generateRound } from "./generate-question.ts";
import { hardCases } from "./hard-cases/index.ts";
import { runOurs, writeTree } from "./our-answer.ts";
import type { Query, Question } from "./question.ts";

const ROUNDS = 3;
const QUERIES = 15;
const AT_ONCE = 6;

const asked = (fs: SearchableFileSystem, engine: "local" | "container"): SearchableFileSystem => ({
  ...fs,
  grep: (pattern, path, options) => fs.grep(pattern, path, { ...options, engine }),
});

interface Case extends Question {
  /** Its name, for the failure's message. */
  label: string;
  root: string;
}

/** Each tree in a directory of its own, so that one push brings them all to one container. */
function casesOf(seed: number): Case[] {
  const questions: [string, Question][] = hardCases.map((hardCase) => [hardCase.name, hardCase]);
  for (let round = 0; round < ROUNDS; round++) {
    const { tree, grown } = generateRound(new Random(seed + round), QUERIES);
    questions.push([`SEARCH_SEED=${seed + round}`, { tree, queries: grown.map(({ query }) => query) }]);
  }
  return questions.map(([label, { tree, queries }], i) => ({ label, tree, queries, root: `/workspace/case${i}` }));
}

/** What differs, and how many lines the container found. */
async function compare(
  fs: SearchableFileSystem,
  query: Query,
  root: string,
): Promise<{ differs: string | undefined; lines: number }> {
  const local = await runOurs(asked(fs, "local"), query, root);
  const there = await runOurs(asked(fs, "container"), query, root);
  const lines = "lines" in there ? there.lines.length : 0;
  // ripgrep's own error.
  const isCrash = "crashed" in there && /ENOSYS: ripgrep crashed/.test(there.crashed);
  return { differs: isDeliberate(local) || isCrash ? undefined : difference(local, there), lines };
}

/** Names are no search; counts across lines are the local engine's alone, and the container refuses them. */
function isForBoth({ mode, multiline }: Query): boolean {
  return mode !== "names" && !(mode === "count" && multiline);
}

it("grep gives equal answers with both engines in hard cases and for generated queries", {
  timeout: 1_800_000,
}, async () => {
  const settings = (await (await env.REAL_RG.fetch("http://real-rg")).json()) as SearchSettings;
  const seed = settings.seed;
  console.log(`engines: SEARCH_SEED=${seed}`);
  await using daemon = await DaemonFixture.start();
  await inObject(async ({ volume }) => {
    const container = containerOn(volume, daemon, { policy: [{ glob: "**", keep: "durable" }] });
    const fs = createFileSystem(volume);
    const cases = casesOf(seed);
    for (const { tree, root } of cases) await writeTree(fs, tree, root);
    await container.ready();
    const questions = cases.flatMap(({ label, queries, root }) =>
      queries.filter(isForBoth).map((query) => ({ label, query, root })),
    );
    const failures: string[] = [];
    let lines = 0;
    // Several at a time: most of a question is waiting for a process.
    const work = questions.values();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const { label, query, root } of work) {
          const answer = await compare(fs, query, root);
          lines += answer.lines;
          if (answer.differs !== undefined) failures.push(`${label}: ${toText(query)}: ${answer.differs}`);
        }
      }),
    );
    container.link.close();
    console.log(`engines: ${questions.length} questions, ${lines} lines`);
    expect(failures).toEqual([]);
    expect(lines).toBeGreaterThan(500);
  });
});

it("grep with engine auto uses the container only when it runs and has this revision; abort ends the search", () =>
  inObject(async ({ volume, fs: plain }) => {
    await using daemon = await DaemonFixture.start();
    const fs = createFileSystem(volume);
    const container = containerOn(volume, daemon);
    await plain.writeFile("/workspace/a.txt", "needle\n");
    const engine = async () => (await fs.grep("needle", "/workspace")).engine;
    expect(await engine()).toBe("local");
    await container.ready();
    expect(await engine()).toBe("container");
    await plain.writeFile("/workspace/b.txt", "needle\n");
    expect(await engine()).toBe("local");
    await container.sync();
    await daemon.write("node_modules/c.txt", "needle\n");
    const answer = await fs.grep("needle", "/workspace", { engine: "container" });
    expect(answer.hits.map(({ path }) => path)).toEqual(["/workspace/a.txt", "/workspace/b.txt"]);
    const abort = new AbortController();
    abort.abort();
    await expect(fs.grep("needle", "/workspace", { engine: "container", signal: abort.signal })).rejects.toMatchObject({
      code: "ABORT_ERR",
    });
    container.link.close();
    expect(await engine()).toBe("local");
  }));
