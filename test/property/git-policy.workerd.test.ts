/**
 * A model's git played by the engine's own flag tables, beside planted secrets and a network that records: whatever the line, no secret
 * is in an answer or in a file of the view, nothing outside the writable part changes, no command runs and no host is reached.
 * GIT_POLICY_SEED and GIT_POLICY_LINES play other lines.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createToolset, type ToolsetOptions } from "@cloudflare/fs-tools";
import { Workspace } from "@cloudflare/workspace";
import { describe, expect, it } from "vitest";
import type { Flag } from "../../packages/git/src/cli/framework/flag-table.ts";
import { registry } from "../../packages/git/src/cli/registry.ts";
import { Random } from "../support/random.ts";
import type { Settings } from "../support/workerd/node-services.ts";

const commands = Object.values(registry);
const SECRET = "PLANTED7SECRET";
const W = "/workspace";

async function settings(): Promise<Settings["gitPolicy"]> {
  return ((await (await env.SETTINGS.fetch("http://settings")).json()) as Settings).gitPolicy;
}

const COMMAND = `cat ${W}/.env; echo x > ${W}/inner/pwned`;

/** A small generator: the same numbers for the same seed. */
function valuesFor(oid: string): readonly string[] {
  return [
    ...[
      `${W}/.env`,
      "../.env",
      "../outer.ini",
      `${W}/.git`,
      "..",
      ".",
      "b.txt",
      "out",
      "up/.env",
      "gitfile",
      "alt.git",
    ],
    ...["HEAD", "main", "HEAD:b.txt", "HEAD~0", "@{u}", oid, `${oid}^{}`, "refs/heads/main", "HEAD..main", ":/own"],
    ...[
      "%(raw)",
      "%(*raw)",
      "%B%n%N",
      "format:%b",
      "1",
      "0",
      "all",
      "name",
      "true",
      "x",
      "--",
      "-",
      "",
      "*",
      ":(glob)**",
      ":/",
    ],
    ...[
      "file:///workspace",
      `file://${W}/.git`,
      W,
      "http://127.0.0.1:9/x.git",
      "https://example.com/x.git",
      "ext::sh -c id",
      "ssh://h/x",
    ],
    ...[
      COMMAND,
      `!${COMMAND}`,
      `include.path=${W}/outer.ini`,
      `core.worktree=${W}`,
      `alias.z=!${COMMAND}`,
      "user.name",
    ],
  ];
}

const GLOBALS = (random: Random, values: readonly string[]): string[] => {
  const value = () => random.pick(values);
  return random.pick<() => string[]>([
    () => [],
    () => [],
    () => ["-C", value()],
    () => [`--git-dir=${value()}`],
    () => ["--work-tree", value()],
    () => ["-c", `include.path=${W}/outer.ini`],
    () => ["-c", `core.worktree=${W}`],
    () => ["-c", `core.editor=${COMMAND}`],
    () => ["-c", `diff.external=${COMMAND}`],
    () => ["-c", `filter.f.clean=${COMMAND}`],
    () => ["-c", `merge.f.driver=${COMMAND}`],
    () => ["-c", `core.hooksPath=${W}`],
    () => ["-c", `url.http://127.0.0.1:9/.insteadOf=${value()}`],
  ])();
};

/** One flag in one of the forms that git reads: whole, abbreviated, with `=`, bundled with its value, negated. */
function flagWords(random: Random, { long, short, value }: Flag, given: string): string[] {
  const forms: (() => string[])[] = [];
  const takesValue = value !== "none" && value !== "count";
  if (long !== undefined) {
    forms.push(() => (takesValue ? [`${long}=${given}`] : [long]));
    if (takesValue) forms.push(() => [long, given]);
    forms.push(() => [`${long.slice(0, Math.max(3, long.length - 2))}${takesValue ? `=${given}` : ""}`]);
    forms.push(() => [`--no-${long.slice(2)}`]);
  }
  if (short !== undefined)
    forms.push(
      () => (takesValue ? [`${short}${given}`] : [short]),
      () => [short, given],
    );
  return forms.length === 0 ? [] : random.pick(forms)();
}

function line(random: Random, values: readonly string[]): string[] {
  const command = random.pick(commands);
  const flags = Object.values(command.flags) as Flag[];
  const words: string[] = [];
  for (let i = random.below(4); i > 0 && flags.length > 0; i--)
    words.push(...flagWords(random, random.pick(flags), random.pick(values)));
  for (let i = random.below(4); i > 0; i--) words.push(random.pick(values));
  return [...GLOBALS(random, values), command.name, ...words].filter((word) => !word.includes("\0"));
}

async function plant(ws: Workspace): Promise<string> {
  const git = async (cwd: string, ...argv: string[]) => {
    const { exitCode, stdout } = await ws.git.cli({ argv, cwd });
    expect([argv, exitCode]).toEqual([argv, 0]);
    return new TextDecoder().decode(stdout).trim();
  };
  await ws.fs.writeMany([
    { path: `${W}/.env`, content: `API=${SECRET}\n` },
    { path: `${W}/outer.ini`, content: `[user]\n\tname = ${SECRET}\n[alias]\n\tq = !${COMMAND}\n` },
    { path: `${W}/inner/b.txt`, content: "two\n" },
    { path: `${W}/inner/.gitattributes`, content: "*.txt filter=f merge=f diff=f\n" },
    { path: `${W}/inner/gitfile/.git`, content: `gitdir: ${W}/.git\n` },
  ]);
  await ws.fs.writeMany([
    { path: `${W}/inner/out`, type: "symlink", target: "../.env" },
    { path: `${W}/inner/up`, type: "symlink", target: W },
  ]);
  await git(W, "init", "-q", "-b", "main");
  await git(W, "add", ".env", "outer.ini");
  await git(W, "commit", "-qm", `outer ${SECRET}`);
  await git(`${W}/inner`, "init", "-q", "-b", "main");
  await git(`${W}/inner`, "add", "b.txt");
  await git(`${W}/inner`, "commit", "-qm", "own");
  await ws.fs.writeMany([
    { path: `${W}/inner/.git/objects/info/alternates`, content: `${W}/.git/objects\n` },
    { path: `${W}/inner/.git/rebase-merge/git-rebase-todo`, content: `exec ${COMMAND}\n` },
    { path: `${W}/inner/.git/hooks/pre-commit`, content: `#!/bin/sh\n${COMMAND}\n`, mode: 0o755 },
  ]);
  return git(W, "rev-parse", "HEAD:.env");
}

const HOSTS: [string, Partial<ToolsetOptions>, RegExp][] = [
  ["a narrowed root", { root: `${W}/inner` }, /^\/workspace\/inner(\/|$)/],
  ["a narrowed root without exec", { root: `${W}/inner`, disabled: ["exec"] }, /^\/workspace\/inner(\/|$)/],
  ["writable globs", { root: `${W}/inner`, writable: ["src/"] }, /^\/workspace\/inner\/src(\/|$)/],
  ["proposals", { root: `${W}/inner`, mode: "propose" }, /^$/],
];

describe("a model's git", () => {
  for (const [what, options, writable] of HOSTS)
    it(`with ${what}: no line leaks, leaves the writable part, runs a command or reaches a host`, () =>
      runInDurableObject(env.BARE.getByName(`git policy ${what}`), async (_, { storage }) => {
        const requests: string[] = [];
        const reach = (async (input: RequestInfo | URL) => {
          requests.push(String(input instanceof Request ? input.url : input));
          return new Response("", { status: 404 });
        }) as typeof fetch;
        const ran: string[] = [];
        const run = async ({ command }: { command: string }) => {
          ran.push(command);
          return { exitCode: 0, stdout: new Uint8Array(0), stderr: new Uint8Array(0) };
        };
        const workspace = new Workspace({ storage, gitSettings: { fetch: reach, run } });
        const values = valuesFor(await plant(workspace));
        const toolset = await createToolset({ workspace, ...options });
        const { seed, lines } = await settings();
        const random = new Random(seed);
        let { cursor } = await workspace.fs.changes();
        for (;;) {
          const page = await workspace.fs.changes({ since: cursor });
          cursor = page.cursor;
          if (!page.more) break;
        }
        for (let i = 0; i < lines; i++) {
          const argv = line(random, values);
          const { content, structured } = await toolset.handle("git", { argv });
          // A line may say the words that it was given; the secret is in none of them.
          expect([argv, `${content}${JSON.stringify(structured)}`.includes(SECRET)]).toEqual([argv, false]);
          const page = await workspace.fs.changes({ since: cursor });
          cursor = page.cursor;
          const outside = page.changes.filter(
            ({ path, from }) => !writable.test(path) || (from !== undefined && !writable.test(from)),
          );
          expect([argv, outside.map(({ op, path }) => `${op} ${path}`)]).toEqual([argv, []]);
          expect([argv, requests, ran]).toEqual([argv, [], []]);
        }
        const { hits } = await workspace.fs.grep(SECRET, `${W}/inner`, { hidden: true, ignore: false, binary: true });
        expect(hits).toEqual([]);
        expect(await workspace.fs.exists(`${W}/inner/pwned`)).toBe(false);
      }));

  it("with deny globs: every line is refused", () =>
    runInDurableObject(env.BARE.getByName("git policy deny"), async (_, { storage }) => {
      const workspace = new Workspace({ storage });
      const values = valuesFor(await plant(workspace));
      const toolset = await createToolset({ workspace, deny: [".env"] });
      const before = workspace.volume.headRev;
      const random = new Random((await settings()).seed);
      for (let i = 0; i < 50; i++) {
        const argv = line(random, values);
        expect([argv, (await toolset.handle("git", { argv })).structured.error]).toMatchObject([
          argv,
          { code: "UNAVAILABLE" },
        ]);
      }
      expect(workspace.volume.headRev).toBe(before);
    }));
});
