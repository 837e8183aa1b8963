/** The memory of a search, and when it yields: observed where content is read and where memory is leased. */
import { inObject } from "@workspace/testing/in-object";
import { createLocalEngine, type FileSystem, type GrepOptions } from "@workspace/vfs";
import { expect, it } from "vitest";
import { searchLimits } from "../api/limits.ts";
import { isolatePool } from "../cache/memory-pool.ts";
import type { VolumeStore } from "../volume/views.ts";
import { searchIndexUsage } from "./index/search-index.ts";
import { parseGrepOptions } from "./query.ts";
import { runQuery } from "./run-query.ts";

const MIB = 1024 * 1024;
/** The most that may be held, and looked at between two turns of others. A row is read whole, though a part of it is wanted. */
const MAX_HELD = 16 * MIB;
const MAX_READ = 4 * MIB + 256 * 1024;

interface Seen {
  read: number;
  maxRead: number;
  maxHeld: number;
  turns: number;
}

/** Runs `body` while others take every turn that they get. */
async function watched(volume: VolumeStore, body: () => Promise<unknown>): Promise<Seen> {
  const seen: Seen = { read: 0, maxRead: 0, maxHeld: 0, turns: 0 };
  let sinceTurn = 0;
  let held = 0;
  let going = true;
  const { db } = volume;
  const [rows, row, eachRow, lease] = [db.rows, db.row, db.eachRow, isolatePool.lease];
  const count = (values: readonly unknown[] | undefined) => {
    for (const value of values ?? []) if (value instanceof ArrayBuffer) sinceTurn += value.byteLength;
  };
  db.rows = (...query) => {
    const found = rows.apply(db, query);
    for (const one of found) count(one);
    return found;
  };
  db.row = (...query) => {
    const found = row.apply(db, query);
    count(found);
    return found;
  };
  db.eachRow = function* (...query) {
    for (const one of eachRow.apply(db, query)) {
      count(one);
      yield one;
    }
  };
  isolatePool.lease = async (bytes) => {
    const leased = await lease.call(isolatePool, bytes);
    held += bytes;
    seen.maxHeld = Math.max(seen.maxHeld, held);
    return {
      [Symbol.dispose]: () => {
        held -= bytes;
        leased[Symbol.dispose]();
      },
    };
  };
  const turn = () => {
    seen.turns++;
    seen.read += sinceTurn;
    seen.maxRead = Math.max(seen.maxRead, sinceTurn);
    sinceTurn = 0;
  };
  const others = (async () => {
    while (going) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      turn();
    }
  })();
  try {
    await body();
    turn();
  } finally {
    going = false;
    Object.assign(db, { rows, row, eachRow });
    isolatePool.lease = lease;
    await others;
  }
  expect(held).toBe(0);
  return seen;
}

const line = (i: number) => `line ${i} of a text that goes on, and says nothing much\n`;
const text = (bytes: number) => line(bytes).repeat(Math.ceil(bytes / line(bytes).length));

async function plant(fs: FileSystem): Promise<void> {
  const small = Array.from({ length: 2000 }, (_, i) => ({ path: `/workspace/small/${i}`, content: text(3000 + i) }));
  await fs.writeMany(small);
  for (let i = 0; i < 12; i++) await fs.writeFile(`/workspace/row-${i}`, text(900_000 + i));
  for (const mib of [3, 5, 7, 9, 20]) await fs.writeFile(`/workspace/large-${mib}`, text(mib * MIB));
  // Rows that hold far more than their files still have of them.
  for (let i = 0; i < 20; i++) {
    await fs.writeFile(`/workspace/cut-${i}`, text(MIB - 100));
    await fs.truncate(`/workspace/cut-${i}`, 5000);
  }
}

const searches: [what: string, pattern: string, options: GrepOptions][] = [
  ["a literal that is nowhere", "needle", {}],
  ["a pattern that has no literal", "[0-9]{9}", { regex: true }],
  ["a pattern that matches everywhere, counted", "of a \\w+", { regex: true, mode: "count" }],
  ["everything but what matches", "text", { invert: true, context: 1 }],
  ["hits without end, until there are enough", "line", { context: 2, maxHits: 100_000 }],
];

it("grep holds at most 16 MiB of a large workspace, and gives way every 4 MiB", () =>
  inObject(async ({ fs, volume }) => {
    await plant(fs);
    const engine = createLocalEngine(volume, { index: false });
    for (const [what, pattern, options] of searches) {
      const query = parseGrepOptions(pattern, "/workspace", options, searchLimits);
      const seen = await watched(volume, () => runQuery(engine, query));
      expect.soft(seen.maxHeld, what).toBeLessThanOrEqual(MAX_HELD);
      expect.soft(seen.maxRead, what).toBeLessThanOrEqual(MAX_READ);
      if (options.maxHits === undefined) expect.soft(seen.read, what).toBeGreaterThan(60 * MIB);
    }
  }));

it("grep that builds the index afterwards holds no more", () =>
  inObject(async ({ fs, volume }) => {
    await plant(fs);
    const engine = createLocalEngine(volume);
    const query = parseGrepOptions("needle", "/workspace", {}, searchLimits);
    const seen = await watched(volume, async () => {
      await runQuery(engine, query);
      await volume.services.search.index.builds.idle();
    });
    expect(searchIndexUsage(volume).covered).toBeGreaterThan(10 * MIB);
    expect(seen.maxHeld).toBeLessThanOrEqual(MAX_HELD);
    expect(seen.maxRead).toBeLessThanOrEqual(MAX_READ);
  }));
