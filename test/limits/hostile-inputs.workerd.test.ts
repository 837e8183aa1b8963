/**
 * Hostile inputs, each with a probe beside it on the same object. The object answers the probe before the hostile request ends, unless
 * that request is over after a few pauses; and no stretch of work between two pauses is longer than its limit. Work is counted, not
 * timed. A new kind of input gets a file in `hostile/` and an entry in `kinds`.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { defaultWorkLimits, type WorkUsed } from "@workspace/protocol";
import { createWorkerBackend } from "@workspace/shell";
import { createFileSystem, createLocalEngine, openVolume, runRg, searchText, type WriteView } from "@workspace/vfs";
import { beforeAll, describe, expect, it } from "vitest";
import { workerShellLimits } from "../../packages/shell/src/worker/worker-host.ts";
import { searchLimits } from "../../packages/vfs/src/api/limits.ts";
import { writeHostileFiles } from "./hostile/files.ts";
import { hostileGlobs } from "./hostile/globs.ts";
import { hostilePatterns } from "./hostile/grep-patterns.ts";
import { hostileShellLines } from "./hostile/shell-lines.ts";

/** What one input did. `pauses`: null where they are not counted. */
interface Outcome {
  steps: number;
  longestStretch: number;
  pauses: number | null;
}

interface Kind {
  inputs: readonly string[];
  run(volume: WriteView, input: string): Promise<Outcome>;
  /** The most steps between two pauses. One call of the runtime on a long string may come on top of the limit. */
  maxStretch: number;
}

const ROOT = "/workspace/hostile";
const TIMEOUT_MS = 400;
const MAX_CALL = 1_200_000;
/** A probe is a request with several parts: what ends after fewer pauses may end first. */
const PROBE_PAUSES = 10;
const shellStretch = workerShellLimits.work.stretchSteps ?? defaultWorkLimits.stretchSteps;

const kinds: Record<string, Kind> = {
  "shell line": { inputs: hostileShellLines, run: runShell, maxStretch: shellStretch + MAX_CALL },
  "grep pattern": { inputs: hostilePatterns, run: runGrep, maxStretch: searchLimits.stretchSteps + MAX_CALL },
  glob: { inputs: hostileGlobs, run: runGlob, maxStretch: Number.POSITIVE_INFINITY },
};

const stub = env.BARE.getByName("hostile inputs");
const inside = <T>(body: (volume: WriteView) => Promise<T>): Promise<T> =>
  runInDurableObject(stub, (_, { storage }) => body(openVolume(storage)));

beforeAll(() =>
  inside(async (volume) => {
    const fs = createFileSystem(volume);
    await fs.mkdir(`${ROOT}/names`, { recursive: true });
    await writeHostileFiles(fs, ROOT);
    for (let i = 0; i < 50; i++) await fs.writeFile(`${ROOT}/names/${"a".repeat(190)}${i}`, "");
  }),
);

it("has at least 150 hostile inputs", () => {
  expect(Object.values(kinds).flatMap(({ inputs }) => inputs).length).toBeGreaterThanOrEqual(150);
});

describe.each(Object.entries(kinds))("%s", (_name, { inputs, run, maxStretch }) => {
  it.each(inputs)("%j lets a probe run within its work limit", async (input) => {
    let isOver = false;
    const hostile = inside((volume) => run(volume, input)).finally(() => {
      isOver = true;
    });
    const probe = inside(async (volume) => {
      await createFileSystem(volume).stat(ROOT);
      return { before: !isOver };
    });
    const [outcome, { before }] = await Promise.all([hostile, probe]);
    expect(outcome.longestStretch).toBeLessThanOrEqual(maxStretch);
    if ((outcome.pauses ?? 0) >= PROBE_PAUSES) expect(before).toBe(true);
  });
});

async function runShell(volume: WriteView, command: string): Promise<Outcome> {
  let used: WorkUsed | undefined;
  const backend = createWorkerBackend({
    root: volume.root,
    fileSystem: (identity) => createFileSystem(volume, identity),
    git: () => null,
    rg: (argv, io) => runRg(volume, argv, io),
    engine: createLocalEngine(volume),
    searchText,
    onWork: (work) => {
      used = work;
    },
  });
  const id = crypto.randomUUID();
  const request = { id, command, cwd: ROOT, env: {}, stdin: null, timeoutMs: TIMEOUT_MS, callId: id };
  const process = await backend.start(request);
  for await (const event of process.events)
    if (event.name === "exit") expect(event.value.state).toMatch(/exited|timedout/);
  if (used === undefined) throw new Error("the shell did not report its work");
  return used;
}

async function runGrep(volume: WriteView, pattern: string): Promise<Outcome> {
  const search = createFileSystem(volume).grep(pattern, ROOT, { regex: true, maxHits: 100 });
  const answer = await search.catch((error: unknown) => {
    expect(error).toMatchObject({ code: expect.stringMatching(/EINVAL|EFBIG/) });
    return null;
  });
  const steps = answer?.stats.steps ?? 0;
  expect(steps).toBeLessThanOrEqual(searchLimits.budgetThreads + 20 * searchLimits.pauseSteps);
  return { steps, longestStretch: 0, pauses: null };
}

async function runGlob(volume: WriteView, pattern: string): Promise<Outcome> {
  const search = createFileSystem(volume).glob(pattern, { cwd: ROOT });
  const names = await search.catch((error: unknown) => {
    expect(error).toHaveProperty("code");
    return [];
  });
  return { steps: names.length, longestStretch: 0, pauses: null };
}
