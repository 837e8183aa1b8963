/** Serializes an index, identical to git's bytes; the caller computes the checksum at the end. */

import { Sha1 } from "../hash/sha1.ts";
import { encode } from "../text/bytes.ts";
import { serializeCacheTree } from "./cached-tree.ts";
import type { IndexEntry } from "./index-entry.ts";
import type { IndexFile } from "./index-file.ts";

const HASH = 20;
const FIXED = 62;

interface SerializeOptions {
  /** Write EOIE, as git does when `index.threads` or `index.recordEndOfIndexEntries` asks for it. */
  endOfEntries?: boolean;
}

export function serializeIndex(
  index: Pick<IndexFile, "version" | "entries" | "tree" | "extensions">,
  { endOfEntries = false }: SerializeOptions = {},
): Uint8Array {
  const version = versionFor(index);
  const names = index.entries.map(({ path }) => nameBytes(path));
  const extensions = extensionsOf(index);
  let size = 12 + HASH + (endOfEntries && extensions.length > 0 ? 32 : 0);
  for (const { body } of extensions) size += 8 + body.length;
  // An upper bound: version 4 writes less, and the rest is cut off.
  for (let i = 0; i < names.length; i++) size += FIXED + 2 + (names[i] as Uint8Array).length + 8;
  const writer = new IndexWriter(new Uint8Array(size), version);
  writer.header(names.length);
  index.entries.forEach((entry, i) => {
    writer.entry(entry, names[i] as Uint8Array);
  });
  const end = writer.length;
  for (const { signature, body } of extensions) writer.extension(signature, body);
  if (endOfEntries && extensions.length > 0) writer.extension("EOIE", endOfIndexEntries(end, extensions));
  return writer.finish();
}

/** git chooses between 2 and 3 as needed, and stays with 4. */
function versionFor({ version, entries }: Pick<IndexFile, "version" | "entries">): 2 | 3 | 4 {
  if (version === 4) return 4;
  return entries.some(isExtended) ? 3 : 2;
}

function isExtended({ skipWorktree, intentToAdd }: IndexEntry): boolean {
  return skipWorktree === true || intentToAdd === true;
}

const ORDER = ["TREE", "REUC", "UNTR", "FSMN"];

function extensionsOf({ tree, extensions }: Pick<IndexFile, "tree" | "extensions">) {
  const all = tree === null ? [...extensions] : [{ signature: "TREE", body: serializeCacheTree(tree) }, ...extensions];
  return all.sort((a, b) => ORDER.indexOf(a.signature) - ORDER.indexOf(b.signature));
}

/**
 * The end of the entries, and a hash of the following extension headers, so that a reader can locate them from the
 * end.
 */
function endOfIndexEntries(end: number, extensions: readonly { signature: string; body: Uint8Array }[]): Uint8Array {
  const hash = new Sha1();
  for (const { signature, body } of extensions) {
    const header = new Uint8Array(8);
    header.set(encode(signature));
    new DataView(header.buffer).setUint32(4, body.length);
    hash.update(header);
  }
  const content = new Uint8Array(24);
  new DataView(content.buffer).setUint32(0, end);
  hash.digestInto(content, 4);
  return content;
}

class IndexWriter {
  readonly #view: DataView;
  #before = new Uint8Array();
  length = 0;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly version: 2 | 3 | 4,
  ) {
    this.#view = new DataView(bytes.buffer);
  }

  header(count: number): void {
    this.bytes.set(encode("DIRC"));
    this.#view.setUint32(4, this.version);
    this.#view.setUint32(8, count);
    this.length = 12;
  }

  entry(entry: IndexEntry, name: Uint8Array): void {
    const start = this.length;
    const { stat, mode } = entry;
    this.#word(stat.ctimeSeconds);
    this.#word(stat.ctimeNanos);
    this.#word(stat.mtimeSeconds);
    this.#word(stat.mtimeNanos);
    this.#word(stat.dev);
    this.#word(stat.ino);
    this.#word(mode);
    this.#word(stat.uid);
    this.#word(stat.gid);
    this.#word(stat.size);
    this.#oid(entry.oid);
    const extended = isExtended(entry);
    const flags = (entry.assumeValid ? 0x8000 : 0) | (extended ? 0x4000 : 0) | (entry.stage << 12);
    this.#half(flags | Math.min(name.length, 0xfff));
    if (extended) this.#half((entry.skipWorktree ? 0x4000 : 0) | (entry.intentToAdd ? 0x2000 : 0));
    if (this.version === 4) {
      this.#compressed(name);
      return;
    }
    this.bytes.set(name, this.length);
    this.length = start + ((this.length + name.length - start + 8) & ~7);
  }

  extension(signature: string, body: Uint8Array): void {
    this.bytes.set(encode(signature), this.length);
    this.#view.setUint32(this.length + 4, body.length);
    this.bytes.set(body, this.length + 8);
    this.length += 8 + body.length;
  }

  /** With room for the checksum. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length + HASH);
  }

  #word(value: number): void {
    this.#view.setUint32(this.length, value);
    this.length += 4;
  }

  #half(value: number): void {
    this.#view.setUint16(this.length, value);
    this.length += 2;
  }

  #oid(oid: IndexEntry["oid"]): void {
    let all = oid.length === 40 ? 0 : -1;
    for (let i = 0; i < 40; i += 2) {
      const high = HEX[oid.charCodeAt(i)] ?? -1;
      const low = HEX[oid.charCodeAt(i + 1)] ?? -1;
      all |= high | low;
      this.bytes[this.length++] = (high << 4) | low;
    }
    // Digits are 0 to 15; an invalid one is negative, which makes the combined value negative.
    if (all < 0) throw new TypeError(`not an object name: "${oid}"`);
  }

  #compressed(name: Uint8Array): void {
    const before = this.#before;
    let common = 0;
    while (common < before.length && common < name.length && before[common] === name[common]) common++;
    const digits: number[] = [];
    let drop = before.length - common;
    digits.unshift(drop & 127);
    while ((drop >>= 7) > 0) digits.unshift(128 | (--drop & 127));
    for (const digit of digits) this.bytes[this.length++] = digit;
    this.bytes.set(name.subarray(common), this.length);
    this.length += name.length - common;
    this.bytes[this.length++] = 0;
    this.#before = name as Uint8Array<ArrayBuffer>;
  }
}

/** Values of the codes of "0" to "9" and "a" to "f"; -1: invalid. */
const HEX = new Int8Array(128).fill(-1);
for (let digit = 0; digit < 16; digit++) HEX[digit.toString(16).charCodeAt(0)] = digit;

function nameBytes(path: string): Uint8Array {
  if (path === "" || path.includes("\0")) throw new TypeError(`not a path for the index: "${path}"`);
  return encode(path);
}
