/** A gigabyte through the file system, with a bound on how much of it is held: counted as what came in less what went to rows. */
import { fsck } from "@workspace/vfs";
import { expect, it } from "vitest";
import { inObject } from "../support/workerd/in-object.ts";

const MIB = 1024 * 1024;
const SIZE = 1024 * MIB;
const CHUNK = 64 * 1024;
const BOUND = 8 * MIB;

/** Bytes bound to, and read from, the storage's statements. */
function meter(storage: DurableObjectStorage): { written: number; read: number } {
  const { sql } = storage;
  const exec = sql.exec;
  const bytes = { written: 0, read: 0 };
  Object.defineProperty(sql, "exec", {
    configurable: true,
    value: (text: string, ...values: SqlStorageValue[]) => {
      for (const value of values) bytes.written += (value as ArrayBuffer | null)?.byteLength ?? 0;
      const cursor = exec.call(sql, text, ...values);
      const raw = cursor.raw;
      Object.defineProperty(cursor, "raw", {
        value: function* () {
          for (const row of raw.call(cursor)) {
            for (const value of row as unknown[]) bytes.read += (value as ArrayBuffer | null)?.byteLength ?? 0;
            yield row;
          }
        },
      });
      return cursor;
    },
  });
  return bytes;
}

function fill(chunk: Uint32Array, index: number): void {
  for (let i = 0; i < chunk.length; i++) chunk[i] = (index * 2654435761 + i) >>> 0;
}

function wordAt(offset: number): number {
  return (Math.floor(offset / CHUNK) * 2654435761 + (offset % CHUNK) / 4) >>> 0;
}

it("writeFile and readStream move 1 GiB with at most 8 MiB of it in memory", { timeout: 1_800_000 }, async () => {
  await inObject(async ({ fs, volume, storage }) => {
    const bytes = meter(storage);
    let produced = 0;
    let max = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (produced === SIZE) return controller.close();
          const chunk = new Uint32Array(CHUNK / 4);
          fill(chunk, produced / CHUNK);
          produced += CHUNK;
          controller.enqueue(new Uint8Array(chunk.buffer));
          max = Math.max(max, produced - bytes.written);
        },
      },
      { highWaterMark: 0 },
    );
    expect(await fs.writeFile("/workspace/giant", source)).toMatchObject({ size: SIZE });
    expect(max).toBeGreaterThan(0);
    expect(max).toBeLessThanOrEqual(BOUND);

    bytes.read = 0;
    max = 0;
    let taken = 0;
    let wrong = 0;
    const reader = (await fs.readStream("/workspace/giant")).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      max = Math.max(max, bytes.read - taken);
      // Every word at a stride that meets all rows; the parts need not be those that were written.
      for (let at = (4 - (taken % 4)) % 4; at + 4 <= part.value.length; at += 4 * 97) {
        const word = new DataView(part.value.buffer, part.value.byteOffset + at, 4).getUint32(0, true);
        if (word !== wordAt(taken + at)) wrong++;
      }
      taken += part.value.length;
    }
    expect([taken, wrong]).toEqual([SIZE, 0]);
    expect(max).toBeLessThanOrEqual(BOUND);

    // From the middle: no more is read than was asked for, but for the rows at both ends.
    bytes.read = 0;
    const middle = await fs.readRange("/workspace/giant", SIZE / 2 + 1, 1000);
    expect(middle.length).toBe(1000);
    expect(bytes.read).toBeLessThanOrEqual(2 * 128 * 1024);
    expect((await fsck(volume)).problems).toEqual([]);
  });
});

it("appendFile and positional writes on a large file touch only the rows they change", async () => {
  await inObject(async ({ fs, volume, storage }) => {
    await fs.writeFile("/workspace/large", new Uint8Array(20 * MIB).fill(1));
    const bytes = meter(storage);
    for (let i = 0; i < 20; i++) await fs.appendFile("/workspace/large", "a line at the end\n");
    expect(bytes.written).toBeLessThan(20 * 1024);
    bytes.written = 0;
    await using handle = await fs.open("/workspace/large", "r+");
    await handle.write(new Uint8Array(10), 0, 10, 7 * MIB);
    await handle.sync();
    expect(bytes.written).toBeLessThan(1024);
    expect((await fs.readRange("/workspace/large", 7 * MIB - 1, 12)).join()).toBe("1,0,0,0,0,0,0,0,0,0,0,1");
    expect((await fsck(volume)).problems).toEqual([]);
  });
});
