/** Entries as a tar (POSIX.1-2001): ustar headers, and a pax header before those whose names or sizes do not fit into one. */
import type { ArchiveEntry } from "./archive-entry.ts";
import { BLOCK } from "./tar-header.ts";

const MAX_OCTAL = 0o77777777777;
const encoder = new TextEncoder();
const TYPES = { file: "0", symlink: "2", dir: "5" } as const;

/** A content that is not as long as its entry says breaks the stream: what follows would be read as content. */
export async function* writeTar(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield* headers(entry);
    if (entry.type !== "file") continue;
    const { content = new Uint8Array(), size, name } = entry;
    let written = 0;
    for await (const part of content instanceof Uint8Array ? [content] : content) {
      written += part.length;
      if (written > size) break;
      yield part;
    }
    if (written !== size) throw new Error(`${name} does not have the ${size} bytes it was announced with`);
    yield* padding(size);
  }
  yield new Uint8Array(2 * BLOCK);
}

/** At most so many bytes of the archive belong to the entry. */
export function maxTarEntrySize({ name, target = "", size }: ArchiveEntry): number {
  const names = encoder.encode(name).length + encoder.encode(target).length;
  return 2 * BLOCK + roundUp(100 + names) + roundUp(size);
}

function* headers({ name, type, mode, mtimeMs, size, target = "" }: ArchiveEntry): Generator<Uint8Array> {
  const shown = type === "dir" ? `${name}/` : name;
  const mtime = Math.min(Math.max(0, Math.floor(mtimeMs / 1000)), MAX_OCTAL);
  const records = [
    ...(fitsHeader(shown) ? [] : [paxRecord("path", shown)]),
    ...(fitsHeader(target) ? [] : [paxRecord("linkpath", target)]),
    ...(size > MAX_OCTAL ? [paxRecord("size", String(size))] : []),
  ];
  if (records.length > 0) {
    const body = encoder.encode(records.join(""));
    yield header("pax", "x", { mode: 0o644, mtime, size: body.length, target: "" });
    yield body;
    yield* padding(body.length);
  }
  const inHeader = type === "file" && size <= MAX_OCTAL ? size : 0;
  yield header(shown, TYPES[type], { mode, mtime, size: inHeader, target });
}

/** Printable ASCII of up to 100 characters. */
function fitsHeader(value: string): boolean {
  return /^[\x20-\x7e]{0,100}$/.test(value);
}

/** `<length> <key>=<value>\n`, where the length counts itself. */
function paxRecord(key: string, value: string): string {
  const tail = ` ${key}=${value}\n`;
  const bytes = encoder.encode(tail).length;
  let length = bytes + 1;
  while (String(length).length + bytes !== length) length++;
  return `${length}${tail}`;
}

function header(
  name: string,
  type: string,
  { mode, mtime, size, target }: { mode: number; mtime: number; size: number; target: string },
): Uint8Array {
  const block = new Uint8Array(BLOCK);
  // Cuts between characters what does not fit; the pax header has all of it.
  const text = (value: string, at: number, length: number) =>
    encoder.encodeInto(value, block.subarray(at, at + length));
  const octal = (value: number, at: number, length: number) =>
    text(value.toString(8).padStart(length - 1, "0"), at, length - 1);
  text(name, 0, 100);
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(mtime, 136, 12);
  block.fill(32, 148, 156);
  text(type, 156, 1);
  text(target, 157, 100);
  text("ustar\0", 257, 6);
  text("00", 263, 2);
  const sum = block.reduce((total, byte) => total + byte, 0);
  text(`${sum.toString(8).padStart(6, "0")}\0 `, 148, 8);
  return block;
}

/** Zeros up to the next block. */
function* padding(size: number): Generator<Uint8Array> {
  if (size % BLOCK !== 0) yield new Uint8Array(roundUp(size) - size);
}

function roundUp(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}
