/**
 * Reads the entries of a tar as a stream: ustar, pax and GNU long names, plain or gzipped. Refuses anything that is not a file,
 * directory or link, and anything inconsistent or without an end. A hard link is a copy of the entry it names, which must come earlier.
 */
import type { ArchiveBudget } from "./archive-budget.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import { invalidArchive } from "./archive-error.ts";
import { ByteSource } from "./byte-source.ts";
import { checkLink, entryName, fileName } from "./entry-name.ts";
import { inflate } from "./inflate.ts";
import { paxRecords } from "./pax-records.ts";
import { BLOCK, checkSum, headerName, octal, terminated } from "./tar-header.ts";

/** Of a pax header or a GNU name. */
const MAX_HEADER = 64 * 1024;
/** Seconds before and after 1970, so that microseconds are safe integers. */
const MAX_TIME = 9e9;

export type TarEntry = ArchiveEntry | { name: string; type: "copy"; of: string; mode: number; mtimeMs: number };

/** The caller may leave a file's content unread. */
export async function* readTar(chunks: AsyncIterable<Uint8Array>, budget: ArchiveBudget): AsyncGenerator<TarEntry> {
  await using source = new ByteSource(await unzipped(chunks), budget);
  let next: { path?: string; linkpath?: string; size?: string; mtime?: string } = {};
  for (;;) {
    const block = await source.read(BLOCK);
    if (block === null) throw invalidArchive("it has no end");
    if (block.every((byte) => byte === 0)) break;
    await budget.spendHeader();
    checkSum(block);
    const size = next.size === undefined ? sizeOf(block) : Number(next.size);
    const kind = String.fromCharCode(block[156] ?? 0);
    if (kind === "x" || kind === "g" || kind === "L" || kind === "K") {
      const body = await longHeader(source, sizeOf(block));
      if (kind === "x") next = { ...next, ...paxRecords(body, "next", budget) };
      if (kind === "g") paxRecords(body, "all", budget);
      if (kind === "L") next.path = terminated(body);
      if (kind === "K") next.linkpath = terminated(body);
      continue;
    }
    const name = next.path ?? headerName(block);
    const target = next.linkpath ?? terminated(block.subarray(157, 257));
    const common = { mode: octal(block, 100, 8) & 0o777, mtimeMs: mtimeMs(block, next.mtime) };
    next = {};
    const content = source.stream(size);
    yield toEntry(kind, { name, target, size, content, common });
    for await (const _ of content);
    await source.skip((BLOCK - (size % BLOCK)) % BLOCK);
  }
  if (Object.keys(next).length > 0) throw invalidArchive("it ends after a header without an entry");
  // A gzip stream has its checksum at its end; a second archive behind the first would be lost.
  for await (const part of source.rest())
    if (part.some((byte) => byte !== 0)) throw invalidArchive("it goes on after its end");
}

function toEntry(
  kind: string,
  {
    name: raw,
    target,
    size,
    content,
    common,
  }: {
    name: string;
    target: string;
    size: number;
    content: AsyncIterable<Uint8Array>;
    common: { mode: number; mtimeMs: number };
  },
): TarEntry {
  // The first tars had no type for directories.
  const isDirectory = kind === "5" || ((kind === "0" || kind === "\0") && raw.endsWith("/"));
  if (isDirectory) return { ...common, name: entryName(raw), type: "dir", size: 0 };
  const name = fileName(raw);
  switch (kind) {
    case "\0":
    case "0":
    case "7":
      return { ...common, name, type: "file", size, content };
    case "1":
      return { ...common, name, type: "copy", of: entryName(target) };
    case "2":
      checkLink(name, target);
      return { ...common, name, type: "symlink", size: 0, target };
    default:
      throw invalidArchive(`an entry of type ${JSON.stringify(kind)} is no file, directory or link`);
  }
}

/** Detects gzip by its magic bytes. */
async function unzipped(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const start: Uint8Array[] = [];
  for (let length = 0; length < 2; ) {
    const { done, value } = await iterator.next();
    if (done) break;
    start.push(value);
    length += value.length;
  }
  const all = (async function* () {
    yield* start;
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) yield step.value;
  })();
  const [first, second] = start.flatMap((part) => [...part.subarray(0, 2)]);
  return first === 0x1f && second === 0x8b ? inflate(all, "gzip") : all;
}

async function longHeader(source: ByteSource, size: number): Promise<Uint8Array> {
  if (size > MAX_HEADER) throw invalidArchive("a header of it is too long");
  const body = (await source.read(size)) ?? new Uint8Array();
  if (body.length < size) throw invalidArchive("it ends in the middle of a header");
  await source.skip((BLOCK - (size % BLOCK)) % BLOCK);
  return body;
}

function sizeOf(block: Uint8Array): number {
  const size = octal(block, 124, 12);
  if (size < 0) throw invalidArchive("a size in it is negative");
  return size;
}

function mtimeMs(block: Uint8Array, pax: string | undefined): number {
  const seconds = pax === undefined ? octal(block, 136, 12) : Number(pax);
  if (!(Math.abs(seconds) <= MAX_TIME)) throw invalidArchive("a time in it is out of range");
  return seconds * 1000;
}
