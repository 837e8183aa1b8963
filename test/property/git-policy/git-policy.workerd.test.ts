/**
 * A hostile model's git beside planted secrets and a real git server that records: whatever the steps, no secret is in an answer, in a
 * file or object of the view, or in the server; nothing outside the writable part changes, no command runs, and only allowed hosts are
 * reached. GIT_POLICY_SEED and GIT_POLICY_LINES play other steps; a failure names its seed and its last steps.
 */

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createToolset, type ToolsetOptions } from "@cloudflare/fs-tools";
import { Workspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import { describe, expect, it } from "vitest";
import { Random } from "../../support/random.ts";
import type { Settings } from "../../support/workerd/node-services.ts";
import { type Step, StepGenerator } from "./generate-step.ts";
import { holdsObject, INNER, plantRepository, restoreRepository, SECRET } from "./plant-repository.ts";

/** Steps after which the repository is restored: many of them break it. */
const ROUND = 10;

interface Host {
  name: string;
  options: Partial<ToolsetOptions>;
  /** What git may change. */
  writable: RegExp;
  /** Whether the recording server may be reached. */
  network?: boolean;
}

const HOSTS: Host[] = [
  { name: "a narrowed root", options: { root: INNER }, writable: /^\/workspace\/inner(\/|$)/ },
  {
    name: "a narrowed root without exec",
    options: { root: INNER, disabled: ["exec"] },
    writable: /^\/workspace\/inner(\/|$)/,
  },
  { name: "writable globs", options: { root: INNER, writable: ["src/"] }, writable: /^\/workspace\/inner\/src(\/|$)/ },
  { name: "proposals", options: { root: INNER, mode: "propose" }, writable: /^$/ },
  { name: "an allowed host", options: { root: INNER }, writable: /^\/workspace\/inner(\/|$)/, network: true },
];

const settings = async () => ((await (await env.SETTINGS.fetch("http://settings")).json()) as Settings).gitPolicy;
const server = (path: string) => env.RECORDING_GIT_SERVER.fetch(`http://server${path}`);
const serverRequests = async () => (await (await server("/requests")).json()) as string[];

/** A workspace whose network and commands are recorded. Requests to loopback arrive at the server. */
async function recordingWorkspace(storage: DurableObjectStorage, allow: readonly string[]) {
  const requests: string[] = [];
  const ran: string[] = [];
  const reach = (async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = String(input instanceof Request ? input.url : input);
    requests.push(url);
    return url.startsWith("http://127.0.0.1") ? fetch(input, init) : new Response("", { status: 404 });
  }) as typeof fetch;
  const run = async ({ command }: { command: string }) => {
    ran.push(command);
    return { exitCode: 0, stdout: new Uint8Array(0), stderr: new Uint8Array(0) };
  };
  const gitSettings = { fetch: reach, run };
  const workspace = new Workspace({ storage, gitSettings, shellSettings: { network: { allow: [...allow] } } });
  return { workspace, requests, ran };
}

async function plantStep(workspace: Workspace, step: Exclude<Step, { kind: "git" }>): Promise<void> {
  try {
    await workspace.fs.rm(step.path, { recursive: true, force: true });
    await workspace.fs.mkdir(step.path.slice(0, step.path.lastIndexOf("/")), { recursive: true });
    if (step.kind === "file") await workspace.fs.writeFile(step.path, step.content);
    else await workspace.fs.symlink(step.target, step.path);
  } catch {
    // An earlier step put something else in its way.
  }
}

async function endOfLog(workspace: Workspace, since?: string) {
  const changes: { op: string; path: string; from?: string }[] = [];
  let cursor = since ?? (await workspace.fs.changes()).cursor;
  for (;;) {
    const page = await workspace.fs.changes({ since: cursor });
    cursor = page.cursor;
    changes.push(...page.changes);
    if (!page.more) return { cursor, changes };
  }
}

describe("a model's git", () => {
  it.each(HOSTS)(
    "with $name: no step leaks, leaves the writable part, runs a command or reaches a host",
    ({ name, options, writable, network }) =>
      runInDurableObject(env.BARE.getByName(`git policy ${name}`), async (_, { storage }) => {
        const origin = await (await server("/")).text();
        const { workspace, requests, ran } = await recordingWorkspace(storage, network ? ["127.0.0.1"] : []);
        const planted = await plantRepository(workspace);
        const toolset = await createToolset({ workspace, ...options });
        const { seed, lines } = await settings();
        const random = new Random(seed);
        const generator = new StepGenerator(random, planted, origin);
        await serverRequests();
        let recent: Step[] = [];
        let succeeded = 0;
        let { cursor } = await endOfLog(workspace);
        const checkRound = async () => {
          expect([seed, recent, await holdsObject(workspace, planted.blob)]).toEqual([seed, recent, false]);
          const { hits } = await workspace.fs.grep(SECRET, INNER, { hidden: true, ignore: false, binary: true });
          expect([seed, recent, hits]).toEqual([seed, recent, []]);
          expect(await workspace.fs.exists(`${INNER}/pwned`)).toBe(false);
          const contents = await (await server("/contents")).text();
          expect([seed, recent, contents.includes(SECRET)]).toEqual([seed, recent, false]);
          await restoreRepository(workspace);
          recent = [];
        };
        for (let i = 0; i < lines; i++) {
          if (i % ROUND === ROUND - 1) {
            await checkRound();
            ({ cursor } = await endOfLog(workspace, cursor));
          }
          const step = generator.next();
          recent.push(step);
          if (step.kind !== "git") {
            await plantStep(workspace, step);
            ({ cursor } = await endOfLog(workspace, cursor));
            continue;
          }
          const { content, structured } = await toolset.handle("git", { argv: step.argv });
          if (structured.exitCode === 0) succeeded++;
          // A line may say the words that it was given; the secret is in none of them.
          const answer = `${content}${JSON.stringify(structured)}`;
          expect([seed, recent, answer.includes(SECRET)]).toEqual([seed, recent, false]);
          const end = await endOfLog(workspace, cursor);
          cursor = end.cursor;
          const outside = end.changes.filter(
            ({ path, from }) => !writable.test(path) || (from !== undefined && !writable.test(from)),
          );
          expect([seed, recent, outside.map(({ op, path }) => `${op} ${path}`)]).toEqual([seed, recent, []]);
          const foreign = requests.filter((url) => !network || new URL(url).hostname !== "127.0.0.1");
          expect([seed, recent, foreign, ran]).toEqual([seed, recent, [], []]);
        }
        await checkRound();
        // Lines that all fail would show nothing.
        expect(succeeded).toBeGreaterThan(lines / 20);
        // A short run may have no step that reaches the server: this one does where the host allows it.
        await toolset.handle("git", { argv: ["ls-remote", `${origin}/x.git`] });
        const reached = await serverRequests();
        if (network) expect(reached.length).toBeGreaterThan(0);
        else expect([seed, reached]).toEqual([seed, []]);
      }),
  );

  it("with deny globs: every line is refused", () =>
    runInDurableObject(env.BARE.getByName("git policy deny"), async (_, { storage }) => {
      const { workspace, requests } = await recordingWorkspace(storage, []);
      const planted = await plantRepository(workspace);
      const toolset = await createToolset({ workspace, deny: [".env"] });
      const before = workspace[internals].volume.revisions.head;
      const generator = new StepGenerator(
        new Random((await settings()).seed),
        planted,
        await (await server("/")).text(),
      );
      for (let i = 0; i < 100; i++) {
        const step = generator.next();
        if (step.kind !== "git") continue;
        const { argv } = step;
        expect([argv, (await toolset.handle("git", { argv })).structured.error]).toMatchObject([
          argv,
          { code: "UNAVAILABLE" },
        ]);
      }
      expect([workspace[internals].volume.revisions.head, requests]).toEqual([before, []]);
    }));
});
