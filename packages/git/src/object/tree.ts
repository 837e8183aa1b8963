/**
 * A tree: names, modes and ids, in git's order: by bytes, with a slash after the name of a directory. Names are text; one
 * that is not UTF-8 decodes with U+FFFD in it, and writers must refuse it.
 */
import { compareText, decode, encode } from "../text/bytes.ts";
import { isTreeMode } from "./file-mode.ts";
import { corruptObject } from "./object-headers.ts";
import { type Oid, oidFromBytes } from "./oid.ts";

export interface TreeEntry {
  /** 0o40000, 0o100644, 0o100755, 0o120000, 0o160000; old trees hold others, such as 0o100664. */
  readonly mode: number;
  readonly name: string;
  readonly oid: Oid;
}

export function parseTree(body: Uint8Array): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const end = body.length;
  let at = 0;
  while (at < end) {
    // As git: first that there is room for an entry, and that the last one is closed.
    if (end - at < 23 || body[end - 21] !== 0) throw corruptObject("tree", "too-short tree object");
    let mode = 0;
    const begin = at;
    for (let digit = body[at]; digit !== 0x20; digit = body[++at]) {
      if (digit === undefined || digit < 0x30 || digit > 0x37 || at - begin > 6)
        throw corruptObject("tree", "malformed mode in tree entry");
      mode = mode * 8 + digit - 0x30;
    }
    if (at === begin) throw corruptObject("tree", "malformed mode in tree entry");
    const nameAt = ++at;
    let ascii = true;
    for (let byte = body[at]; byte !== 0; byte = body[++at]) {
      if (byte === undefined) throw corruptObject("tree", "too-short tree object");
      if (byte > 127) ascii = false;
    }
    if (at === nameAt) throw corruptObject("tree", "empty filename in tree entry");
    if (at + 21 > end) throw corruptObject("tree", "too-short tree object");
    const name = ascii && at - nameAt < 1024 ? asciiText(body, nameAt, at) : decode(body.subarray(nameAt, at));
    entries.push({ mode, name, oid: oidFromBytes(body, at + 1) });
    at += 21;
  }
  return entries;
}

/** Sorts entries, whatever their order. */
export function serializeTree(entries: readonly TreeEntry[]): Uint8Array {
  const sorted = [...entries].sort(compareTreeEntries);
  const heads = sorted.map(({ mode, name }) => encode(`${mode.toString(8)} ${name}\0`));
  const body = new Uint8Array(heads.reduce((sum, head) => sum + head.length + 20, 0));
  let at = 0;
  for (const [i, head] of heads.entries()) {
    body.set(head, at);
    at += head.length;
    const { oid } = sorted[i] as TreeEntry;
    for (let j = 0; j < 40; j += 2) body[at++] = (hexDigit(oid, j) << 4) | hexDigit(oid, j + 1);
  }
  return body;
}

export function compareTreeEntries(a: Pick<TreeEntry, "mode" | "name">, b: Pick<TreeEntry, "mode" | "name">): number {
  return compareText(isTreeMode(a.mode) ? `${a.name}/` : a.name, isTreeMode(b.mode) ? `${b.name}/` : b.name);
}

function asciiText(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode.apply(null, bytes.subarray(from, to) as unknown as number[]);
}

function hexDigit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x3a ? code - 0x30 : code - 0x57;
}
