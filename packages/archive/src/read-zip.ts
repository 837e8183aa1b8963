/**
 * Reads the entries of a zip by its central directory, the only authority on its contents. The directory must agree with each local
 * header, sizes and checksums must match, and entries may not share bytes. Encrypted entries and other compression methods are
 * refused.
 */
import type { ArchiveBudget } from "./archive-budget.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import { invalidArchive } from "./archive-error.ts";
import { crc32 } from "./crc32.ts";
import { checkLink, entryName, fileName } from "./entry-name.ts";
import { inflate } from "./inflate.ts";
import type { RandomAccess } from "./random-access.ts";
import { readCentralDirectory, type ZipEntry } from "./zip-directory.ts";

const PIECE = 1024 * 1024;
const MAX_TARGET = 4096;
const ENCRYPTED = 0x2041;
const SIZES_FOLLOW = 0x0008;
const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;

export async function* readZip(zip: RandomAccess, budget: ArchiveBudget): AsyncGenerator<ArchiveEntry> {
  const entries = await readCentralDirectory(zip, budget);
  for (const entry of entries) yield await toArchiveEntry(entry, zip, budget);
}

async function toArchiveEntry(entry: ZipEntry, zip: RandomAccess, budget: ArchiveBudget): Promise<ArchiveEntry> {
  const raw = utf8(entry.name);
  const kind = entry.mode & 0o170000;
  const common = { mode: entry.mode & 0o777, mtimeMs: fromDos(entry.time) };
  const content = entryContent(entry, zip, budget);
  if (kind === 0o040000 || (raw.endsWith("/") && kind !== 0o120000)) {
    if (entry.size > 0) throw invalidArchive("a directory in it has content");
    for await (const _ of content);
    return { ...common, name: entryName(raw), mode: common.mode || 0o755, type: "dir", size: 0 };
  }
  const name = fileName(raw);
  if (kind === 0o120000) {
    if (entry.size > MAX_TARGET) throw invalidArchive("a link in it is too long");
    const target = utf8(await whole(content, entry.size));
    checkLink(name, target);
    return { ...common, name, type: "symlink", size: 0, target };
  }
  if (kind !== 0 && kind !== 0o100000) throw invalidArchive("an entry is no file, directory or link");
  return { ...common, name, mode: common.mode || 0o644, type: "file", size: entry.size, content };
}

async function* entryContent(entry: ZipEntry, zip: RandomAccess, budget: ArchiveBudget): AsyncGenerator<Uint8Array> {
  if ((entry.flags & ENCRYPTED) !== 0) throw invalidArchive("an entry is encrypted");
  if (entry.method !== 0 && entry.method !== 8)
    throw invalidArchive("an entry is compressed in a way that is not known here");
  const start = await contentStart(entry, zip);
  const packed = pieces(zip, start, entry.packed);
  let size = 0;
  let crc = 0;
  for await (const chunk of entry.method === 0 || entry.packed === 0 ? packed : inflate(packed, "deflate-raw")) {
    await budget.spendBytes(chunk.length);
    size += chunk.length;
    if (size > entry.size) break;
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (size !== entry.size || crc !== entry.crc) throw invalidArchive("an entry is not what its directory says");
  if ((entry.flags & SIZES_FOLLOW) !== 0) await checkDescriptor(entry, zip, start + entry.packed);
}

/** Compares the entry's own header with the directory's. */
async function contentStart(entry: ZipEntry, zip: RandomAccess): Promise<number> {
  const head = view(await zip.read(entry.offset, 30));
  const nameLength = head.getUint16(26, true);
  const start = entry.offset + 30 + nameLength + head.getUint16(28, true);
  if (head.getUint32(0, true) !== LOCAL_HEADER) throw invalidArchive("an entry is damaged");
  if (start + entry.packed > entry.end) throw invalidArchive("its entries overlap");
  const name = await zip.read(entry.offset + 30, nameLength);
  const [flags, method] = [head.getUint16(6, true), head.getUint16(8, true)];
  const agrees = (at: number, value: number) => {
    const local = head.getUint32(at, true);
    // Zip64 has the sizes elsewhere; they may also follow the content.
    return local === value || (at > 14 && local === 0xffffffff) || ((flags & SIZES_FOLLOW) !== 0 && local === 0);
  };
  const same =
    name.length === entry.name.length &&
    name.every((byte, i) => byte === entry.name[i]) &&
    method === entry.method &&
    ((flags ^ entry.flags) & (ENCRYPTED | SIZES_FOLLOW)) === 0 &&
    agrees(14, entry.crc) &&
    agrees(18, entry.packed) &&
    agrees(22, entry.size);
  if (!same) throw invalidArchive("its directory and its entries do not agree");
  return start;
}

/** Checksum and sizes behind a content, with or without a signature, in 4 or in 8 bytes. */
async function checkDescriptor({ crc, packed, size, end }: ZipEntry, zip: RandomAccess, at: number): Promise<void> {
  const bytes = view(await zip.read(at, Math.min(24, end - at)));
  const matches = (start: number, width: 4 | 8) => {
    if (start + 4 + 2 * width > bytes.byteLength) return false;
    const numberAt = (from: number) =>
      width === 4 ? bytes.getUint32(from, true) : Number(bytes.getBigUint64(from, true));
    return (
      bytes.getUint32(start, true) === crc && numberAt(start + 4) === packed && numberAt(start + 4 + width) === size
    );
  };
  const signed = bytes.byteLength >= 4 && bytes.getUint32(0, true) === DESCRIPTOR;
  if (matches(0, 4) || matches(0, 8) || (signed && (matches(4, 4) || matches(4, 8)))) return;
  throw invalidArchive("an entry and what follows it do not agree");
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

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
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
    throw invalidArchive("a name in it is not UTF-8", cause);
  }
}
