/**
 * Writes a pack of the given objects as a stream: never held whole. Entries of existing packs are copied, including a delta if
 * its base is in the list; the rest is deflated, as a delta on a neighbor if that is smaller.
 */
import { GitError } from "../errors.ts";
import { type Oid, oidToBytes } from "../object/oid.ts";
import { createDelta } from "../pack/create-delta.ts";
import {
  codeOfType,
  MAX_HEADER,
  OFS_DELTA,
  putBackOffset,
  putEntryHeader,
  REF_DELTA,
  typeOfCode,
} from "../pack/entry-header.ts";
import { PackOutput } from "../pack/pack-output.ts";
import type { PackReader } from "../pack/pack-reader.ts";
import { deflate } from "../zlib/deflate.ts";
import { deflateStream } from "../zlib/deflate-stream.ts";
import { DeltaWindow } from "./delta-window.ts";
import { GitObjectDatabase } from "./git-object-database.ts";
import type { GitObject, ObjectDatabase, ObjectType } from "./object-database.ts";

interface WritePackOptions {
  /** Called periodically with the number of objects written. */
  readonly progress?: (written: number, total: number) => void;
  /** Try deltas for objects that are not copied; default true. */
  readonly delta?: boolean;
  /** Copy deltas and compressed bytes of existing packs; default true. */
  readonly reuse?: boolean;
  /** zlib level, default -1. */
  readonly level?: number;
  /** For a thin pack, by object: a base that the receiver has. */
  readonly bases?: ReadonlyMap<Oid, Oid>;
  /** Refer to bases by id, for a receiver without `ofs-delta`; default false. */
  readonly namesBases?: boolean;
}

/** Current location of an object of the list. */
interface PackedObject {
  readonly oid: Oid;
  readonly pack: PackReader;
  readonly offset: number;
}

const REPORT = 256;
/** In bytes: a smaller entry of a pack is copied unchanged. */
const WORTH_A_DELTA = 512;
const STEP = 128 * 1024;

export async function* writePack(
  database: ObjectDatabase,
  oids: Iterable<Oid>,
  options: WritePackOptions = {},
): AsyncGenerator<Uint8Array> {
  const odb = asGitDatabase(database);
  const { delta = true, reuse = true, level = -1, progress, bases, namesBases = false } = options;
  const wanted = [...new Set(oids)];
  const { places, others } = await sort(odb, wanted, reuse);
  const output = new PackOutput();
  const positions = new Map<Oid | string, number>();
  const writing: Writing = { odb, output, level, names: namesBases ? new Map() : null, bases };
  output.put(packHeader(wanted.length));
  let count = 0;
  const written = () => {
    if (++count % REPORT === 0) progress?.(count, wanted.length);
  };
  for (const group of places) {
    const ends = await endsOf(group);
    for (const place of group) {
      const position = output.position;
      if (!(await copyEntry(place, ends.get(place.offset) as number, positions, writing)))
        yield* putDeflated(writing, place.oid, null);
      positions.set(place.oid, position);
      writing.names?.set(position, place.oid);
      positions.set(`${packKey(place.pack)}:${place.offset}`, position);
      yield* output.take();
      written();
    }
  }
  const window = delta ? new DeltaWindow() : null;
  for (const oid of others) {
    const position = output.position;
    yield* putDeflated(writing, oid, window);
    positions.set(oid, position);
    writing.names?.set(position, oid);
    yield* output.take();
    written();
  }
  progress?.(wanted.length, wanted.length);
  yield* output.finish();
}

interface Writing {
  readonly odb: GitObjectDatabase;
  readonly output: PackOutput;
  readonly level: number;
  /** By position, if bases are referred to by id. */
  readonly names: Map<number, Oid> | null;
  readonly bases: ReadonlyMap<Oid, Oid> | undefined;
}

export function asGitDatabase(odb: ObjectDatabase): GitObjectDatabase {
  if (odb instanceof GitObjectDatabase) return odb;
  throw new GitError("EINVAL", "this works on a repository's own database only");
}

/** Packed objects by pack and offset, so that a base comes before its deltas; the others by type. */
async function sort(odb: GitObjectDatabase, oids: readonly Oid[], reuse: boolean) {
  const byPack = new Map<PackReader, PackedObject[]>();
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
  // Commits stay in the given order, which is that of history; the largest of a kind first, so that others are deltas on it.
  const rank = (type: ObjectType) => codeOfType(type);
  const others = loose
    .map((object, i) => ({ ...object, i }))
    .sort((a, b) => rank(a.type) - rank(b.type) || (a.type === "commit" ? 0 : b.size - a.size) || a.i - b.i)
    .map(({ oid }) => oid);
  return { places, others };
}

/** End of each entry: the start of the next one in the pack. */
async function endsOf(group: readonly PackedObject[]): Promise<Map<number, number>> {
  const { pack } = group[0] as PackedObject;
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

/** Copies the entry, with a new reference to its base. False: its base does not precede it in this pack. */
async function copyEntry(
  { oid, pack, offset }: PackedObject,
  end: number,
  positions: ReadonlyMap<string, number>,
  { output, names, bases }: Writing,
): Promise<boolean> {
  const entry = await pack.entry(offset);
  const isWhole = typeOfCode(entry.code) !== undefined;
  const base = isWhole ? undefined : positions.get(`${packKey(pack)}:${entry.baseAt}`);
  if (!isWhole && base === undefined) return false;
  // As a delta on an object of the receiver it is far smaller.
  if (isWhole && bases?.has(oid) && end - offset > WORTH_A_DELTA) return false;
  if (base === undefined) output.put(wholeHead(entry.code, entry.size));
  else putDeltaHead({ output, names }, entry.size, base);
  for (let at = entry.dataAt; at < end; ) {
    const bytes = pack.file.peek(at) ?? (await pack.file.at(at));
    const part = bytes.subarray(0, Math.min(bytes.length, end - at, STEP));
    output.put(part);
    at += part.length;
  }
  return true;
}

function wholeHead(code: number, size: number): Uint8Array {
  const head = new Uint8Array(MAX_HEADER);
  return head.subarray(0, putEntryHeader(head, 0, code, size));
}

/** Header of a delta on the entry at `base` of this pack. */
function putDeltaHead({ output, names }: Pick<Writing, "output" | "names">, size: number, base: number): void {
  const head = new Uint8Array(MAX_HEADER);
  if (names === null) {
    const length = putEntryHeader(head, 0, OFS_DELTA, size);
    output.put(head.subarray(0, putBackOffset(head, length, output.position - base)));
  } else {
    output.put(head.subarray(0, putEntryHeader(head, 0, REF_DELTA, size)));
    output.put(oidToBytes(names.get(base) as Oid));
  }
}

async function* putDeflated(writing: Writing, oid: Oid, window: DeltaWindow | null): AsyncGenerator<Uint8Array> {
  const { odb, output } = writing;
  const header = await odb.header(oid);
  if (header === null) throw new GitError("ENOTFOUND", `unable to read ${oid}`);
  if (header.type !== "blob" || header.size <= odb.limits.wholeObject / 4)
    return putDeltaOrWhole(writing, oid, await odb.need(oid), window);
  output.put(wholeHead(codeOfType("blob"), header.size));
  for await (const piece of deflateStream(await odb.stream(oid))) {
    output.put(piece);
    yield* output.take();
  }
}

async function putDeltaOrWhole(
  writing: Writing,
  oid: Oid,
  { type, body }: GitObject,
  window: DeltaWindow | null,
): Promise<void> {
  const { output, level } = writing;
  const { position } = output;
  const found = window?.find(type, body) ?? null;
  const thin = await thinDelta(writing, oid, body, found?.delta.length);
  if (thin !== null) {
    output.put(wholeHead(REF_DELTA, thin.delta.length));
    output.put(oidToBytes(thin.base));
  } else if (found !== null) putDeltaHead(writing, found.delta.length, found.position);
  else output.put(wholeHead(codeOfType(type), body.length));
  output.put(deflate(thin?.delta ?? found?.delta ?? body, level));
  window?.add(type, body, position, thin ? 1 : (found?.depth ?? 0));
}

/** Null: no base, or too little is saved. */
async function thinDelta({ odb, bases }: Writing, oid: Oid, body: Uint8Array, max = body.length >> 1) {
  const base = bases?.get(oid);
  const header = base === undefined ? null : await odb.header(base);
  if (base === undefined || header === null || header.size > odb.limits.wholeObject / 4) return null;
  const delta = max > 0 ? createDelta((await odb.need(base)).body, body, max) : null;
  return delta === null || delta.length >= max ? null : { base, delta };
}

function packHeader(count: number): Uint8Array {
  const bytes = new Uint8Array(12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x5041434b);
  view.setUint32(4, 2);
  view.setUint32(8, count);
  return bytes;
}
