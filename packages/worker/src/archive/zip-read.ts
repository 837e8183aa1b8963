/**
 * Reads the entries of a zip by its central directory, the only authority on its contents. The directory must agree with each local
 * header, sizes and checksums must match, and entries may not share bytes. Encrypted entries and other compression methods are
 * refused.
 */
import type { ArchiveBudget } from "./archive-budget.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import { crc32 } from "./crc32.ts";
import { archiveError, checkLink, entryName } from "./entry-name.ts";
import { inflate } from "./tar-read.ts";

export interface RandomAccess {
  readonly size: number;
  /** Exactly `length` bytes. */
  read(start: number, length: number): Promise<Uint8Array>;
}

const END = 22;
const MAX_COMMENT = 0xffff;
/** Of the central directory, which is held in memory. */
const MAX_DIRECTORY = 32 * 1024 * 1024;
const PIECE = 1024 * 1024;
const MAX_TARGET = 4096;

interface ZipEntry {
  name: Uint8Array;
  flags: number;
  method: number;
  time: number;
  crc: number;
  packed: number;
  size: number;
  mode: number;
  offset: number;
}

export async function* readZip(zip: RandomAccess, budget: ArchiveBudget): AsyncGenerator<ArchiveEntry> {
  const listed = await directory(zip, budget);
  let bytes = 0;
  for (const { packed, name } of listed) bytes += packed + name.length + 30;
  if (bytes > zip.size) throw archiveError("its entries overlap");
  for (const one of listed) {
    await budget.spendHeader();
    yield toArchiveEntry(one, zip, budget);
  }
}

async function toArchiveEntry(one: ZipEntry, zip: RandomAccess, budget: ArchiveBudget): Promise<ArchiveEntry> {
  const raw = utf8(one.name);
  const name = entryName(raw);
  const kind = one.mode & 0o170000;
  const common = { name, mode: one.mode & 0o777, mtimeMs: fromDos(one.time) };
  if (raw.endsWith("/") || kind === 0o040000) return { ...common, mode: common.mode || 0o755, type: "dir", size: 0 };
  const content = entryContent(one, zip, budget);
  if (kind === 0o120000) {
    if (one.size > MAX_TARGET) throw archiveError("a link in it is too long");
    const target = utf8(await whole(content, one.size));
    checkLink(name, target);
    return { ...common, type: "symlink", size: 0, target };
  }
  if (kind !== 0 && kind !== 0o100000) throw archiveError("an entry is no file, directory or link");
  return { ...common, mode: common.mode || 0o644, type: "file", size: one.size, content };
}

/** All entries of the central directory. */
async function directory(zip: RandomAccess, budget: ArchiveBudget): Promise<ZipEntry[]> {
  const { start, size, count } = await findCentralDirectory(zip);
  budget.checkHeaders(count);
  if (size > MAX_DIRECTORY || start + size > zip.size) throw archiveError("its directory is damaged or too large");
  const bytes = await zip.read(start, size);
  const view = viewOf(bytes);
  const listed: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > size || view.getUint32(at, true) !== 0x02014b50) throw archiveError("its directory is damaged");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ];
    const next = at + 46 + nameLength + extraLength + commentLength;
    if (next > size) throw archiveError("its directory is damaged");
    const extra = bytes.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const created = view.getUint8(at + 5);
    listed.push({
      name: bytes.subarray(at + 46, at + 46 + nameLength),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      time: view.getUint32(at + 12, true),
      crc: view.getUint32(at + 16, true),
      // Only Unix stores a mode.
      mode: created === 3 ? view.getUint32(at + 38, true) >>> 16 : 0,
      ...wide(extra, {
        size: view.getUint32(at + 24, true),
        packed: view.getUint32(at + 20, true),
        offset: view.getUint32(at + 42, true),
      }),
    });
    at = next;
  }
  return listed;
}

async function findCentralDirectory(zip: RandomAccess): Promise<{ start: number; size: number; count: number }> {
  const length = Math.min(zip.size, END + MAX_COMMENT);
  const tail = await zip.read(zip.size - length, length);
  const view = viewOf(tail);
  for (let at = tail.length - END; at >= 0; at--) {
    if (view.getUint32(at, true) !== 0x06054b50 || at + END + view.getUint16(at + 20, true) !== tail.length) continue;
    const found = {
      count: view.getUint16(at + 10, true),
      size: view.getUint32(at + 12, true),
      start: view.getUint32(at + 16, true),
    };
    const isWide = found.count === 0xffff || found.start === 0xffffffff || found.size === 0xffffffff;
    return isWide ? wideEnd(zip, zip.size - length + at) : found;
  }
  throw archiveError("it is no zip");
}

async function wideEnd(zip: RandomAccess, endAt: number): Promise<{ start: number; size: number; count: number }> {
  const locator = endAt < 20 ? null : viewOf(await zip.read(endAt - 20, 20));
  if (locator?.getUint32(0, true) !== 0x07064b50) throw archiveError("its directory is damaged");
  const at = big(locator, 8);
  if (at + 56 > zip.size) throw archiveError("its directory is damaged");
  const view = viewOf(await zip.read(at, 56));
  if (view.getUint32(0, true) !== 0x06064b50) throw archiveError("its directory is damaged");
  return { count: big(view, 32), size: big(view, 40), start: big(view, 48) };
}

/** Zip64: numbers that did not fit are in an extra field, in this order, each only if needed. */
function wide<T extends { size: number; packed: number; offset: number }>(extra: Uint8Array, numbers: T): T {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    let field = at + 4;
    for (const key of ["size", "packed", "offset"] as const) {
      if (numbers[key] !== 0xffffffff) continue;
      if (field + 8 > extra.length) throw archiveError("its directory is damaged");
      numbers[key] = big(view, field);
      field += 8;
    }
  }
  return numbers;
}

async function* entryContent(one: ZipEntry, zip: RandomAccess, budget: ArchiveBudget): AsyncGenerator<Uint8Array> {
  if ((one.flags & 0x2041) !== 0) throw archiveError("an entry is encrypted");
  if (one.method !== 0 && one.method !== 8)
    throw archiveError("an entry is compressed in a way that is not known here");
  if (one.offset + 30 + one.packed > zip.size) throw archiveError("an entry lies outside of it");
  const head = viewOf(await zip.read(one.offset, 30));
  const nameLength = head.getUint16(26, true);
  const start = one.offset + 30 + nameLength + head.getUint16(28, true);
  if (head.getUint32(0, true) !== 0x04034b50 || start + one.packed > zip.size)
    throw archiveError("an entry is damaged");
  const name = await zip.read(one.offset + 30, nameLength);
  if (name.length !== one.name.length || name.some((byte, i) => byte !== one.name[i]))
    throw archiveError("its directory and its entries do not agree");
  const packed = pieces(zip, start, one.packed);
  let size = 0;
  let crc = 0;
  for await (const chunk of one.method === 0 ? packed : inflate(packed, "deflate-raw")) {
    await budget.spendBytes(chunk.length);
    size += chunk.length;
    if (size > one.size) break;
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (size !== one.size || crc !== one.crc) throw archiveError("an entry is not what its directory says");
}

async function* pieces(zip: RandomAccess, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += PIECE) yield await zip.read(start + at, Math.min(PIECE, length - at));
}

async function whole(content: AsyncIterable<Uint8Array>, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for await (const chunk of content) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function big(view: DataView, at: number): number {
  const value = Number(view.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw archiveError("a number in it is too large");
  return value;
}

function fromDos(time: number): number {
  const [day, seconds] = [time >>> 16, time & 0xffff];
  const date = [1980 + (day >> 9), ((day >> 5) & 15) - 1, day & 31] as const;
  return Date.UTC(...date, seconds >> 11, (seconds >> 5) & 63, (seconds & 31) * 2);
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw archiveError("a name in it is not UTF-8", cause);
  }
}
