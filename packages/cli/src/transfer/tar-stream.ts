/**
 * Streams local entries as a tar: ustar headers, with a pax record if a name, a link or a size does not fit. Modes, times and links
 * are preserved. A file whose size changes during the read breaks the stream, and the server then changes nothing.
 */
import { fileChunks } from "./file-chunks.ts";
import type { LocalEntry } from "./local-tree.ts";

const BLOCK = 512;
const MAX_OCTAL = 0o77777777777;
const encoder = new TextEncoder();

export interface TarEntry extends LocalEntry {
  /** The name in the archive. */
  readonly as: string;
}

/** `moved` receives the number of content bytes as they are read. */
export async function* tarStream(
  entries: readonly TarEntry[],
  moved: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for (const entry of entries) {
    yield* headersOf(entry);
    if (entry.type !== "file") continue;
    yield* fileChunks(entry.path, entry.size, moved);
    yield* padding(entry.size);
  }
  yield new Uint8Array(2 * BLOCK);
}

/** The maximum size of an entry in the archive. */
export function tarSize({ size, as, target }: TarEntry): number {
  const pax = BLOCK + roundUp(64 + 2 * (encoder.encode(as).length + encoder.encode(target ?? "").length));
  return 2 * BLOCK + pax + roundUp(size);
}

function* headersOf(entry: TarEntry): Generator<Uint8Array> {
  const name = entry.type === "directory" ? `${entry.as}/` : entry.as;
  const target = entry.target ?? "";
  const records = [
    ...(encoder.encode(name).length > 100 ? [paxRecord("path", name)] : []),
    ...(encoder.encode(target).length > 100 ? [paxRecord("linkpath", target)] : []),
    ...(entry.size > MAX_OCTAL ? [paxRecord("size", String(entry.size))] : []),
  ].join("");
  if (records !== "") {
    const body = encoder.encode(records);
    yield header({ name: "pax", type: "x", size: body.length, mode: 0o644, seconds: 0, target: "" });
    yield body;
    yield* padding(body.length);
  }
  const type = { file: "0", directory: "5", symlink: "2" }[entry.type];
  const size = entry.type === "file" && entry.size <= MAX_OCTAL ? entry.size : 0;
  yield header({ name, type, size, mode: entry.mode, seconds: Math.max(0, Math.floor(entry.mtimeMs / 1000)), target });
}

interface Header {
  name: string;
  type: string;
  size: number;
  mode: number;
  seconds: number;
  target: string;
}

function header({ name, type, size, mode, seconds, target }: Header): Uint8Array {
  const block = new Uint8Array(BLOCK);
  // A name that is too long is cut here, between characters; its pax record has all of it.
  encoder.encodeInto(name, block.subarray(0, 100));
  const octal = (at: number, digits: number, value: number) =>
    encoder.encodeInto(`${value.toString(8).padStart(digits, "0")}\0`, block.subarray(at, at + digits + 1));
  octal(100, 7, mode);
  octal(108, 7, 0);
  octal(116, 7, 0);
  octal(124, 11, size);
  octal(136, 11, Math.min(seconds, MAX_OCTAL));
  block.fill(0x20, 148, 156);
  encoder.encodeInto(type, block.subarray(156, 157));
  encoder.encodeInto(target, block.subarray(157, 257));
  encoder.encodeInto("ustar\u000000", block.subarray(257, 265));
  const sum = block.reduce((total, byte) => total + byte, 0);
  encoder.encodeInto(`${sum.toString(8).padStart(6, "0")}\0 `, block.subarray(148, 156));
  return block;
}

/** `<length> key=value\n`, where the length counts itself. */
function paxRecord(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length;
  let length = rest + String(rest).length;
  if (String(length).length !== String(rest).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

/** Zeros up to the next block; no chunk at a block boundary. */
function* padding(size: number): Generator<Uint8Array> {
  if (size % BLOCK !== 0) yield new Uint8Array(roundUp(size) - size);
}

function roundUp(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}
