/** The executable: argv, exit code, stdin, both outputs, environment and directory, by the scenarios that lean on them most. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeFileSystem } from "@workspace/git/node";
import { afterAll, beforeAll, expect, it } from "vitest";
import { topics } from "./all-scenarios.ts";
import { compareRecordings } from "./compare.ts";
import { inspectRepository } from "./inspect-repository.ts";
import { playOurGit, type RunOurs } from "./our-git.ts";
import { makePlaces, playRealGit, runInShell } from "./real-git.ts";

const wsgit = join(import.meta.dirname, "../../../packages/git/bin/wsgit.mjs");
const CHOSEN = ["command-line", "small-commands"];
const scenarios = topics.filter(({ name }) => CHOSEN.includes(name)).flatMap((topic) => topic.scenarios);

const run: RunOurs = (_, { argv, cwd, env = {}, stdin }) =>
  runInShell({ argv: [process.execPath, wsgit, ...argv], cwd, env, stdin: stdin as string });

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wsgit-"));
  // The first start bundles.
  execFileSync(process.execPath, [wsgit, "version"]);
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(scenarios)("wsgit: $name", async (scenario) => {
  const positions = makePlaces("ours");
  try {
    const outputs = await playOurGit(scenario, { ...positions, fs: createNodeFileSystem() }, run);
    const reported = compareRecordings(scenario, await playRealGit(scenario), {
      outputs,
      state: await inspectRepository(scenario, positions),
    });
    if (reported !== null) expect.fail(reported);
  } finally {
    positions.remove();
  }
});

it("wsgit reads any amount of stdin, and ends as by SIGPIPE when its output is closed", () => {
  const large = `${"x".repeat(199)}\n`.repeat(50_000);
  const whole = spawnSync(process.execPath, [wsgit, "stripspace"], { input: large, maxBuffer: 1 << 26 });
  expect([whole.status, whole.stdout.length]).toEqual([0, large.length]);
  writeFileSync(join(folder, "large"), large);
  const cut = spawnSync("/bin/bash", [
    "-c",
    `'${process.execPath}' '${wsgit}' stripspace <'${folder}/large' | head -c 1; echo " $\{PIPESTATUS[0]}"`,
  ]);
  expect(cut.stdout.toString()).toBe("x 141\n");
});
