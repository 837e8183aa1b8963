/**
 * The central directory of a zip, at its end. Entries may not share bytes with each other or with the directory, and everything
 * between the directory's start and the end of the file must be accounted for, so that no second directory can hide there.
 */
import type { ArchiveBudget } from "./archive-budget.ts";
import { invalidArchive } from "./archive-error.ts";
import type { RandomAccess } from "./random-access.ts";

const END_SIGNATURE = 0x06054b50;
const END_SIZE = 22;
const MAX_COMMENT = 0xffff;
/** Of the directory, which is held in memory. */
const MAX_DIRECTORY = 32 * 1024 * 1024;
const MAX16 = 0xffff;
const MAX32 = 0xffffffff;

export interface ZipEntry {
  name: Uint8Array;
  flags: number;
  method: number;
  time: number;
  crc: number;
  packed: number;
  size: number;
  mode: number;
  offset: number;
  /** Where the next entry or the directory begins. */
  end: number;
}

interface DirectoryPosition {
  start: number;
  size: number;
  count: number;
}

export async function readCentralDirectory(zip: RandomAccess, budget: ArchiveBudget): Promise<ZipEntry[]> {
  const { start, size, count } = await findDirectory(zip);
  budget.checkHeaders(count);
  if (size > MAX_DIRECTORY || start + size > zip.size) throw damaged("or too large");
  await budget.spendBytes(size);
  const bytes = await zip.read(start, size);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    await budget.spendHeader();
    const { entry, next } = directoryEntry(bytes, at);
    entries.push(entry);
    at = next;
  }
  if (at !== size) throw damaged();
  setEnds(entries, start);
  return entries;
}

function directoryEntry(bytes: Uint8Array, at: number): { entry: ZipEntry; next: number } {
  const fields = view(bytes);
  if (at + 46 > bytes.length || fields.getUint32(at, true) !== 0x02014b50) throw damaged();
  const nameEnd = at + 46 + fields.getUint16(at + 28, true);
  const extraEnd = nameEnd + fields.getUint16(at + 30, true);
  const next = extraEnd + fields.getUint16(at + 32, true);
  if (next > bytes.length) throw damaged();
  const isUnix = fields.getUint8(at + 5) === 3;
  const entry = {
    name: bytes.subarray(at + 46, nameEnd),
    flags: fields.getUint16(at + 8, true),
    method: fields.getUint16(at + 10, true),
    time: fields.getUint32(at + 12, true),
    crc: fields.getUint32(at + 16, true),
    // Only Unix stores a mode.
    mode: isUnix ? fields.getUint32(at + 38, true) >>> 16 : 0,
    end: 0,
    ...zip64Numbers(bytes.subarray(nameEnd, extraEnd), {
      size: fields.getUint32(at + 24, true),
      packed: fields.getUint32(at + 20, true),
      offset: fields.getUint32(at + 42, true),
    }),
  };
  return { entry, next };
}

function setEnds(entries: readonly ZipEntry[], directoryStart: number): void {
  let end = directoryStart;
  for (const entry of entries.toSorted((a, b) => b.offset - a.offset)) {
    entry.end = end;
    if (entry.offset + 30 + entry.name.length + entry.packed > end) throw invalidArchive("its entries overlap");
    end = entry.offset;
  }
}

async function findDirectory(zip: RandomAccess): Promise<DirectoryPosition> {
  const length = Math.min(zip.size, END_SIZE + MAX_COMMENT);
  const tail = await zip.read(zip.size - length, length);
  const fields = view(tail);
  // A comment may hold bytes that look like an end: two possible ends are refused, not chosen from.
  const ends: number[] = [];
  for (let at = tail.length - END_SIZE; at >= 0; at--) {
    if (fields.getUint32(at, true) !== END_SIGNATURE) continue;
    if (at + END_SIZE + fields.getUint16(at + 20, true) === tail.length) ends.push(at);
  }
  const [at] = ends;
  if (at === undefined) throw invalidArchive("it is no zip");
  if (ends.length > 1) throw invalidArchive("it has two ends");
  const found = {
    count: fields.getUint16(at + 10, true),
    size: fields.getUint32(at + 12, true),
    start: fields.getUint32(at + 16, true),
  };
  const endAt = zip.size - length + at;
  if (found.count === MAX16 || found.start === MAX32 || found.size === MAX32) return zip64Directory(zip, endAt, found);
  const oneDisk = fields.getUint32(at + 4, true) === 0 && fields.getUint16(at + 8, true) === found.count;
  if (!oneDisk || found.start + found.size !== endAt) throw damaged();
  return found;
}

async function zip64Directory(zip: RandomAccess, endAt: number, found: DirectoryPosition): Promise<DirectoryPosition> {
  const locator = endAt < 20 ? null : view(await zip.read(endAt - 20, 20));
  if (locator?.getUint32(0, true) !== 0x07064b50) {
    // A directory of exactly 65 535 entries may do without.
    if (found.start + found.size === endAt) return found;
    throw damaged();
  }
  const at = uint64(locator, 8);
  if (at + 56 > endAt - 20) throw damaged();
  const record = view(await zip.read(at, 56));
  if (record.getUint32(0, true) !== 0x06064b50) throw damaged();
  const wide = { count: uint64(record, 32), size: uint64(record, 40), start: uint64(record, 48) };
  if (wide.start + wide.size !== at || at + 12 + uint64(record, 4) !== endAt - 20) throw damaged();
  return wide;
}

/** Numbers that did not fit are in an extra field, in this order, each only if needed. */
function zip64Numbers<T extends { size: number; packed: number; offset: number }>(extra: Uint8Array, numbers: T): T {
  const fields = view(extra);
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + fields.getUint16(at + 2, true);
    let field = at + 4;
    if (fields.getUint16(at, true) === 1) {
      for (const key of ["size", "packed", "offset"] as const) {
        if (numbers[key] !== MAX32) continue;
        if (field + 8 > Math.min(end, extra.length)) throw damaged();
        numbers[key] = uint64(fields, field);
        field += 8;
      }
      return numbers;
    }
    at = end;
  }
  return numbers;
}

function uint64(fields: DataView, at: number): number {
  const value = Number(fields.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw invalidArchive("a number in it is too large");
  return value;
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(more = ""): Error {
  return invalidArchive(`its directory is damaged ${more}`.trim());
}
