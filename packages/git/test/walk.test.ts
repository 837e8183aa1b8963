/** Walks over random histories with clock skew, compared with real git: the same commits in the same order. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createNodeFileSystem } from "../node/node-file-system.ts";
import { runCli } from "../src/cli/run-cli.ts";

const COMMITS = 24;
const fs = createNodeFileSystem();

/** Each commit has parents among those before it, changes one of three files, and a time that need not grow. */
const history = fc.array(
  fc.record({
    parents: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 0, maxLength: 3 }),
    file: fc.constantFrom("a", "d/b", "d/c"),
    content: fc.integer({ min: 0, max: 2 }),
    late: fc.integer({ min: -300, max: 300 }),
  }),
  { minLength: COMMITS, maxLength: COMMITS },
);

const questions = [
  "HEAD",
  "--topo-order HEAD",
  "--date-order HEAD",
  "--reverse -n 5 HEAD",
  "--parents HEAD",
  "--first-parent HEAD",
  "--no-merges --skip=2 HEAD",
  "c10..c24",
  "c20...c24",
  "--left-right --boundary c20...c24",
  "--topo-order --boundary c18..c24 ^c20",
  "--ancestry-path c8..c24",
  "--all --not c20",
  "--children --topo-order c5..c24",
  "HEAD -- a",
  "HEAD -- d",
  "--parents HEAD -- d/b",
  "--full-history HEAD -- d",
  "--full-history --parents HEAD -- a",
  "--simplify-merges --parents HEAD -- a d/b",
  "--topo-order --parents c5..c24 -- a",
  "--since=1500001000 HEAD",
  "--objects c12..c24",
];

describe("walk", () => {
  it("lists what git rev-list lists, and merge-base finds what git finds", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (commits) => {
        const root = realpathSync(mkdtempSync(join(tmpdir(), "walk-")));
        const env = { PATH: process.env.PATH as string, HOME: root, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C", TZ: "UTC" };
        const git = (argv: string[], input = "") =>
          spawnSync("git", argv, { cwd: root, env, input, encoding: "utf8" }) as { status: number; stdout: string };
        const ours = async (argv: string[]) => {
          const { exitCode, stdout } = await runCli({ fs, now: () => 1_600_000_000_000 }, { argv, cwd: root, env });
          return { status: exitCode, stdout: new TextDecoder().decode(stdout) };
        };
        try {
          git(["init", "-q", "-b", "main"]);
          git(["fast-import", "--quiet"], stream(commits));
          const requested = questions.map((question) => ["rev-list", ...question.split(" ")]);
          requested.push(["merge-base", "--all", "c23", "c24"], ["merge-base", "--octopus", "c20", "c22", "c24"]);
          requested.push(["merge-base", "--independent", "c19", "c21", "c22", "c24"]);
          for (const argv of requested) {
            const { status, stdout } = git(argv);
            expect({ argv: argv.join(" "), ...(await ours(argv)) }).toEqual({ argv: argv.join(" "), status, stdout });
          }
        } finally {
          rmSync(root, { recursive: true, force: true });
        }
      }),
      { numRuns: 6, endOnFailure: true },
    );
  });
});

type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

function stream(commits: History): string {
  let text = "";
  for (const [i, { parents, file, content, late }] of commits.entries()) {
    const number = i + 1;
    const message = `commit ${number}`;
    const above = parents.map((back) => number - back).filter((parent) => parent > 0);
    text += `commit refs/heads/main\nmark :${number}\ncommitter C <c@c> ${1_500_000_000 + 60 * number + late} +0000\n`;
    text += `data ${message.length}\n${message}\n`;
    const [first, ...others] = above.length > 0 ? above : i > 0 ? [number - 1] : [];
    if (first !== undefined) text += `from :${first}\n`;
    for (const other of others) text += `merge :${other}\n`;
    text += `M 100644 inline ${file}\ndata 2\n${content}\n\nreset refs/tags/c${number}\nfrom :${number}\n\n`;
  }
  return text;
}
