/**
 * Rounds of: load an object with concurrent writers, SIGKILL workerd at a random moment, start it again, and look. Every
 * acknowledged operation must be there; the one in flight must be there wholly or not at all; `fsck` must be clean.
 * The test does 50 rounds, the bench 1 000, by this one function.
 */
import { isDeepStrictEqual } from "node:util";
import type { FsckReport } from "@workspace/vfs";
import { Random } from "../support/random.ts";
import { CallError, createRuntime, type Runtime } from "./runtime.ts";
import { nextStep, type State, type Step, toText } from "./writer.ts";

export interface CrashOptions {
  rounds: number;
  seed: number;
  log?(line: string): void;
}

export interface CrashResult {
  rounds: number;
  /** Operations that were acknowledged, and writers that had one in flight at a kill: applied, and not. */
  acknowledged: number;
  applied: number;
  undone: number;
  seconds: number;
}

const WRITERS = 6;
/** Rounds that share one object: a new one is also killed in its first breath. */
const ROUNDS_PER_OBJECT = 10;
/** A kill comes after so many acknowledged operations at most, however long they take; in some rounds soon after the start. */
const MAX_LOAD = 80;
const COLD = 0.2;
/** So that a kill does not always find the same lane between two operations. */
const JITTER_MS = 10;
const ROOT = "/workspace/load";
const SNAPSHOTS = 0.05;
const UNDOS = 0.1;
const RESTORES = 0.05;

interface Writer {
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
  const random = new Random(seed);
  const result: CrashResult = { rounds: 0, acknowledged: 0, applied: 0, undone: 0, seconds: 0 };
  const started = performance.now();
  await using runtime = await createRuntime();
  await runtime.start();
  let writers: Writer[] = [];
  let object = "";
  for (let round = 0; round < rounds; round++) {
    if (round % ROUNDS_PER_OBJECT === 0) {
      object = `object-${round}`;
      writers = Array.from({ length: WRITERS }, (_, i) => newWriter(i, random.below(2 ** 31)));
    }
    const loaded = Promise.withResolvers<void>();
    let left = random.chance(COLD) ? 0 : 1 + random.below(MAX_LOAD);
    if (left === 0) loaded.resolve();
    const acknowledge = () => {
      result.acknowledged++;
      if (--left === 0) loaded.resolve();
    };
    const loads = writers.map((writer) => load(runtime, object, writer, acknowledge));
    const upkeep = maintain(runtime, object);
    for (const work of [...loads, upkeep]) work.catch(() => {});
    await Promise.race([loaded.promise, ...loads]);
    await sleep(random.below(JITTER_MS));
    await runtime.kill();
    await Promise.all([...loads, upkeep]);
    await runtime.start();
    await look(runtime, object, writers, result).catch((error) => {
      throw new Error(`seed ${seed}, round ${round}: ${(error as Error).message}`, { cause: error });
    });
    result.rounds++;
    if ((round + 1) % 50 === 0)
      log(`crash: ${round + 1} kills, ${result.acknowledged} acknowledged operations, all there`);
  }
  result.seconds = (performance.now() - started) / 1000;
  return result;
}

function newWriter(i: number, seed: number): Writer {
  return {
    path: `${ROOT}/lane${i}`,
    random: new Random(seed),
    state: new Map(),
    flying: undefined,
    count: 0,
    last: undefined,
    snapshot: undefined,
  };
}

/** One operation after another until the runtime is gone. */
async function load(runtime: Runtime, object: string, writer: Writer, acknowledge: () => void): Promise<void> {
  try {
    await runtime.call(object, { verb: "mkdir", path: writer.path });
    for (;;) {
      if (writer.random.chance(SNAPSHOTS)) {
        const id = (await runtime.call(object, { verb: "snapshot" })) as string;
        writer.snapshot = { id, state: writer.state };
      }
      const step = stepBack(writer) ?? nextStep(writer.random, writer.path, writer.state);
      const callId = `${writer.path} ${writer.count++}`;
      writer.last = undefined;
      writer.flying = step;
      await runtime.call(object, { ...step.call, callId }, step.streamed ? streamOf(step.body!) : step.body);
      writer.flying = undefined;
      if (step.call.verb !== "undo" && step.call.verb !== "restore") writer.last = { callId, before: writer.state };
      writer.state = step.after;
      acknowledge();
    }
  } catch (error) {
    if (error instanceof CallError) throw error;
  }
}

/** Now and then the last operation is undone, or the writer rolled back to a snapshot: what a crash must not leave by halves either. */
function stepBack({ random, path, last, snapshot }: Writer): Step | null {
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

async function look(runtime: Runtime, object: string, writers: Writer[], result: CrashResult): Promise<void> {
  await sound(runtime, object);
  for (const writer of writers) {
    const tree = (await runtime.call(object, { verb: "tree", path: writer.path })) as Record<string, string>;
    const before = toText(writer.state);
    if (isDeepStrictEqual(tree, before)) {
      if (writer.flying) result.undone++;
    } else if (writer.flying && isDeepStrictEqual(tree, toText(writer.flying.after))) {
      writer.state = writer.flying.after;
      result.applied++;
    } else
      throw new Error(
        `${writer.path} is neither before nor after ${JSON.stringify(writer.flying?.call)}: ${difference(tree, before)}`,
      );
    writer.flying = undefined;
  }
  if (result.rounds % ROUNDS_PER_OBJECT !== ROUNDS_PER_OBJECT - 1) return;
  // Giving up all of the past must free nothing that is still used.
  await runtime.call(object, { verb: "gc" });
  await sound(runtime, object);
  for (const { path, state } of writers) {
    const tree = (await runtime.call(object, { verb: "tree", path })) as Record<string, string>;
    if (!isDeepStrictEqual(tree, toText(state)))
      throw new Error(`${path} changed with gc: ${difference(tree, toText(state))}`);
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
