/**
 * Streams entries as a zip. Contents in memory have their sizes in the header; a large file has them behind it (data descriptor).
 * Names are UTF-8, modes and links are stored as on Unix. Beyond 65 534 entries, or 4 GiB, the central directory is zip64.
 */
import type { ArchiveEntry } from "./archive-entry.ts";
import { crc32 } from "./crc32.ts";

const encoder = new TextEncoder();
const S_IF = { file: 0o100000, dir: 0o040000, symlink: 0o120000 } as const;
const MAX16 = 0xffff;
const MAX32 = 0xffffffff;
const UTF8 = 0x0800;
const SIZES_FOLLOW = 0x0008;

interface WrittenZipEntry {
  name: Uint8Array;
  flags: number;
  method: number;
  time: number;
  crc: number;
  packed: number;
  size: number;
  external: number;
  offset: number;
}

export async function* writeZip(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  const written: WrittenZipEntry[] = [];
  let offset = 0;
  for await (const entry of entries) {
    for await (const part of writeEntry(entry, offset, written)) {
      offset += part.length;
      yield part;
    }
  }
  const start = offset;
  for (const one of written) {
    const part = directoryEntry(one);
    offset += part.length;
    yield part;
  }
  yield* end(written.length, start, offset - start);
}

async function* writeEntry(
  entry: ArchiveEntry,
  offset: number,
  written: WrittenZipEntry[],
): AsyncGenerator<Uint8Array> {
  const { type, name, mode, mtimeMs, size, target = "", content } = entry;
  const streamed = content !== undefined && !(content instanceof Uint8Array);
  const small =
    type === "symlink" ? encoder.encode(target) : content instanceof Uint8Array ? content : new Uint8Array();
  const deflated = type === "file" && !streamed && small.length > 64 ? await collect(deflate(one(small))) : small;
  const smaller = deflated.length < small.length;
  const record: WrittenZipEntry = {
    name: encoder.encode(type === "dir" ? `${name}/` : name),
    flags: UTF8 | (streamed ? SIZES_FOLLOW : 0),
    method: streamed || smaller ? 8 : 0,
    time: dosTime(mtimeMs),
    crc: streamed ? 0 : crc32(small),
    packed: streamed ? 0 : smaller ? deflated.length : small.length,
    size: streamed ? 0 : small.length,
    external: ((S_IF[type] | mode) << 16) | (type === "dir" ? 0x10 : 0),
    offset,
  };
  yield localHeader(record);
  if (streamed) {
    const sums = { crc: 0 };
    for await (const part of deflate(summed(content, sums))) {
      record.packed += part.length;
      yield part;
    }
    record.crc = sums.crc;
    record.size = size;
    yield fields([4, 0x08074b50], [4, record.crc], [4, record.packed], [4, record.size]);
  } else {
    yield smaller ? deflated : small;
  }
  written.push(record);
}

function localHeader({ name, flags, method, time, crc, packed, size }: WrittenZipEntry): Uint8Array {
  const sizes = [crc, packed, size].map((value) => [4, value] as [number, number]);
  const head = fields([4, 0x04034b50], [2, 20], [2, flags], [2, method], [4, time], ...sizes, [2, name.length], [2, 0]);
  return joined(head, name);
}

function directoryEntry(one: WrittenZipEntry): Uint8Array {
  const { name, flags, method, time, crc, packed, size, external, offset } = one;
  const far = offset >= MAX32;
  const extra = far ? fields([2, 1], [2, 8], [8, offset]) : new Uint8Array();
  const head = fields(
    ...([
      [4, 0x02014b50],
      [2, (3 << 8) | 45],
      [2, far ? 45 : 20],
      [2, flags],
      [2, method],
      [4, time],
    ] as [number, number][]),
    ...([
      [4, crc],
      [4, packed],
      [4, size],
      [2, name.length],
      [2, extra.length],
    ] as [number, number][]),
    ...([
      [2, 0],
      [2, 0],
      [2, 0],
      [4, external],
      [4, far ? MAX32 : offset],
    ] as [number, number][]),
  );
  return joined(head, name, extra);
}

function* end(count: number, start: number, size: number): Generator<Uint8Array> {
  if (count >= MAX16 || start >= MAX32) {
    const at = start + size;
    yield fields(
      [4, 0x06064b50],
      [8, 44],
      [2, 45],
      [2, 45],
      [4, 0],
      [4, 0],
      [8, count],
      [8, count],
      [8, size],
      [8, start],
    );
    yield fields([4, 0x07064b50], [4, 0], [8, at], [4, 1]);
  }
  const few = Math.min(count, MAX16);
  yield fields([4, 0x06054b50], [2, 0], [2, 0], [2, few], [2, few], [4, size], [4, Math.min(start, MAX32)], [2, 0]);
}

/** Little-endian numbers, each with its width in bytes. */
function fields(...values: [bytes: number, value: number][]): Uint8Array {
  const block = new Uint8Array(values.reduce((sum, [bytes]) => sum + bytes, 0));
  const view = new DataView(block.buffer);
  let at = 0;
  for (const [bytes, value] of values) {
    if (bytes === 2) view.setUint16(at, value, true);
    else if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  return block;
}

function dosTime(mtimeMs: number): number {
  const date = new Date(mtimeMs);
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107);
  const day = ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* summed(chunks: AsyncIterable<Uint8Array>, sums: { crc: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    sums.crc = crc32(chunk, sums.crc);
    yield chunk;
  }
}

async function* deflate(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new CompressionStream("deflate-raw");
  const writer = writable.getWriter();
  const feed = async () => {
    try {
      for await (const chunk of chunks) await writer.write(chunk);
      await writer.close();
    } catch (error) {
      await writer.abort(error).catch(() => {});
    }
  };
  const fed = feed();
  yield* readable as unknown as AsyncIterable<Uint8Array>;
  await fed;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return joined(...parts);
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
