/**
 * PROPERTY_SEED repeats a run, PROPERTY_RUNS lengthens it. Random calls of git in the Worker, and undos of any of them: done, refused or
 * forced, the real git finds every object that refs, reflogs and the index name.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type RevertResult, Workspace } from "@cloudflare/workspace";
import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { treeIn } from "../oracle/git/planted-tree.ts";
import { toJson } from "../oracle/git/scenario-json.ts";
import type { Settings } from "../support/workerd/node-services.ts";

const RUNS = 15;
const COMMANDS = [
  "echo $RANDOM >> f; git commit -qam more",
  "echo $RANDOM > g; git add g; git commit -qm other",
  "echo $RANDOM >> f",
  "git add -A",
  "git stash -q",
  "git stash pop -q",
  "git stash drop -q",
  "git tag -f t1",
  "git tag -f -m annotated t2",
  "git tag -d t1",
  "git branch -f b1",
  "git branch -D b1",
  "git switch -q -c b2",
  "git switch -q b2",
  "git switch -q main",
  "git merge -q --no-edit b1",
  "git merge -q --no-edit b2",
  "git rebase -q main",
  "git reset -q --hard HEAD~1",
  "git reset -q --soft HEAD~1",
  "git commit -q --amend -m amended",
  "git cherry-pick b1",
  "git gc -q",
  "git gc -q --prune=now",
  "git repack -q -a -d",
  "git prune --expire=now",
  "git prune-packed -q",
  "git pack-refs --all",
  "git reflog expire --expire=now --all",
  "git fetch -q up",
  "git fetch -q --depth=1 up",
  "git fetch -q --unshallow up",
  "cd up; echo $RANDOM >> f; git commit -qam theirs",
  "git rm -q --cached f",
  "rm -r src; mkdir src; echo x > src/x",
] as const;

/** What refers to objects of others, and touches nothing else: more of these. */
const NAMING = [
  "git tag -f t1",
  "git branch -f b1",
  "git tag -f -m annotated t2",
  "git update-ref refs/x/y HEAD",
] as const;

type Step =
  | { readonly run: string }
  /** So many calls back, from the last one. */
  | { readonly undo: number; readonly force: boolean }
  | { readonly redo: true }
  | { readonly snapshot: true }
  | { readonly restore: number; readonly part: string | null };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      run: fc.oneof(fc.constantFrom(...COMMANDS), fc.constantFrom(...NAMING)),
    }),
  },
  { weight: 4, arbitrary: fc.record({ undo: fc.nat({ max: 3 }), force: fc.constantFrom(false, false, true) }) },
  { weight: 1, arbitrary: fc.constant({ redo: true as const }) },
  { weight: 1, arbitrary: fc.constant({ snapshot: true as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      restore: fc.nat({ max: 9 }),
      part: fc.constantFrom(null, ".git", ".git/refs", ".git/objects", ".git/refs/heads/b1"),
    }),
  },
);

const START =
  "git init -q -b main; git config user.name a; git config user.email a@b; git config gc.auto 0; mkdir src; echo one > f; echo x > src/x; git add .; git commit -qm first";

let seed = 0;
let runs = RUNS;
let created = 0;

beforeAll(async () => {
  const settings = (await (await env.SETTINGS.fetch("http://settings")).json()) as Settings;
  seed = settings.seed;
  runs = Number(settings.runs ?? RUNS);
  console.log(`undos of git: PROPERTY_SEED=${seed}`);
});

/** What real git says that is missing or broken. */
async function faults(ws: Workspace): Promise<string[]> {
  const body = toJson({
    scenario: { name: "", steps: [], repositories: [".", "up"] },
    tree: await treeIn(ws.fs, "/workspace"),
    root: "/workspace",
  });
  const response = await env.REAL_GIT.fetch("http://git/", { method: "PUT", body });
  if (!response.ok) throw new Error(await response.text());
  const state = await response.json<Record<string, string>>();
  return ["fsck", "log", "refs", "fsck of up", "log of up"].flatMap((topic) =>
    (state[topic] ?? "")
      .split("\n")
      .filter((line) => /^(error|fatal|missing|broken|bad|invalid|exit [^0])/.test(line.trim()))
      .map((line) => `${topic}: ${line}`),
  );
}

/** Null where there is nothing to go back to. */
function start(
  ws: Workspace,
  step: Exclude<Step, { run: unknown } | { snapshot: true }>,
  calls: number,
  last: number | null,
  moments: readonly string[],
): Promise<RevertResult> | null {
  if ("undo" in step) return ws.history.undo({ callId: `call ${calls - 1 - step.undo}`, force: step.force });
  if ("redo" in step) return last === null ? null : ws.history.undo({ group: last });
  const moment = moments[step.restore % moments.length];
  const paths = step.part === null ? {} : { paths: [`/workspace/${step.part}`] };
  return moment === undefined ? null : ws.snapshots.restore(moment, paths);
}

async function playAll(steps: readonly Step[]): Promise<void> {
  await runInDurableObject(env.BARE.getByName(`undos of git ${created++}`), async (_, { storage }) => {
    const ws = new Workspace({ storage });
    let calls = 0;
    let last: number | null = null;
    const moments: string[] = [];
    const run = async (command: string, callId = `call ${calls++}`) => {
      const handle = await ws.as({ callId }).shell.exec(command);
      await handle.result();
    };
    await run(`${START}; mkdir up; cd up; ${START}; cd ..; git remote add up ./up`, "start");
    const done: string[] = [];
    for (const one of steps) {
      if ("run" in one) {
        done.push(`call ${calls}: ${one.run}`);
        await run(one.run);
        continue;
      }
      if ("snapshot" in one) {
        moments.push((await ws.snapshots.create()).id);
        continue;
      }
      const reverting = start(ws, one, calls, last, moments);
      if (reverting === null) continue;
      const outcome: RevertResult | null = await reverting.catch((error: { code?: string }) => {
        if (["ECONFLICT", "ENOENT"].includes(error.code ?? "")) return null;
        throw error;
      });
      done.push(`${JSON.stringify(one)} of ${calls}: ${outcome === null ? "refused" : "done"}`);
      last = outcome === null ? last : outcome.group;
      expect([...done, ...(await faults(ws))]).toEqual(done);
    }
    expect((await ws.fsck()).problems).toEqual([]);
  });
}

it(`undo leaves repositories sound after ${RUNS} random sequences of git and undos`, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 25 }), playAll), {
    numRuns: runs,
    seed,
    endOnFailure: false,
  });
});
