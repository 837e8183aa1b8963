/** Zips byte by byte, for tests: headers, directory and end are written from fields that may contradict each other. */
import { crc32 } from "../src/crc32.ts";
import { joined } from "./tar-bytes.ts";

export interface ZipFields {
  name: string;
  body?: Uint8Array | string;
  method?: number;
  flags?: number;
  /** What the directory says, where it differs from the entry's own header. */
  directory?: { name?: string; method?: number; flags?: number; crc?: number; packed?: number; size?: number };
  crc?: number;
  packed?: number;
  size?: number;
  mode?: number;
  offset?: number;
  extra?: Uint8Array;
  /** Behind the content. */
  descriptor?: Uint8Array;
}

export interface ZipEndFields {
  count?: number;
  countHere?: number;
  disk?: number;
  size?: number;
  start?: number;
  comment?: Uint8Array;
  /** Between the directory and the end. */
  gap?: Uint8Array;
}

const encoder = new TextEncoder();
const bytesOf = (value: string | Uint8Array) => (typeof value === "string" ? encoder.encode(value) : value);

export function zipOf(entries: readonly ZipFields[], end: ZipEndFields = {}): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  const add = (part: Uint8Array) => {
    parts.push(part);
    at += part.length;
  };
  for (const entry of entries) {
    const body = bytesOf(entry.body ?? "");
    const offset = entry.offset ?? at;
    const own = {
      crc: crc32(body),
      packed: body.length,
      size: body.length,
      method: 0,
      flags: 0x0800,
      ...defined(entry),
    };
    const name = encoder.encode(entry.name);
    const shown = own.flags & 8 ? { crc: 0, packed: 0, size: 0 } : own;
    add(numbers([4, 0x04034b50], [2, 20], [2, own.flags], [2, own.method], [4, 0x21_0000], [4, shown.crc]));
    add(numbers([4, shown.packed], [4, shown.size], [2, name.length], [2, 0]));
    add(name);
    add(body);
    add(entry.descriptor ?? new Uint8Array());
    const listed = { ...own, name: entry.name, ...entry.directory };
    const listedName = encoder.encode(listed.name);
    const extra = entry.extra ?? new Uint8Array();
    directory.push(
      numbers([4, 0x02014b50], [2, (3 << 8) | 45], [2, 20], [2, listed.flags], [2, listed.method], [4, 0x21_0000]),
      numbers([4, listed.crc], [4, listed.packed], [4, listed.size], [2, listedName.length], [2, extra.length], [2, 0]),
      numbers([2, 0], [2, 0], [4, ((entry.mode ?? 0o100644) << 16) >>> 0], [4, offset]),
      listedName,
      extra,
    );
  }
  const start = at;
  for (const part of directory) add(part);
  const { count = entries.length, countHere = count, disk = 0, size = at - start, comment = new Uint8Array() } = end;
  if (end.gap !== undefined) add(end.gap);
  add(numbers([4, 0x06054b50], [4, disk], [2, countHere], [2, count], [4, size], [4, end.start ?? start]));
  add(numbers([2, comment.length]));
  add(comment);
  return joined(parts);
}

function defined({ crc, packed, size, method, flags }: ZipFields): Partial<ZipFields> {
  return Object.fromEntries(
    Object.entries({ crc, packed, size, method, flags }).filter(([, value]) => value !== undefined),
  );
}

/** Little-endian numbers, each with its width in bytes. */
export function numbers(...values: [bytes: 2 | 4 | 8, value: number | bigint][]): Uint8Array {
  const block = new Uint8Array(values.reduce((sum, [bytes]) => sum + bytes, 0));
  const view = new DataView(block.buffer);
  let at = 0;
  for (const [bytes, value] of values) {
    if (bytes === 2) view.setUint16(at, Number(value), true);
    else if (bytes === 4) view.setUint32(at, Number(value), true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  return block;
}
