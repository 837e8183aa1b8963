/**
 * Rounds of: load an object with concurrent writers, SIGKILL workerd at a random moment, start it again, and look. Every
 * acknowledged operation must be there; the one in flight must be there wholly or not at all; `fsck` must be clean.
 * The test does 50 rounds, the bench 1 000, by this one function.
 */
import { isDeepStrictEqual } from "node:util";
import type { FsckReport } from "@workspace/vfs";
import { nextStep, type State, type Step, told } from "./lane.ts";
import { createRandom, type Random } from "./random.ts";
import { CallError, createRuntime, type Runtime } from "./runtime.ts";

export interface CrashOptions {
  rounds: number;
  seed: number;
  log?(line: string): void;
}

export interface CrashResult {
  rounds: number;
  /** Operations that were acknowledged, and lanes that had one in flight at a kill: applied, and not. */
  acknowledged: number;
  applied: number;
  undone: number;
  seconds: number;
}

const LANES = 6;
/** Rounds that share one object: a new one is also killed in its first breath. */
const ROUNDS_PER_OBJECT = 10;
/** A kill comes after so many acknowledged operations at most, however long they take; in some rounds soon after the start. */
const LONGEST_LOAD = 80;
const COLD = 0.2;
/** So that a kill does not always find the same lane between two operations. */
const JITTER_MS = 10;
const ROOT = "/workspace/load";
const SNAPSHOTS = 0.05;
const UNDOS = 0.1;
const RESTORES = 0.05;

interface Lane {
  path: string;
  random: Random;
  state: State;
  flying: Step | undefined;
  /** Operations so far, for a call id each. */
  count: number;
  /** The last operation, and what was before it. */
  last: { callId: string; before: State } | undefined;
  snapshot: { id: string; state: State } | undefined;
}

export async function runCrashRounds({ rounds, seed, log = () => {} }: CrashOptions): Promise<CrashResult> {
  const random = createRandom(seed);
  const result: CrashResult = { rounds: 0, acknowledged: 0, applied: 0, undone: 0, seconds: 0 };
  const started = performance.now();
  await using runtime = await createRuntime();
  await runtime.start();
  let lanes: Lane[] = [];
  let object = "";
  for (let round = 0; round < rounds; round++) {
    if (round % ROUNDS_PER_OBJECT === 0) {
      object = `object-${round}`;
      lanes = Array.from({ length: LANES }, (_, i) => newLane(i, random.below(2 ** 31)));
    }
    const loaded = Promise.withResolvers<void>();
    let left = random.chance(COLD) ? 0 : 1 + random.below(LONGEST_LOAD);
    if (left === 0) loaded.resolve();
    const acknowledge = () => {
      result.acknowledged++;
      if (--left === 0) loaded.resolve();
    };
    const loads = lanes.map((lane) => load(runtime, object, lane, acknowledge));
    const upkeep = maintain(runtime, object);
    for (const work of [...loads, upkeep]) work.catch(() => {});
    await Promise.race([loaded.promise, ...loads]);
    await sleep(random.below(JITTER_MS));
    await runtime.kill();
    await Promise.all([...loads, upkeep]);
    await runtime.start();
    await look(runtime, object, lanes, result).catch((error) => {
      throw new Error(`seed ${seed}, round ${round}: ${(error as Error).message}`, { cause: error });
    });
    result.rounds++;
    if ((round + 1) % 50 === 0)
      log(`crash: ${round + 1} kills, ${result.acknowledged} acknowledged operations, all there`);
  }
  result.seconds = (performance.now() - started) / 1000;
  return result;
}

function newLane(i: number, seed: number): Lane {
  return {
    path: `${ROOT}/lane${i}`,
    random: createRandom(seed),
    state: new Map(),
    flying: undefined,
    count: 0,
    last: undefined,
    snapshot: undefined,
  };
}

/** One operation after another until the runtime is gone. */
async function load(runtime: Runtime, object: string, lane: Lane, acknowledge: () => void): Promise<void> {
  try {
    await runtime.call(object, { verb: "mkdir", path: lane.path });
    for (;;) {
      if (lane.random.chance(SNAPSHOTS)) {
        const id = (await runtime.call(object, { verb: "snapshot" })) as string;
        lane.snapshot = { id, state: lane.state };
      }
      const step = stepBack(lane) ?? nextStep(lane.random, lane.path, lane.state);
      const callId = `${lane.path} ${lane.count++}`;
      lane.last = undefined;
      lane.flying = step;
      await runtime.call(object, { ...step.call, callId }, step.streamed ? streamOf(step.body!) : step.body);
      lane.flying = undefined;
      if (step.call.verb !== "undo" && step.call.verb !== "restore") lane.last = { callId, before: lane.state };
      lane.state = step.after;
      acknowledge();
    }
  } catch (error) {
    if (error instanceof CallError) throw error;
  }
}

/** Now and then the last operation is undone, or the lane taken back to a snapshot: what a crash must not leave by halves either. */
function stepBack({ random, path, last, snapshot }: Lane): Step | null {
  if (last !== undefined && random.chance(UNDOS))
    return { call: { verb: "undo", undone: last.callId }, streamed: false, after: last.before };
  if (snapshot !== undefined && random.chance(RESTORES))
    return { call: { verb: "restore", path, id: snapshot.id }, streamed: false, after: snapshot.state };
  return null;
}

/** Collection goes on beside the load, so that it is killed too. */
async function maintain(runtime: Runtime, object: string): Promise<void> {
  try {
    for (;;) {
      await runtime.call(object, { verb: "maintain" });
      await sleep(5);
    }
  } catch (error) {
    if (error instanceof CallError) throw error;
  }
}

async function look(runtime: Runtime, object: string, lanes: Lane[], result: CrashResult): Promise<void> {
  await sound(runtime, object);
  for (const lane of lanes) {
    const tree = (await runtime.call(object, { verb: "tree", path: lane.path })) as Record<string, string>;
    const before = told(lane.state);
    if (isDeepStrictEqual(tree, before)) {
      if (lane.flying) result.undone++;
    } else if (lane.flying && isDeepStrictEqual(tree, told(lane.flying.after))) {
      lane.state = lane.flying.after;
      result.applied++;
    } else
      throw new Error(
        `${lane.path} is neither before nor after ${JSON.stringify(lane.flying?.call)}: ${difference(tree, before)}`,
      );
    lane.flying = undefined;
  }
  if (result.rounds % ROUNDS_PER_OBJECT !== ROUNDS_PER_OBJECT - 1) return;
  // Giving up all of the past must free nothing that is still used.
  await runtime.call(object, { verb: "gc" });
  await sound(runtime, object);
  for (const { path, state } of lanes) {
    const tree = (await runtime.call(object, { verb: "tree", path })) as Record<string, string>;
    if (!isDeepStrictEqual(tree, told(state)))
      throw new Error(`${path} changed with gc: ${difference(tree, told(state))}`);
  }
}

async function sound(runtime: Runtime, object: string): Promise<void> {
  const report = (await runtime.call(object, { verb: "fsck" })) as FsckReport;
  if (!report.ok) throw new Error(`fsck: ${JSON.stringify(report.problems)}`);
}

function difference(found: Record<string, string>, expected: Record<string, string>): string {
  const paths = new Set([...Object.keys(found), ...Object.keys(expected)]);
  const wrong = [...paths].filter((path) => found[path] !== expected[path]);
  return wrong.map((path) => `${path}: ${found[path] ?? "missing"}, not ${expected[path] ?? "missing"}`).join("; ");
}

/** In pieces with pauses, so that a kill finds some half sent. */
function streamOf(body: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= body.length) return controller.close();
      if (at > 0) await sleep(0);
      controller.enqueue(body.slice(at, at + 65_536));
      at += 65_536;
    },
  });
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
