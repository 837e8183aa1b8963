/** What a read costs: the window, whatever the file's size. Counted as bytes that come out of the storage. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createToolset } from "@cloudflare/fs-tools";
import { Workspace } from "@cloudflare/workspace";
import { expect, it } from "vitest";

const MIB = 1024 * 1024;
const SIZE = 1024 * MIB;

function countReads(storage: DurableObjectStorage): { bytes: number } {
  const { sql } = storage;
  const exec = sql.exec;
  const read = { bytes: 0 };
  Object.defineProperty(sql, "exec", {
    configurable: true,
    value: (text: string, ...values: SqlStorageValue[]) => {
      const cursor = exec.call(sql, text, ...values);
      const raw = cursor.raw;
      Object.defineProperty(cursor, "raw", {
        value: function* () {
          for (const row of raw.call(cursor)) {
            for (const value of row as unknown[]) read.bytes += (value as ArrayBuffer | null)?.byteLength ?? 0;
            yield row;
          }
        },
      });
      return cursor;
    },
  });
  return read;
}

it("read of the middle of a large file touches less than 1 MiB", { timeout: 1_800_000 }, async () => {
  await runInDurableObject(env.BARE.getByName("large read"), async (_object, { storage }) => {
    const workspace = new Workspace({ storage });
    const line = new TextEncoder().encode(`${"0123456789abcdef".repeat(4).slice(0, 63)}\n`);
    const chunk = new Uint8Array(MIB);
    for (let at = 0; at < MIB; at += 64) chunk.set(line, at);
    let left = SIZE / MIB;
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => (left-- > 0 ? controller.enqueue(chunk.slice()) : controller.close()),
    });
    await workspace.fs.writeFile("/workspace/huge.log", source);
    const toolset = await createToolset({ workspace });
    const read = countReads(storage);
    const middle = await toolset.handle("read", { path: "huge.log", byteOffset: SIZE / 2, maxBytes: 1000 });
    expect(middle.structured).toMatchObject({ size: SIZE, nextByteOffset: SIZE / 2 + 1000, truncated: true });
    expect(read.bytes).toBeLessThan(MIB);
    read.bytes = 0;
    const lines = await toolset.handle("read", { path: "huge.log", offset: 100, limit: 10 });
    expect(lines.structured).toMatchObject({ startLine: 100, endLine: 109, nextOffset: 110 });
    // By lines, what is before the window is scanned, and nothing after it.
    expect(read.bytes).toBeLessThan(3 * MIB);
  });
});
