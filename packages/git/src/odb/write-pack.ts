/**
 * A pack of the given objects, streamed: never held whole. What lies in a pack already is copied as it is, a delta too when its
 * base goes along; the rest is deflated, as a delta on a neighbour where that is smaller.
 */
import { GitError } from "../errors.ts";
import type { GitObject, ObjectDatabase, ObjectType } from "../object-database.ts";
import type { Oid } from "../oid.ts";
import {
  codeOfType,
  LONGEST_HEADER,
  OFS_DELTA,
  putBackOffset,
  putEntryHeader,
  typeOfCode,
} from "../pack/entry-header.ts";
import { PackOutput } from "../pack/pack-output.ts";
import type { PackReader } from "../pack/pack-reader.ts";
import { deflate } from "../zlib/deflate.ts";
import { deflateStream } from "../zlib/deflate-stream.ts";
import { DeltaWindow } from "./delta-window.ts";
import { GitObjectDatabase } from "./git-object-database.ts";

export interface WritePackOptions {
  /** Called now and then: objects written so far. */
  readonly progress?: (written: number, total: number) => void;
  /** Try deltas for what is not copied; default true. */
  readonly delta?: boolean;
  /** Copy deltas and compressed bytes of existing packs; default true. */
  readonly reuse?: boolean;
  /** zlib's, default -1. */
  readonly level?: number;
}

/** Where an object of the list is kept now. */
interface Place {
  readonly oid: Oid;
  readonly pack: PackReader;
  readonly offset: number;
}

const REPORT = 256;
const STEP = 128 * 1024;

export async function* writePack(
  database: ObjectDatabase,
  oids: Iterable<Oid>,
  options: WritePackOptions = {},
): AsyncGenerator<Uint8Array> {
  const odb = asGitDatabase(database);
  const { delta = true, reuse = true, level = -1, progress } = options;
  const wanted = [...new Set(oids)];
  const { places, others } = await sort(odb, wanted, reuse);
  const output = new PackOutput();
  const positions = new Map<Oid | string, number>();
  output.put(packHeader(wanted.length));
  let count = 0;
  const written = () => {
    if (++count % REPORT === 0) progress?.(count, wanted.length);
  };
  for (const group of places) {
    const ends = await endsOf(group);
    for (const place of group) {
      const position = output.position;
      if (!(await copyEntry(place, ends.get(place.offset) as number, positions, output)))
        yield* putDeflated(odb, place.oid, output, null, level);
      positions.set(place.oid, position);
      positions.set(`${packKey(place.pack)}:${place.offset}`, position);
      yield* output.take();
      written();
    }
  }
  const window = delta ? new DeltaWindow() : null;
  for (const oid of others) {
    const position = output.position;
    yield* putDeflated(odb, oid, output, window, level);
    positions.set(oid, position);
    yield* output.take();
    written();
  }
  progress?.(wanted.length, wanted.length);
  yield* output.finish();
}

export function asGitDatabase(odb: ObjectDatabase): GitObjectDatabase {
  if (odb instanceof GitObjectDatabase) return odb;
  throw new GitError("EINVAL", "this works on a repository's own database only");
}

/** Those in packs by pack and place, so that a base comes before its deltas; the others by type. */
async function sort(odb: GitObjectDatabase, oids: readonly Oid[], reuse: boolean) {
  const byPack = new Map<PackReader, Place[]>();
  const loose: { oid: Oid; type: ObjectType; size: number }[] = [];
  for (const oid of oids) {
    const located = reuse ? await odb.inPack(oid) : null;
    if (located === null) {
      const header = await odb.header(oid);
      if (header === null) throw new GitError("ENOTFOUND", `unable to read ${oid}`);
      loose.push({ oid, ...header });
      continue;
    }
    const group = byPack.get(located.pack) ?? [];
    group.push({ oid, ...located });
    byPack.set(located.pack, group);
  }
  const places = [...byPack.values()].map((group) => group.sort((a, b) => a.offset - b.offset));
  // Commits stay in the order given, which is that of history; the largest of a kind first, so that others are deltas on it.
  const rank = (type: ObjectType) => codeOfType(type);
  const others = loose
    .map((object, i) => ({ ...object, i }))
    .sort((a, b) => rank(a.type) - rank(b.type) || (a.type === "commit" ? 0 : b.size - a.size) || a.i - b.i)
    .map(({ oid }) => oid);
  return { places, others };
}

/** Where each entry of these ends: where the next one of the pack begins. */
async function endsOf(group: readonly Place[]): Promise<Map<number, number>> {
  const { pack } = group[0] as Place;
  const offsets = await pack.index.offsets();
  const ends = new Map<number, number>();
  let at = 0;
  for (const { offset } of group) {
    while ((offsets[at] as number) < offset) at++;
    ends.set(offset, at + 1 < offsets.length ? (offsets[at + 1] as number) : pack.file.size - 20);
  }
  return ends;
}

const keys = new WeakMap<PackReader, number>();
let packs = 0;

function packKey(pack: PackReader): number {
  const key = keys.get(pack) ?? ++packs;
  keys.set(pack, key);
  return key;
}

/** The entry as it is, with another way back to its base. False: its base does not come before it in this pack. */
async function copyEntry(
  { pack, offset }: Place,
  end: number,
  positions: ReadonlyMap<string, number>,
  output: PackOutput,
): Promise<boolean> {
  const entry = await pack.entry(offset);
  const head = new Uint8Array(LONGEST_HEADER);
  const isWhole = typeOfCode(entry.code) !== undefined;
  const base = isWhole ? undefined : positions.get(`${packKey(pack)}:${entry.baseAt}`);
  if (!isWhole && base === undefined) return false;
  let length = putEntryHeader(head, 0, isWhole ? entry.code : OFS_DELTA, entry.size);
  if (base !== undefined) length = putBackOffset(head, length, output.position - base);
  output.put(head.subarray(0, length));
  for (let at = entry.dataAt; at < end; ) {
    const bytes = pack.file.peek(at) ?? (await pack.file.at(at));
    const part = bytes.subarray(0, Math.min(bytes.length, end - at, STEP));
    output.put(part);
    at += part.length;
  }
  return true;
}

async function* putDeflated(
  odb: GitObjectDatabase,
  oid: Oid,
  output: PackOutput,
  window: DeltaWindow | null,
  level: number,
): AsyncGenerator<Uint8Array> {
  const header = await odb.header(oid);
  if (header === null) throw new GitError("ENOTFOUND", `unable to read ${oid}`);
  if (header.type !== "blob" || header.size <= odb.limits.wholeObject / 4)
    return putDeltaOrWhole(await odb.need(oid), output, window, level);
  const head = new Uint8Array(LONGEST_HEADER);
  output.put(head.subarray(0, putEntryHeader(head, 0, codeOfType("blob"), header.size)));
  for await (const piece of deflateStream(await odb.stream(oid))) {
    output.put(piece);
    yield* output.take();
  }
}

function putDeltaOrWhole(
  { type, body }: GitObject,
  output: PackOutput,
  window: DeltaWindow | null,
  level: number,
): void {
  const { position } = output;
  const found = window?.find(type, body) ?? null;
  const head = new Uint8Array(LONGEST_HEADER);
  const content = found?.delta ?? body;
  let length = putEntryHeader(head, 0, found === null ? codeOfType(type) : OFS_DELTA, content.length);
  if (found !== null) length = putBackOffset(head, length, position - found.position);
  output.put(head.subarray(0, length));
  output.put(deflate(content, level));
  window?.add(type, body, position, found?.depth ?? 0);
}

function packHeader(count: number): Uint8Array {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x5041434b);
  view.setUint32(4, 2);
  view.setUint32(8, count);
  return bytes;
}
