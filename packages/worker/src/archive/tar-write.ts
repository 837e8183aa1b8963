/** Entries as a tar (POSIX.1-2001): ustar headers, and a pax header before those whose names do not fit into one. */
import type { ArchiveEntry } from "./archive-entry.ts";

const BLOCK = 512;
const encoder = new TextEncoder();
const TYPES = { file: "0", symlink: "2", dir: "5" } as const;

export async function* writeTar(entries: AsyncIterable<ArchiveEntry>): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield* headers(entry);
    const { content } = entry;
    if (content === undefined) continue;
    if (content instanceof Uint8Array) yield content;
    else yield* content;
    const rest = entry.size % BLOCK;
    if (rest > 0) yield new Uint8Array(BLOCK - rest);
  }
  yield new Uint8Array(2 * BLOCK);
}

function* headers({ name, type, mode, mtimeMs, size, target = "" }: ArchiveEntry): Generator<Uint8Array> {
  const shown = type === "dir" ? `${name}/` : name;
  const records = [...pax("path", shown), ...pax("linkpath", target)];
  const mtime = Math.max(0, Math.floor(mtimeMs / 1000));
  if (records.length > 0) {
    const body = encoder.encode(records.join(""));
    yield header("pax", "x", { mode: 0o644, mtime, size: body.length, target: "" });
    yield body;
    if (body.length % BLOCK > 0) yield new Uint8Array(BLOCK - (body.length % BLOCK));
  }
  yield header(shown, TYPES[type], { mode, mtime, size, target });
}

/** `<length> <key>=<value>\n`, where the length counts itself. */
function pax(key: string, value: string): string[] {
  if (/^[\x20-\x7e]{0,100}$/.test(value)) return [];
  const tail = ` ${key}=${value}\n`;
  const bytes = encoder.encode(tail).length;
  let length = bytes + 1;
  while (String(length).length + bytes !== length) length++;
  return [`${length}${tail}`];
}

function header(
  name: string,
  type: string,
  { mode, mtime, size, target }: { mode: number; mtime: number; size: number; target: string },
): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const text = (value: string, at: number, length: number) => block.set(encoder.encode(value).subarray(0, length), at);
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
  text(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
    8,
  );
  return block;
}
