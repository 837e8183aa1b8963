/** Tars byte by byte, for tests: valid ones, and what no program would write. */
export interface TarFields {
  name?: string;
  kind?: string;
  body?: Uint8Array | string;
  target?: string;
  /** Raw fields of the header, instead of those that follow from the body. */
  size?: string | Uint8Array;
  mtime?: string | Uint8Array;
  mode?: string | Uint8Array;
  prefix?: string;
  magic?: string;
}

const BLOCK = 512;
const encoder = new TextEncoder();
const bytesOf = (value: string | Uint8Array) => (typeof value === "string" ? encoder.encode(value) : value);

/** An entry of any kind, with a checksum that is right. */
export function tarEntry({ name = "f", kind = "0", target = "", prefix = "", ...fields }: TarFields): Uint8Array[] {
  const body = bytesOf(fields.body ?? "");
  const block = new Uint8Array(BLOCK);
  const put = (at: number, value: string | Uint8Array) => block.set(bytesOf(value), at);
  put(0, name);
  put(100, fields.mode ?? "0000644\0");
  put(124, fields.size ?? `${body.length.toString(8).padStart(11, "0")}\0`);
  put(136, fields.mtime ?? "00000000000\0");
  put(156, kind);
  put(157, target);
  put(257, fields.magic ?? "ustar\x0000");
  put(345, prefix);
  put(148, "        ");
  const sum = block.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return [block, body, new Uint8Array((BLOCK - (body.length % BLOCK)) % BLOCK)];
}

/** A pax header with these records. */
export function pax(records: Record<string, string>, kind: "x" | "g" = "x"): Uint8Array[] {
  return tarEntry({ name: "pax", kind, body: Object.entries(records).map(paxRecord).join("") });
}

function paxRecord([key, value]: [string, string]): string {
  const tail = ` ${key}=${value}\n`;
  const bytes = encoder.encode(tail).length;
  let length = bytes + 1;
  while (String(length).length + bytes !== length) length++;
  return `${length}${tail}`;
}

/** The entries and the two empty blocks at the end. */
export function tarOf(...entries: Uint8Array[][]): Uint8Array<ArrayBuffer> {
  return joined([...entries.flat(), new Uint8Array(2 * BLOCK)]);
}

export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A binary number of 12 bytes, as GNU tar writes what octal cannot hold. */
export function base256(first: number, ...last: number[]): Uint8Array {
  const bytes = new Uint8Array(12).fill(first === 0xff ? 0xff : 0);
  bytes[0] = first;
  bytes.set(last, 12 - last.length);
  return bytes;
}
