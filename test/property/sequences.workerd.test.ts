/**
 * Random sequences of operations, played on ours and on a real temporary directory: the same outcomes, the same trees, a sound
 * database after each, and the same tree again from the database alone. PROPERTY_SEED repeats a run, PROPERTY_RUNS shortens it,
 * PROPERTY_FAILURES goes on after a failure until there are so many of different kinds:
 * `PROPERTY_SEED=7 PROPERTY_RUNS=100 PROPERTY_FAILURES=10 npx vitest run test/property`.
 */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createFileSystem, fsck, openVolume } from "@workspace/vfs";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Settings } from "../support/workerd/node-services.ts";
import { difference, treeDifference } from "./compare.ts";
import { handleSequence, type Operation, sequence } from "./operation.ts";
import { pathEndings } from "./path-endings.ts";
import { type Played, play, type Tree, treeOf } from "./play.ts";

const RUNS = 2000;
const LENGTH = 50;
/** Sequences that share one object, so that collections and counters have a past. */
const PER_OBJECT = 20;
/** Plays that go into making a failing sequence short. */
const SHRINKING = 300;

type Sampling = { seed: number; numRuns: number };

const SEQUENCES: Record<string, (sampling: Sampling) => Operation[][]> = {
  "random sequences of operations": (sampling) => fc.sample(sequence(LENGTH), sampling),
  "random changes of names and contents while handles are open": (sampling) =>
    fc.sample(handleSequence(LENGTH), sampling),
  "every verb on every ending of a path": pathEndings,
};

it.each(Object.entries(SEQUENCES))(
  "FileSystem gives node:fs's outcomes and trees for %s",
  {
    timeout: 1_800_000,
  },
  async (what, make) => {
    const settings = (await (await env.SETTINGS.fetch("http://settings")).json()) as Settings;
    const seed = settings.seed;
    const sequences = make({ seed, numRuns: settings.runs === undefined ? RUNS : Number(settings.runs) });
    console.log(`property: ${sequences.length} sequences, PROPERTY_SEED=${seed}`);

    const table = new Table(settings.base, what);
    const started = Date.now();
    const failures = new Map<string, string>();
    for (const operations of sequences) {
      const wrong = await table.play(operations);
      if (wrong === undefined) continue;
      table.leave();
      const { kind, text } = await report(table, operations, wrong);
      if (!failures.has(kind)) failures.set(kind, text);
      if (failures.size >= Number(settings.failures ?? 1)) break;
    }
    if (failures.size > 0) throw new Error(`PROPERTY_SEED=${seed}\n\n${[...failures.values()].join("\n\n")}`);
    await table.clear();
    console.log(`property: ${table.played} sequences in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    expect(table.played).toBe(sequences.length);
  },
);

/** Both file systems, and the object at hand. */
class Table {
  played = 0;
  #stub: DurableObjectStub | undefined;
  #trees = new Map<string, Tree>();

  constructor(
    readonly base: string,
    readonly what: string,
  ) {}

  /** What is wrong with this sequence, in words. `alone`: in an object that has no past. */
  async play(operations: Operation[], { alone = false } = {}): Promise<string | undefined> {
    if (alone || this.#trees.size === PER_OBJECT) await this.clear();
    this.#stub ??= env.BARE.getByName(`${this.what} from ${this.played}`);
    const root = `${this.base}/${this.played++}/root`;
    const real = env.REAL_FS.fetch("http://real-fs", { method: "POST", body: JSON.stringify({ root, operations }) });
    const { ours, problems, again } = await this.#playOurs(root, operations);
    const response = await real;
    if (!response.ok) throw new Error(`REAL_FS: ${await response.text()}`);
    this.#trees.set(root, ours.tree);
    return (
      difference(operations, ours, (await response.json()) as Played) ??
      problems ??
      treeDifference("from the database alone", ours.tree, again)
    );
  }

  #playOurs(root: string, operations: Operation[]): Promise<{ ours: Played; problems?: string; again: Tree }> {
    return runInDurableObject(this.#stub as DurableObjectStub, async (_, { storage }) => {
      const volume = openVolume(storage);
      const fs = createFileSystem(volume);
      const ours = await play(fs, root, operations);
      const report = await fsck(volume);
      const problems = report.ok ? undefined : `fsck: ${JSON.stringify(report.problems)}`;
      volume.invalidateCaches();
      return { ours, problems, again: await treeOf(fs, root) };
    });
  }

  /** Goes on in another object, without a look back at this one. */
  leave(): void {
    this.#stub = undefined;
    this.#trees.clear();
  }

  /** A new incarnation must find every tree as it was left. */
  async clear(): Promise<void> {
    if (this.#stub === undefined) return;
    await evictDurableObject(this.#stub);
    const found = await runInDurableObject(this.#stub, async (_, { storage }) => {
      const fs = createFileSystem(openVolume(storage));
      const trees: [string, Tree][] = [];
      for (const root of this.#trees.keys()) trees.push([root, await treeOf(fs, root)]);
      return trees;
    });
    const before = [...this.#trees];
    this.leave();
    expect(found).toEqual(before);
  }
}

async function report(table: Table, operations: Operation[], wrong: string): Promise<{ kind: string; text: string }> {
  const { shorter, why } = await shorten(table, operations, wrong);
  const lines = shorter.map((operation, i) => `${i}: ${JSON.stringify(operation)}`);
  // Two failures are of one kind when the same operation has the same two outcomes, whatever its paths.
  const kind = why
    .replace(/\{"(op|step)":"(\w+)".*/, (_, _field, verb) => verb)
    .replace(/"[^"]*[/ ][^"]*"|\d+/g, () => "");
  return { kind, text: `${why}\nThe sequence, made short:\n${lines.join("\n")}` };
}

/** Leaves out what can be left out, from the end, as long as something is still wrong. */
async function shorten(
  table: Table,
  operations: Operation[],
  why: string,
): Promise<{ shorter: Operation[]; why: string }> {
  let shorter = operations;
  let left = SHRINKING;
  for (let size = 16; size >= 1; size >>= 1) {
    for (let end = shorter.length; end > 0 && left > 0; end -= size) {
      const without = [...shorter.slice(0, Math.max(0, end - size)), ...shorter.slice(end)];
      left--;
      const wrong = await table.play(without, { alone: true });
      if (wrong !== undefined) [shorter, why] = [without, wrong];
    }
  }
  return { shorter, why };
}
