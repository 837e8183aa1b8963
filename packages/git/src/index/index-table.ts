/**
 * `.git/index` as columns, without an object per file. Twenty thousand entries cost a few arrays and two long strings, of which
 * paths and object ids are slices; `status` reads the columns, everything else the entries built from them.
 */

import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import { compareText, decode, hasPlainOrder } from "../text/bytes.ts";
import type { IndexEntry, IndexStat, Stage } from "./index-entry.ts";

/** Ten 32-bit fields of an entry, in the file's order. */
export const FIELDS = 10;
export const MTIME_SECONDS = 2;
export const MODE = 6;
export const SIZE = 9;

const ASSUME_VALID = 0x8000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const INTENT_TO_ADD = 0x2000;
const HEADER = 12;
const HASH = 20;
const FIXED = 62;

export interface IndexTable {
  readonly version: 0 | 2 | 3 | 4;
  readonly count: number;
  readonly paths: readonly string[];
  /** `fields[FIELDS * i + SIZE]`. */
  readonly fields: Uint32Array;
  /** The sixteen bits of the entry, above them the sixteen of version 3. */
  readonly flags: Uint32Array;
  /** Forty digits each. */
  readonly oids: string;
  /** Where the extensions begin. */
  readonly end: number;
}

export function stageAt(table: IndexTable, i: number): Stage {
  return (((table.flags[i] as number) >> 12) & 3) as Stage;
}

export function oidAt(table: IndexTable, i: number): Oid {
  return table.oids.slice(40 * i, 40 * i + 40) as Oid;
}

export function isAssumedValid(table: IndexTable, i: number): boolean {
  return ((table.flags[i] as number) & ASSUME_VALID) !== 0;
}

export function isSkipWorktree(table: IndexTable, i: number): boolean {
  return ((table.flags[i] as number) & (SKIP_WORKTREE << 16)) !== 0;
}

export function isIntentToAdd(table: IndexTable, i: number): boolean {
  return ((table.flags[i] as number) & (INTENT_TO_ADD << 16)) !== 0;
}

/** The first entry that is not before `path`. */
export function lowerBoundPath({ paths, count }: Pick<IndexTable, "paths" | "count">, path: string): number {
  const plain = hasPlainOrder(path);
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const there = paths[middle] as string;
    if (plain ? there < path : compareText(there, path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Every stage of the path. */
export function stagesAt(table: IndexTable, path: string): { readonly stage: Stage; readonly oid: Oid }[] {
  const stages = [];
  for (let at = lowerBoundPath(table, path); table.paths[at] === path && at < table.count; at++)
    stages.push({ stage: stageAt(table, at), oid: oidAt(table, at) });
  return stages;
}

function statAt({ fields }: IndexTable, i: number): IndexStat {
  const at = FIELDS * i;
  return {
    ctimeSeconds: fields[at] as number,
    ctimeNanos: fields[at + 1] as number,
    mtimeSeconds: fields[at + 2] as number,
    mtimeNanos: fields[at + 3] as number,
    dev: fields[at + 4] as number,
    ino: fields[at + 5] as number,
    uid: fields[at + 7] as number,
    gid: fields[at + 8] as number,
    size: fields[at + 9] as number,
  };
}

export function entryAt(table: IndexTable, i: number): IndexEntry {
  const entry = {
    path: table.paths[i] as string,
    stage: stageAt(table, i),
    mode: table.fields[FIELDS * i + MODE] as number,
    oid: oidAt(table, i),
    stat: statAt(table, i),
  };
  if (((table.flags[i] as number) & (ASSUME_VALID | ((SKIP_WORKTREE | INTENT_TO_ADD) << 16))) === 0) return entry;
  return {
    ...entry,
    ...(isAssumedValid(table, i) ? { assumeValid: true } : {}),
    ...(isSkipWorktree(table, i) ? { skipWorktree: true } : {}),
    ...(isIntentToAdd(table, i) ? { intentToAdd: true } : {}),
  };
}

/** Throws ECORRUPT with git's words for an invalid index. The checksum is not verified, as in git. */
export function parseIndexTable(bytes: Uint8Array, path: string): IndexTable {
  if (bytes.length < HEADER + HASH) throw new GitError("ECORRUPT", `${path}: index file smaller than expected`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== 0x44495243) {
    // git prints it in machine byte order, which is little-endian.
    throw corrupt(`bad signature 0x${view.getUint32(0, true).toString(16).padStart(8, "0")}`);
  }
  const version = view.getUint32(4);
  if (version !== 2 && version !== 3 && version !== 4) throw corrupt(`bad index version ${version | 0}`);
  const count = view.getUint32(8);
  const limit = bytes.length - HASH;
  if (count * FIXED > limit - HEADER) throw corrupt();
  return new TableReader(bytes, view, version, count, limit).read();
}

/** One pass over the entries; path bytes and digits are collected and decoded together. */
class TableReader {
  readonly #fields: Uint32Array;
  readonly #flags: Uint32Array;
  readonly #digits: Uint8Array;
  /** End of each path in `#names`. */
  readonly #ends: Uint32Array;
  #names: Uint8Array;
  #length = 0;
  #ascii = true;

  constructor(
    private readonly bytes: Uint8Array,
    private readonly view: DataView,
    private readonly version: 2 | 3 | 4,
    private readonly count: number,
    private readonly limit: number,
  ) {
    this.#fields = new Uint32Array(FIELDS * count);
    this.#flags = new Uint32Array(count);
    this.#digits = new Uint8Array(40 * count);
    this.#ends = new Uint32Array(count);
    this.#names = new Uint8Array(Math.max(64, limit - HEADER - FIXED * count));
  }

  read(): IndexTable {
    let at = HEADER;
    for (let i = 0; i < this.count; i++) at = this.#entry(i, at);
    return {
      version: this.version,
      count: this.count,
      paths: this.#paths(),
      fields: this.#fields,
      flags: this.#flags,
      oids: decode(this.#digits),
      end: at,
    };
  }

  #entry(i: number, start: number): number {
    const { view, bytes } = this;
    if (start + FIXED > this.limit) throw corrupt();
    for (let field = 0; field < FIELDS; field++) this.#fields[FIELDS * i + field] = view.getUint32(start + 4 * field);
    for (let byte = 0, to = 40 * i; byte < 20; byte++) {
      const value = bytes[start + 40 + byte] as number;
      this.#digits[to++] = DIGITS[value >> 4] as number;
      this.#digits[to++] = DIGITS[value & 15] as number;
    }
    const flags = view.getUint16(start + 60);
    let at = start + FIXED;
    let extended = 0;
    if ((flags & EXTENDED) !== 0) {
      extended = view.getUint16(at);
      if (this.version < 3 || (extended & ~(SKIP_WORKTREE | INTENT_TO_ADD)) !== 0) {
        throw new GitError(
          "ECORRUPT",
          `unknown index entry format 0x${(((extended << 16) | flags) >>> 0).toString(16).padStart(8, "0")}`,
        );
      }
      at += 2;
    }
    this.#flags[i] = flags | (extended << 16);
    if (this.version === 4) return this.#compressedName(i, at);
    const end = this.#nameEnd(at, flags & 0xfff);
    this.#reserve(end - at);
    this.#take(at, end);
    this.#ends[i] = this.#length;
    // One to eight NULs, to align the next entry to a multiple of eight from this one.
    return start + ((end - start + 8) & ~7);
  }

  #nameEnd(at: number, length: number): number {
    const end = length < 0xfff ? at + length : this.bytes.indexOf(0, at);
    if (end < at || end >= this.limit) throw corrupt();
    return end;
  }

  /** Version 4: the number of bytes to drop from the previous name, then the suffix. */
  #compressedName(i: number, start: number): number {
    const from = i > 1 ? (this.#ends[i - 2] as number) : 0;
    const before = i > 0 ? (this.#ends[i - 1] as number) - from : 0;
    let at = start;
    let byte = this.bytes[at++] as number;
    let drop = byte & 127;
    while ((byte & 128) !== 0) {
      byte = this.bytes[at++] as number;
      drop = (drop + 1) * 128 + (byte & 127);
      if (at >= this.limit || drop > before) throw this.#malformed(i);
    }
    if (drop > before) throw this.#malformed(i);
    const end = this.bytes.indexOf(0, at);
    if (end < 0 || end >= this.limit) throw corrupt();
    const retained = before - drop;
    this.#reserve(retained + end - at);
    this.#names.copyWithin(this.#length, from, from + retained);
    this.#length += retained;
    this.#take(at, end);
    this.#ends[i] = this.#length;
    return end + 1;
  }

  #malformed(i: number): GitError {
    const near = i > 0 ? this.#names.subarray(i > 1 ? this.#ends[i - 2] : 0, this.#ends[i - 1]) : new Uint8Array();
    return new GitError("ECORRUPT", `malformed name field in the index, near path '${decode(near)}'`);
  }

  #take(from: number, to: number): void {
    const names = this.#names;
    let length = this.#length;
    let seen = 0;
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at] as number;
      if (byte === 0) throw corrupt();
      seen |= byte;
      names[length++] = byte;
    }
    this.#length = length;
    if (seen >= 0x80) this.#ascii = false;
  }

  /** Names of version 4 share prefixes, so their total may exceed the file's size. */
  #reserve(more: number): void {
    if (this.#length + more <= this.#names.length) return;
    if (this.#length + more > MAX_NAMES)
      throw new GitError("ETOOBIG", `index has more than ${MAX_NAMES} bytes of names`);
    const grown = new Uint8Array(Math.min(MAX_NAMES, 2 * (this.#length + more)));
    grown.set(this.#names.subarray(0, this.#length));
    this.#names = grown;
  }

  #paths(): string[] {
    const paths = new Array<string>(this.count);
    const names = this.#names.subarray(0, this.#length);
    const text = this.#ascii ? decode(names) : "";
    for (let i = 0, start = 0; i < this.count; i++) {
      const end = this.#ends[i] as number;
      paths[i] = this.#ascii ? text.slice(start, end) : strictly(names.subarray(start, end));
      start = end;
    }
    return paths;
  }
}

/** Far more than a repository that fits into a Durable Object has. */
const MAX_NAMES = 256 * 1024 * 1024;
const DIGITS = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
const fatal = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A name that is not UTF-8 would not round-trip: refuse the index rather than write another name back. */
function strictly(bytes: Uint8Array): string {
  try {
    return fatal.decode(bytes);
  } catch (cause) {
    throw new GitError("EUNSUPPORTED", `path in the index is not UTF-8: '${decode(bytes)}'`, { cause });
  }
}

/** Separate from parsing, since a refused extension may be what makes entries look wrong. */
export function checkOrder(table: IndexTable): void {
  const { paths, count } = table;
  if (count > 0 && paths[0] === "") throw corrupt();
  for (let i = 1; i < count; i++) {
    const before = paths[i - 1] as string;
    const path = paths[i] as string;
    // UTF-16 order is git's except for rare characters, so only apparent violations are compared again.
    if (before < path) continue;
    if (before !== path) {
      if (compareText(before, path) < 0) continue;
      throw new GitError("ECORRUPT", "unordered cache entries in index");
    }
    if (stageAt(table, i - 1) === 0) throw new GitError("ECORRUPT", `multiple stage entries for merged file '${path}'`);
    if (stageAt(table, i - 1) > stageAt(table, i)) {
      throw new GitError("ECORRUPT", `unordered stage entries for '${path}'`);
    }
  }
}

/** git prints the reason as an error, then a fatal message. */
function corrupt(reason?: string): GitError {
  if (reason === undefined) return new GitError("ECORRUPT", "index file corrupt");
  return new GitError("ECORRUPT", `${reason}\nfatal: index file corrupt`, { prefix: "error" });
}
