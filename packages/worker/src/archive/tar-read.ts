/**
 * Reads the entries of a tar as a stream: ustar, pax and GNU long names, plain or gzipped. Refuses anything that is not a file,
 * directory or link, and anything inconsistent. A hard link is a copy of the entry it names, which must come earlier.
 */
import type { ArchiveBudget } from "./archive-budget.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import { ByteSource } from "./byte-source.ts";
import { archiveError, checkLink, entryName } from "./entry-name.ts";

const BLOCK = 512;
/** Of a pax header or a GNU name. */
const MAX_HEADER = 64 * 1024;

export type TarEntry = ArchiveEntry | { name: string; type: "copy"; of: string; mode: number; mtimeMs: number };

export async function* readTar(chunks: AsyncIterable<Uint8Array>, budget: ArchiveBudget): AsyncGenerator<TarEntry> {
  const source = new ByteSource(await unzipped(chunks), budget);
  let next: { path?: string; linkpath?: string; size?: string; mtime?: string } = {};
  for (;;) {
    const block = await source.read(BLOCK);
    if (block === null || block.every((byte) => byte === 0)) break;
    await budget.spendHeader();
    checkSum(block);
    const size = next.size === undefined ? octal(block, 124, 12) : decimal(next.size);
    const kind = String.fromCharCode(block[156] ?? 0);
    if (kind === "x" || kind === "g" || kind === "L" || kind === "K") {
      const body = await longHeader(source, size);
      if (kind === "x") next = { ...next, ...paxRecords(body) };
      if (kind === "L") next.path = terminated(body);
      if (kind === "K") next.linkpath = terminated(body);
      continue;
    }
    const name = entryName(next.path ?? nameIn(block));
    const target = next.linkpath ?? terminated(block.subarray(157, 257));
    const mtime = next.mtime === undefined ? octal(block, 136, 12) : Number.parseFloat(next.mtime);
    const common = { name, mode: octal(block, 100, 8) & 0o777, mtimeMs: (Number.isFinite(mtime) ? mtime : 0) * 1000 };
    next = {};
    switch (kind) {
      case "\0":
      case "0":
      case "7": {
        yield { ...common, type: "file", size, content: source.stream(size) };
        await source.skip((BLOCK - (size % BLOCK)) % BLOCK);
        break;
      }
      case "5":
        yield { ...common, type: "dir", size: 0 };
        break;
      case "1":
        yield { ...common, type: "copy", of: entryName(target) };
        break;
      case "2":
        checkLink(name, target);
        yield { ...common, type: "symlink", size: 0, target };
        break;
      default:
        throw archiveError(`an entry of type ${JSON.stringify(kind)} is no file, directory or link`);
    }
    if (kind === "5" || kind === "1" || kind === "2") await source.skip(size + ((BLOCK - (size % BLOCK)) % BLOCK));
  }
}

/** Detects gzip by its magic bytes. */
async function unzipped(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { done, value: first = new Uint8Array() } = await iterator.next();
  const all = (async function* () {
    if (!done) yield first;
    for (let step = await iterator.next(); !step.done; step = await iterator.next()) yield step.value;
  })();
  return first[0] === 0x1f && first[1] === 0x8b ? inflate(all, "gzip") : all;
}

export async function* inflate(
  chunks: AsyncIterable<Uint8Array>,
  format: "gzip" | "deflate-raw",
): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream(format);
  let failure: unknown;
  const writer = writable.getWriter();
  const feed = async () => {
    try {
      for await (const chunk of chunks) await writer.write(chunk);
      await writer.close();
    } catch (error) {
      failure = error;
      await writer.abort(error).catch(() => {});
    }
  };
  const fed = feed();
  try {
    for await (const chunk of readable) yield chunk as Uint8Array;
  } catch (error) {
    await fed;
    // An error of the body is reported as it is; an error of the decompressor is the archive's fault.
    throw failure instanceof Error && failure.name === "HttpError"
      ? failure
      : archiveError("it is not compressed as it says", error);
  }
}

function checkSum(block: Uint8Array): void {
  let sum = 0;
  for (const [i, byte] of block.entries()) sum += i >= 148 && i < 156 ? 32 : byte;
  if (octal(block, 148, 8) !== sum) throw archiveError("it is no tar, or a header of it is damaged");
}

async function longHeader(source: ByteSource, size: number): Promise<Uint8Array> {
  if (size > MAX_HEADER) throw archiveError("a header of it is too long");
  const body = (await source.read(size)) ?? new Uint8Array();
  await source.skip((BLOCK - (size % BLOCK)) % BLOCK);
  return body;
}

function paxRecords(body: Uint8Array): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(32, at);
    const length = space === -1 ? 0 : decimal(text(body.subarray(at, space)));
    const record = length > space - at ? text(body.subarray(space + 1, at + length - 1)) : "";
    const equals = record.indexOf("=");
    if (equals < 1 || at + length > body.length) throw archiveError("a header of it is damaged");
    const key = record.slice(0, equals);
    if (key === "path" || key === "linkpath" || key === "size" || key === "mtime")
      records[key] = record.slice(equals + 1);
    at += length;
  }
  return records;
}

function nameIn(block: Uint8Array): string {
  const name = terminated(block.subarray(0, 100));
  // GNU's own headers store times where ustar stores the prefix of a long name.
  const posix = text(block.subarray(257, 263)) === "ustar\0";
  const prefix = posix ? terminated(block.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

/** Also reads GNU's binary numbers, for values too large for octal. */
function octal(block: Uint8Array, at: number, length: number): number {
  if (((block[at] ?? 0) & 0x80) !== 0) {
    const value = block.subarray(at + 1, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
    if (Number.isSafeInteger(value)) return value;
    throw archiveError("a number in it is too large");
  }
  const digits = terminated(block.subarray(at, at + length)).trim();
  if (!/^[0-7]*$/.test(digits)) throw archiveError("it is no tar, or a header of it is damaged");
  return Number.parseInt(digits || "0", 8);
}

function decimal(digits: string): number {
  if (!/^\d{1,15}$/.test(digits)) throw archiveError("a header of it is damaged");
  return Number(digits);
}

function terminated(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return text(end === -1 ? bytes : bytes.subarray(0, end));
}

function text(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw archiveError("a name in it is not UTF-8", cause);
  }
}
