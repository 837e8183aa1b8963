/** Small packs that demand unbounded work are refused before it is done: the tests count bytes and pauses, never time. */
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { createWorkBudget, type WorkBudget } from "@workspace/protocol";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createNodeFileSystem } from "../../node/node-file-system.ts";
import { defaultGitLimits } from "../limits.ts";
import { MemoryBudget } from "../memory/memory-budget.ts";
import { indexPack } from "./index-pack.ts";

const MiB = 1024 * 1024;
const unbounded = { steps: Number.POSITIVE_INFINITY, stretchSteps: Number.POSITIVE_INFINITY };
let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pack-work-"));
});
afterEach(() => {
  expect(readdirSync(directory).filter((name) => name.startsWith("tmp_"))).toEqual([]);
  rmSync(directory, { recursive: true });
});

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];

type Entry =
  | { type: 1 | 2 | 3; body: Uint8Array; size?: number }
  /** `back`: so many entries before. */
  | { type: 6; back: number; body: Uint8Array }
  | { type: 7; base: string; body: Uint8Array };

function packOf(entries: readonly Entry[], count = entries.length): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  const parts: Buffer[] = [head];
  const offsets: number[] = [];
  let at = 12;
  for (const entry of entries) {
    offsets.push(at);
    const size = "size" in entry && entry.size !== undefined ? entry.size : entry.body.length;
    const header = [(entry.type << 4) | (size % 16) | (size > 15 ? 128 : 0)];
    if (size > 15) header.push(...varint(Math.floor(size / 16)));
    if (entry.type === 6) header.push(...offsetBytes(at - (offsets[offsets.length - 1 - entry.back] as number)));
    const name = entry.type === 7 ? Buffer.from(entry.base, "hex") : Buffer.alloc(0);
    const whole = Buffer.concat([Buffer.from(header), name, deflateSync(entry.body)]);
    parts.push(whole);
    at += whole.length;
  }
  const content = Buffer.concat(parts);
  return Buffer.concat([content, createHash("sha1").update(content).digest()]);
}

function offsetBytes(value: number): number[] {
  const bytes = [value & 127];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((--rest & 127) | 128);
  return bytes;
}

/** A delta that copies its base twice: as many instructions as it takes, for bases over 16 MiB as one of the same. */
function doubling(size: number): Uint8Array {
  const copies: number[] = [];
  for (let turn = 0; turn < 2; turn++) {
    for (let from = 0; from < size && copies.length < 4000; from += 0xffffff) {
      const length = Math.min(0xffffff, size - from);
      const offset = from >>> 0;
      copies.push(0xff, offset & 255, (offset >> 8) & 255, (offset >> 16) & 255, (offset >>> 24) & 255);
      copies.push(length & 255, (length >> 8) & 255, (length >> 16) & 255);
    }
  }
  return Uint8Array.from([...varint(size), ...varint(2 * size), ...copies]);
}

function doublingPack(times: number): Buffer {
  const entries: Entry[] = [{ type: 3, body: new Uint8Array(1024).fill(97) }];
  for (let i = 0, size = 1024; i < times; i++, size *= 2) entries.push({ type: 6, back: 1, body: doubling(size) });
  return packOf(entries);
}

async function index(pack: Buffer, work: WorkBudget = createWorkBudget(unbounded), piece = 65_536) {
  const stream = (async function* () {
    for (let at = 0; at < pack.length; at += piece) yield new Uint8Array(pack.subarray(at, at + piece));
  })();
  const memory = new MemoryBudget(defaultGitLimits.memory);
  const context = { fs: createNodeFileSystem(), directory, memory, limits: defaultGitLimits, work };
  const result = await indexPack(context, stream).then(
    ({ objects }) => `${objects} objects`,
    (error: Error) => error.message,
  );
  expect(memory.live).toBe(0);
  return { result, used: work.used };
}

const tooMuch = /^the pack's objects come to more than \d+ bytes, the limit for a pack of its size$/;

it.each([
  ["4 GiB", 22],
  ["2^50 bytes", 40],
])("indexPack refuses deltas that double to %s before they are resolved", async (_, times) => {
  const pack = doublingPack(times);
  expect(pack.length).toBeLessThan(100_000);
  const { result, used } = await index(pack);
  expect(result).toMatch(tooMuch);
  // Those before were resolved as they came.
  expect(used.bytes).toBeLessThan(300 * MiB);
});

it("indexPack lets others run while deltas of 128 MiB are resolved", async () => {
  const { result, used } = await index(doublingPack(16));
  expect(result).toBe("17 objects");
  expect(used.pauses).toBeGreaterThan(20);
});

it("indexPack refuses many deltas on one large base before they are resolved", async () => {
  const base = new Uint8Array(4 * MiB);
  const delta = Uint8Array.from([...varint(base.length), ...varint(base.length), 0x80 | 0x40, 64]);
  const entries: Entry[] = [{ type: 3, body: base }];
  for (let i = 1; i < 1000; i++) entries.push({ type: 6, back: i, body: delta });
  const { result, used } = await index(packOf(entries));
  expect(result).toMatch(tooMuch);
  expect(used.bytes).toBeLessThan(400 * MiB);
  // No stretch without a pause is longer than one object and what makes a pause due.
  expect(used.longestStretch).toBeLessThan((3 * base.length) / 16 + 200_000);
});

it("indexPack ends when its signal is aborted, in the middle of one piece of input", async () => {
  const controller = new AbortController();
  const work = createWorkBudget(unbounded, controller.signal);
  setTimeout(() => controller.abort(), 0);
  const { result, used } = await index(doublingPack(16), work);
  expect(result).toBe("aborted");
  expect(used.pauses).toBe(1);
});

it("indexPack pauses within one object that inflates to 200 MiB", async () => {
  const { result, used } = await index(packOf([{ type: 3, body: new Uint8Array(200 * MiB) }]));
  expect(result).toBe("1 objects");
  expect(used.pauses).toBeGreaterThan(30);
  expect(used.longestStretch).toBeLessThan(400_000);
});

it.each<[string, () => Buffer, RegExp]>([
  [
    "a stated size of 2^40 bytes",
    () => packOf([{ type: 3, body: new Uint8Array(10), size: 2 ** 40 }]),
    /come to more than|too large/,
  ],
  [
    "a delta that states a result of 2^48 bytes",
    () =>
      packOf([
        { type: 3, body: new Uint8Array(10) },
        { type: 6, back: 1, body: Uint8Array.from([10, ...varint(2 ** 48), 0x90, 10]) },
      ]),
    tooMuch,
  ],
  [
    "a delta that is its own base",
    () =>
      packOf([
        { type: 3, body: new Uint8Array(10) },
        { type: 6, back: 0, body: Uint8Array.from([10, 10, 0x90, 10]) },
      ]),
    /delta base offset|offset is out of bound|bad object/,
  ],
  [
    "named deltas in a circle",
    () =>
      packOf([
        { type: 7, base: "11".repeat(20), body: Uint8Array.from([1, 1, 1, 97]) },
        { type: 7, base: "22".repeat(20), body: Uint8Array.from([1, 1, 1, 97]) },
      ]),
    /2 unresolved deltas/,
  ],
  [
    "more objects than it says",
    () =>
      packOf(
        [
          { type: 3, body: new Uint8Array(10) },
          { type: 3, body: new Uint8Array(9) },
        ],
        1,
      ),
    /junk at the end|SHA1/,
  ],
  [
    "fewer objects than it says",
    () => packOf([{ type: 3, body: new Uint8Array(10) }], 3),
    /bad object|early EOF|header|unknown/,
  ],
])("indexPack refuses a pack with %s", async (_, makePack, expected) => {
  const { result, used } = await index(makePack());
  expect(result).toMatch(expected);
  expect(used.bytes).toBeLessThan(100_000);
});
