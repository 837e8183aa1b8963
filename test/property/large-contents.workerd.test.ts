/**
 * PROPERTY_SEED repeats a run. Random writes to files that are trees of extents, with rows and nodes so small that a few bytes make
 * several levels: appends, positional writes, truncates, copies, removals, restores and purges, with the collector let in between for
 * a step at a time. Every file is compared with a copy in memory, every moment that can still be seen with what it was, and `fsck`
 * counts every owner.
 */
import { env } from "cloudflare:workers";
import { inObject } from "@workspace/testing/in-object";
import {
  createHistory,
  createPastView,
  createSnapshots,
  type FileHandle,
  type FileSystem,
  fsck,
  gc,
  maintain,
} from "@workspace/vfs";
import * as fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { Settings } from "../support/workerd/node-services.ts";

const RUNS = 60;
const STEPS = 120;
const LIMITS = { chunkBytes: 32, rowBytes: 96, handleBytes: 48, nodeEntries: 4, denseBytes: 24, gcStepRows: 12 };
const PATHS = ["a", "b", "c"].map((name) => `/workspace/${name}`);

type Path = number;
type Step =
  | { op: "write" | "append"; path: Path; length: number }
  | { op: "patch"; path: Path; length: number; at: number }
  | { op: "patches"; path: Path; writes: { length: number; at: number }[]; truncate: number | null }
  | { op: "truncate"; path: Path; length: number }
  | { op: "copy"; path: Path; to: Path }
  | { op: "remove" | "hold" | "purge"; path: Path }
  | { op: "snapshot" | "letGo" | "fsck" }
  | { op: "restore"; which: number }
  | { op: "collect"; steps: number };

const path = fc.nat({ max: PATHS.length - 1 });
const length = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }) },
);
const at = fc.integer({ min: 0, max: 400 });
const write = fc.record({ length, at });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant("write" as const), path, length: fc.integer({ min: 100, max: 500 }) }),
  },
  { weight: 8, arbitrary: fc.record({ op: fc.constant("append" as const), path, length }) },
  { weight: 10, arbitrary: fc.record({ op: fc.constant("patch" as const), path, length, at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant("patches" as const),
      path,
      writes: fc.array(write, { minLength: 1, maxLength: 6 }),
      truncate: fc.option(fc.integer({ min: 0, max: 400 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant("truncate" as const), path, length: fc.integer({ min: 0, max: 500 }) }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("copy" as const), path, to: path }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom("remove" as const, "hold" as const), path }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom("snapshot" as const, "letGo" as const, "fsck" as const) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("restore" as const), which: fc.nat({ max: 50 }) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("collect" as const), steps: fc.integer({ min: 1, max: 40 }) }) },
);
/** A purge drops every moment before it, so few runs have one. */
const steps = fc
  .tuple(
    fc.array(step, { minLength: 1, maxLength: STEPS, size: "max" }),
    fc.option(fc.record({ path, when: fc.nat({ max: STEPS }) }), { freq: 2 }),
  )
  .map(([list, purge]) =>
    purge === null ? list : list.toSpliced(purge.when, 0, { op: "purge" as const, path: purge.path }),
  );

let seed = 0;

beforeAll(async () => {
  const settings = (await (await env.SETTINGS.fetch("http://settings")).json()) as Settings;
  seed = settings.seed;
  console.log(`large contents: PROPERTY_SEED=${seed}`);
});

type Files = Map<string, Uint8Array>;

/** Bytes that differ from those of every other write. */
let written = 0;
function fresh(length: number): Uint8Array {
  written++;
  return new Uint8Array(length).map((_, i) => (written * 37 + i * 11 + (written >> 3)) % 251);
}

function patched(before: Uint8Array, bytes: Uint8Array, position: number): Uint8Array {
  const after = new Uint8Array(Math.max(before.length, position + bytes.length));
  after.set(before);
  after.set(bytes, position);
  return after;
}

function cut(before: Uint8Array, size: number): Uint8Array {
  const after = new Uint8Array(size);
  after.set(before.subarray(0, size));
  return after;
}

async function compare(fs: FileSystem, files: Files): Promise<void> {
  expect((await fs.readdir("/workspace")).map((name) => `/workspace/${name}`)).toEqual([...files.keys()].sort());
  for (const [name, bytes] of files) {
    expect((await fs.readFile(name)).join()).toBe(bytes.join());
    const [from, to] = [Math.floor(bytes.length / 3), Math.floor(bytes.length / 2)];
    expect((await fs.readRange(name, from, to - from)).join()).toBe(bytes.subarray(from, to).join());
  }
}

it(`FileSystem keeps large files right over ${RUNS} random sequences of writes with garbage collection`, async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(5, 30, 1000), async (sequence, entries) => {
      await inObject(
        async ({ fs, volume }) => {
          const snapshots = createSnapshots(volume);
          const files: Files = new Map();
          let moments: { version: string; files: Files }[] = [];
          const taken: { id: string; files: Files }[] = [];
          let held: { handle: FileHandle; name: string; bytes: Uint8Array } | null = null;
          for (const one of sequence) {
            const name = "path" in one ? (PATHS[one.path] as string) : "";
            const before = files.get(name);
            if (before === undefined && "path" in one && one.op !== "write") continue;
            switch (one.op) {
              case "write":
                files.set(name, fresh(one.length));
                await fs.writeFile(name, files.get(name) as Uint8Array);
                break;
              case "append": {
                const bytes = fresh(one.length);
                files.set(name, patched(before as Uint8Array, bytes, (before as Uint8Array).length));
                await fs.appendFile(name, bytes);
                break;
              }
              case "patch":
              case "patches": {
                const handle = await fs.open(name, "r+");
                for (const { length: size, at: position } of one.op === "patch" ? [one] : one.writes) {
                  const bytes = fresh(size);
                  files.set(name, patched(files.get(name) as Uint8Array, bytes, position));
                  await handle.write(bytes, 0, size, position);
                }
                if (one.op === "patches" && one.truncate !== null) {
                  files.set(name, cut(files.get(name) as Uint8Array, one.truncate));
                  await handle.truncate(one.truncate);
                }
                await handle.close();
                break;
              }
              case "truncate":
                files.set(name, cut(before as Uint8Array, one.length));
                await fs.truncate(name, one.length);
                break;
              case "copy":
                files.set(PATHS[one.to] as string, before as Uint8Array);
                if (one.to !== one.path) await fs.copyFile(name, PATHS[one.to] as string);
                break;
              case "remove":
                if (held?.name === name) break;
                files.delete(name);
                await fs.rm(name);
                break;
              case "hold": {
                // Rows that are spooled now and committed after others' rows.
                if (held !== null) break;
                const bytes = fresh(150);
                held = { handle: await fs.open(name, "r+"), name, bytes };
                await held.handle.write(bytes, 0, bytes.length, 7);
                break;
              }
              case "letGo": {
                if (held === null) break;
                const now = files.get(held.name);
                await held.handle.close();
                if (now !== undefined) files.set(held.name, patched(now, held.bytes, 7));
                held = null;
                break;
              }
              case "snapshot":
                taken.push({
                  id: (await snapshots.create("one", { pinned: taken.length % 3 === 0 })).id,
                  files: new Map(files),
                });
                break;
              case "restore": {
                const chosen = taken[one.which % Math.max(1, taken.length)];
                if (chosen === undefined || held !== null) break;
                if (!(await snapshots.list()).some(({ id }) => id === chosen.id)) break;
                await snapshots.restore(chosen.id);
                files.clear();
                for (const [each, bytes] of chosen.files) files.set(each, bytes);
                break;
              }
              case "collect":
                await maintain(volume, { budget: one.steps });
                break;
              case "purge":
                await createHistory(volume).purge(name);
                moments = [];
                taken.length = 0;
                break;
              case "fsck":
                expect((await fsck(volume)).problems).toEqual([]);
                break;
              default:
                one satisfies never;
            }
            await compare(fs, files);
            moments.push({
              version: volume.revisions.format(volume.ensureOpen().revisions.head),
              files: new Map(files),
            });
          }
          if (held !== null) {
            await held.handle.close();
            files.set(held.name, patched(files.get(held.name) as Uint8Array, held.bytes, 7));
          }
          for (const moment of moments.filter((_, i) => i % 7 === 0)) {
            try {
              await compare(createPastView(volume, moment.version).fs, moment.files);
            } catch (error) {
              if ((error as { code?: string }).code !== "EGONE") throw error;
            }
          }
          expect((await fsck(volume)).problems).toEqual([]);
          for (const { id } of await snapshots.list()) await snapshots.remove(id);
          await gc(volume, { retention: { entries: 0 } });
          await compare(fs, files);
          expect((await fsck(volume)).problems).toEqual([]);
          for (const each of files.keys()) await fs.rm(each);
          await gc(volume, { retention: { entries: 0 } });
          const left = ["ws_content", "ws_node", "ws_content_ref", "ws_garbage"].map(
            (table) => volume.store.db.row(`SELECT count(*) FROM ${table}`)?.[0] ?? 0,
          );
          expect(left).toEqual([0, 0, 0, 0]);
        },
        { limits: LIMITS, retention: { entries } },
      );
    }),
    { numRuns: RUNS, seed, endOnFailure: true },
  );
});
