/** The cost of a large file's history: constant for each append and each positional write, and bounded steps to free it. */
import { type Cost, Counter } from "@workspace/testing/counting-storage";
import { type Inside, inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";
import { createHistory, createSnapshots, type FileSystem, fsck, gc, maintain, type VolumeStore } from "../index.ts";

/** Small rows: a file of 400 kB has as many pieces as one of 13 MB. */
const LIMITS = { chunkBytes: 4096, rowBytes: 32 * 1024, denseBytes: 512 };
const KEEP = { days: 1e6, entries: 1e9, bytes: 1e15 };
const NOTHING = { retention: { entries: 0 } };
const PATH = "/workspace/large";

async function patch(fs: FileSystem, path: string, at: number, bytes: Uint8Array): Promise<void> {
  await using handle = await fs.open(path, "r+");
  await handle.write(bytes, 0, bytes.length, at);
}

const number = ({ storage }: Inside, sql: string) => Object.values(storage.sql.exec(sql).one())[0] as number;
const nodeBytes = (inside: Inside) => number(inside, "SELECT ifnull(sum(length(entries)), 0) FROM ws_node");
const count = (inside: Inside, table: string) => number(inside, `SELECT count(*) FROM ${table}`);

/** Maintains until nothing is due; every step must be small. */
async function maintainAll(volume: VolumeStore, counter: Counter): Promise<number> {
  let steps = 0;
  for (let more = true; more; steps++) {
    const cost = await counter.of(async () => {
      ({ more } = await maintain(volume));
    });
    expectSmall(cost);
  }
  return steps;
}

function expectSmall({ rowsRead, rowsWritten, statements }: Cost): void {
  expect(rowsRead + rowsWritten).toBeLessThanOrEqual(1000);
  expect(statements).toBeLessThanOrEqual(250);
}

/** The same numbers every time. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

describe("the history of a large file", () => {
  it("takes the same for each append, whatever the size of the file", async () => {
    await inObject(
      async (inside) => {
        const { fs, volume, storage } = inside;
        const counter = new Counter(storage);
        const line = new Uint8Array(200).fill(65);
        await fs.writeFile(PATH, new Uint8Array(0));
        for (let i = 0; i < 4000; i++) await fs.appendFile(PATH, line);
        // 20 appends fill a row, and a row is an entry of a leaf: of 4000 versions, 200 have a tree of their own.
        expect(count(inside, "ws_content")).toBeLessThanOrEqual(210);
        expect(nodeBytes(inside)).toBeLessThan(4000 * 60);
        expect(storage.sql.databaseSize).toBeLessThan(3 * 800_000);
        const cost = await counter.of(() => fs.appendFile(PATH, line));
        expect(cost.statements).toBeLessThanOrEqual(8);
        expect(cost.rowsRead + cost.rowsWritten).toBeLessThanOrEqual(20);
        Object.assign(volume.store.retention, { entries: 10 });
        await maintainAll(volume, counter);
        expect(nodeBytes(inside)).toBeLessThan(10_000);
        expect((await fs.readFile(PATH)).every((byte) => byte === 65)).toBe(true);
        expect((await fs.stat(PATH)).size).toBe(4001 * 200);
        expect((await fsck(volume)).problems).toEqual([]);
      },
      { limits: LIMITS, retention: KEEP },
    );
  });

  it("takes the same for each positional write, whatever the number of pieces", async () => {
    await inObject(
      async (inside) => {
        const { fs, volume, storage } = inside;
        const counter = new Counter(storage);
        const random = sequence(1);
        const expected = new Uint8Array(400_000).fill(66);
        await fs.writeFile(PATH, expected);
        const grownBy: number[] = [];
        const costs: Cost[] = [];
        for (let round = 0; round < 4; round++) {
          const before = nodeBytes(inside) + number(inside, "SELECT sum(length(bytes)) FROM ws_content");
          for (let i = 0; i < 500; i++) {
            const at = random(399_980);
            const bytes = new Uint8Array(20).fill(i);
            expected.set(bytes, at);
            costs.push(await counter.of(() => patch(fs, PATH, at, bytes)));
          }
          grownBy.push(nodeBytes(inside) + number(inside, "SELECT sum(length(bytes)) FROM ws_content") - before);
        }
        // A few nodes and 20 bytes each; a leaf that is full of pieces is made one row, which is part of it.
        for (const bytes of grownBy) expect(bytes / 500).toBeLessThan(2500);
        for (const { statements, rowsWritten } of costs) {
          expect(statements).toBeLessThanOrEqual(25);
          expect(rowsWritten).toBeLessThanOrEqual(15);
        }
        expect((await fs.readFile(PATH)).join()).toBe(expected.join());
        // A page is found by the few nodes above it, and no other is read.
        const read = await counter.of(() => fs.readRange(PATH, 200_000, 1000));
        expect(read.statements).toBeLessThanOrEqual(8);
        expect(read.rowsRead).toBeLessThan(100);
        Object.assign(volume.store.retention, { entries: 10 });
        await maintainAll(volume, counter);
        expect((await fs.readFile(PATH)).join()).toBe(expected.join());
        expect((await fsck(volume)).problems).toEqual([]);
        await fs.rm(PATH);
        Object.assign(volume.store.retention, { entries: 0 });
        await maintainAll(volume, counter);
        expect([count(inside, "ws_content"), count(inside, "ws_node")]).toEqual([0, 0]);
      },
      { limits: LIMITS, retention: KEEP },
    );
  });

  it("is freed in small steps while files are written, with copies and snapshots that keep parts of it", async () => {
    await inObject(
      async (inside) => {
        const { fs, volume, storage } = inside;
        const counter = new Counter(storage);
        const snapshots = createSnapshots(volume);
        const random = sequence(2);
        const files = new Map<string, Uint8Array>([[PATH, new Uint8Array(100_000).fill(1)]]);
        await fs.writeFile(PATH, files.get(PATH) as Uint8Array);
        for (let i = 0; i < 900; i++) {
          const [path, bytes] = [...files][random(files.size)] as [string, Uint8Array];
          const kind = random(10);
          let after = bytes;
          if (kind < 4) {
            after = new Uint8Array(bytes.length + 100).fill(i);
            after.set(bytes);
            await fs.appendFile(path, after.subarray(bytes.length));
          } else if (kind < 8) {
            const at = random(bytes.length - 50);
            after = bytes.slice();
            after.fill(i, at, at + 50);
            await patch(fs, path, at, after.subarray(at, at + 50));
          } else {
            after = bytes.slice(0, bytes.length - random(500));
            await fs.truncate(path, after.length);
          }
          files.set(path, after);
          if (i % 150 === 50) {
            await fs.copyFile(path, `${PATH}-${i}`);
            files.set(`${PATH}-${i}`, after);
          }
          if (i % 200 === 100) await snapshots.create(`after ${i}`);
          if (i % 10 === 0) expectSmall(await counter.of(() => maintain(volume)));
        }
        await maintainAll(volume, counter);
        for (const [path, bytes] of files) expect((await fs.readFile(path)).join()).toBe(bytes.join());
        for (const { id } of await snapshots.list()) await snapshots.remove(id);
        await maintainAll(volume, counter);
        for (const [path, bytes] of files) expect((await fs.readFile(path)).join()).toBe(bytes.join());
        expect((await fsck(volume)).problems).toEqual([]);
      },
      { limits: LIMITS, retention: { ...KEEP, entries: 50 } },
    );
  });

  it("takes the same for each write after an undo", async () => {
    await inObject(
      async (inside) => {
        const { fs, volume } = inside;
        const snapshots = createSnapshots(volume);
        const random = sequence(3);
        await fs.writeFile(PATH, new Uint8Array(400_000).fill(7));
        for (let i = 0; i < 300; i++) await patch(fs, PATH, random(399_980), new Uint8Array(20).fill(i));
        const before = nodeBytes(inside);
        for (let i = 0; i < 200; i++) {
          const { id } = await snapshots.create();
          await patch(fs, PATH, random(399_980), new Uint8Array(20).fill(i));
          await snapshots.restore(id);
          await snapshots.remove(id);
          await patch(fs, PATH, random(399_980), new Uint8Array(20).fill(i));
        }
        expect((nodeBytes(inside) - before) / 400).toBeLessThan(2500);
        await gc(volume, NOTHING);
        // One version is left, and no other stays for the sake of those that are gone.
        expect(number(inside, "SELECT count(*) FROM ws_node WHERE origin IS NOT NULL")).toBe(1);
        expect((await fsck(volume)).problems).toEqual([]);
      },
      { limits: LIMITS, retention: KEEP },
    );
  });

  it("keeps a version that connects three others, and a purge takes what only that one has", async () => {
    await inObject(
      async (inside) => {
        const { fs, volume } = inside;
        const secret = new TextEncoder().encode("the secret");
        const copies = ["a", "b", "c"].map((name) => `/workspace/${name}`);
        await fs.writeFile(PATH, new Uint8Array(100_000).fill(7));
        await patch(fs, PATH, 50_000, secret);
        for (const [i, copy] of copies.entries()) {
          await fs.copyFile(PATH, copy);
          // Each changes another part, and all of them overwrite the secret.
          await patch(fs, copy, 20_000 * (i + 1), new Uint8Array(100).fill(i));
          await patch(fs, copy, 49_990, new Uint8Array(100).fill(i));
        }
        await fs.rm(PATH);
        await gc(volume, NOTHING);
        const unowned = () => number(inside, "SELECT count(*) FROM ws_node WHERE unowned = 1");
        const secrets = () =>
          number(inside, "SELECT count(*) FROM ws_content WHERE instr(bytes, CAST('the secret' AS BLOB))");
        expect([unowned(), secrets()]).toEqual([1, 1]);
        expect((await fsck(volume)).problems).toEqual([]);
        await createHistory(volume).purge("/workspace");
        expect([unowned(), secrets()]).toEqual([1, 0]);
        expect((await fsck(volume)).problems).toEqual([]);
        await fs.rm(copies[0] as string);
        await gc(volume, NOTHING);
        expect(unowned()).toBe(0);
        for (const [i, copy] of copies.entries())
          if (i > 0) expect((await fs.readRange(copy, 49_980, 130)).filter((byte) => byte === i)).toHaveLength(100);
        expect((await fsck(volume)).problems).toEqual([]);
        for (const copy of copies.slice(1)) await fs.rm(copy);
        await gc(volume, NOTHING);
        expect([count(inside, "ws_content"), count(inside, "ws_node")]).toEqual([0, 0]);
      },
      { limits: LIMITS, retention: KEEP },
    );
  });

  it("counts as history what was replaced, not the whole file", async () => {
    await inObject(
      async ({ fs, volume }) => {
        await fs.writeFile(PATH, new Uint8Array(400_000));
        const before = volume.store.retainedBytes;
        for (let i = 0; i < 100; i++) await patch(fs, PATH, i * 1000, new Uint8Array(20));
        expect(volume.store.retainedBytes - before).toBeLessThan(100 * 4000);
      },
      { limits: LIMITS, retention: KEEP },
    );
  });
});
