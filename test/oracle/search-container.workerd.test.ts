/**
 * The two search engines beside each other: the same tree, the same question, the same answer, from the object and from ripgrep in a
 * container. The questions are those that the local engine is held to beside ripgrep itself; where it differs on purpose, so it does here.
 */
import { env } from "cloudflare:workers";
import { createFileSystem, type SearchableFileSystem } from "@workspace/vfs";
import { expect, it } from "vitest";
import { Random } from "../bench/worker/random.ts";
import { inObject } from "../worker/in-object.ts";
import { containerOn, Lab } from "../worker/lab.ts";
import type { SearchSettings } from "../worker/real-rg.ts";
import { difference, told } from "./search/difference.ts";
import { isDeliberate } from "./search/differences.ts";
import { growRound } from "./search/grow-question.ts";
import { hardCases } from "./search/hard-cases/index.ts";
import { askOurs, plantOurs } from "./search/our-answer.ts";
import type { Question } from "./search/question.ts";

const ROUNDS = 3;
const QUERIES = 15;

const asked = (fs: SearchableFileSystem, engine: "local" | "container"): SearchableFileSystem => ({
  ...fs,
  grep: (pattern, path, options) => fs.grep(pattern, path, { ...options, engine }),
});

interface Both {
  fs: SearchableFileSystem;
  cases: number;
  lines: number;
}

/** Each tree in a directory of its own: one container for all. */
async function compare(both: Both, { tree, queries }: Question): Promise<string[]> {
  const { fs } = both;
  const root = `/workspace/case${++both.cases}`;
  await plantOurs(fs, tree, root);
  const wrong: string[] = [];
  for (const query of queries) {
    // Names are no search; counts across lines are the local engine's alone, and the container refuses them.
    if (query.mode === "names" || (query.mode === "count" && query.multiline)) continue;
    const local = await askOurs(asked(fs, "local"), query, root);
    const there = await askOurs(asked(fs, "container"), query, root);
    if ("lines" in there) both.lines += there.lines.length;
    if (isDeliberate(local)) continue;
    const differs = difference(local, there);
    if (differs !== undefined) wrong.push(`${told(query)}: ${differs}`);
  }
  return wrong;
}

it("both engines answer alike in the hard cases and for generated questions", { timeout: 600_000 }, async () => {
  const settings = (await (await env.REAL_RG.fetch("http://real-rg")).json()) as SearchSettings;
  const seed = Number(settings.seed ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`engines: SEARCH_SEED=${seed}`);
  await using lab = await Lab.start();
  await inObject(async ({ volume }) => {
    const container = containerOn(volume, lab, { policy: [{ glob: "**", keep: "durable" }] });
    const both: Both = { fs: createFileSystem(volume), cases: 0, lines: 0 };
    const failures: string[] = [];
    for (const hardCase of hardCases)
      failures.push(...(await compare(both, hardCase)).map((wrong) => `${hardCase.name}: ${wrong}`));
    for (let round = 0; round < ROUNDS; round++) {
      const { tree, grown } = growRound(new Random(seed + round), QUERIES);
      const wrong = await compare(both, { tree, queries: grown.map(({ query }) => query) });
      failures.push(...wrong.map((why) => `SEARCH_SEED=${seed + round}: ${why}`));
    }
    container.link.close();
    expect(failures).toEqual([]);
    expect(both.lines).toBeGreaterThan(500);
  });
});

it("auto asks the container only when it is up and has this revision, and abort ends the search", () =>
  inObject(async ({ volume, fs: plain }) => {
    await using lab = await Lab.start();
    const fs = createFileSystem(volume);
    const container = containerOn(volume, lab);
    await plain.writeFile("/workspace/a.txt", "needle\n");
    const engine = async () => (await fs.grep("needle", "/workspace")).engine;
    expect(await engine()).toBe("local");
    await container.ready();
    expect(await engine()).toBe("container");
    await plain.writeFile("/workspace/b.txt", "needle\n");
    expect(await engine()).toBe("local");
    await container.sync();
    await lab.write("node_modules/c.txt", "needle\n");
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
