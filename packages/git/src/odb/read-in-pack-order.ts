/**
 * Many objects, read in the order they lie in the packs and given back in the order asked. A batch is held in between, bounded
 * in number and bytes; what does not fit is read when its turn comes. One that is missing or too large to hold comes as null.
 */
import { GitError } from "../errors.ts";
import type { GitObject, ReadObject } from "../object-database.ts";
import type { Oid } from "../oid.ts";
import type { PackReader } from "../pack/pack-reader.ts";
import { PackSpan, SPAN } from "../pack/pack-span.ts";
import type { GitObjectDatabase } from "./git-object-database.ts";
import type { Located } from "./pack-store.ts";

/** How many at a time, at first and at most; in between as many as will probably fit, going by those before. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 512;
const BYTES = 8 * 1024 * 1024;
/** Objects at most so far from each other are read together. */
const GAP = 64 * 1024;

export async function* readInPackOrder(odb: GitObjectDatabase, oids: readonly Oid[]): AsyncGenerator<ReadObject> {
  await odb.prefetch(oids);
  await using spans = new Spans(odb);
  let batchSize = FIRST_BATCH;
  for (let from = 0; from < oids.length; ) {
    const batch = oids.slice(from, from + batchSize);
    from += batch.length;
    const held = await readPacked(odb, batch, spans);
    const bytes = bytesOf(held);
    using _lease = odb.memory.lease(bytes, "objects read ahead");
    for (const oid of batch) yield held.get(oid) ?? { oid, object: await readOrNull(odb, oid) };
    const mean = (bytes + 1) / Math.max(1, held.size);
    batchSize = Math.max(FIRST_BATCH, Math.min(LARGEST_BATCH, Math.floor((0.9 * BYTES) / mean)));
  }
}

interface Packed {
  readonly oid: Oid;
  readonly located: Located;
}

async function readPacked(odb: GitObjectDatabase, oids: readonly Oid[], spans: Spans): Promise<Map<Oid, HeldObject>> {
  const packed: Packed[] = [];
  const asked = new Set<Oid>();
  const again = new Set<Oid>();
  for (const oid of oids) {
    if (asked.has(oid)) again.add(oid);
    else {
      asked.add(oid);
      const located = await odb.inPack(oid);
      if (located !== null) packed.push({ oid, located });
    }
  }
  const order = new Map<unknown, number>();
  for (const { located } of packed) if (!order.has(located.pack)) order.set(located.pack, order.size);
  const rank = ({ pack }: Located) => order.get(pack) as number;
  packed.sort((a, b) => rank(a.located) - rank(b.located) || a.located.offset - b.located.offset);
  const held = new Map<Oid, HeldObject>();
  let bytes = 0;
  for (const [i, { oid, located }] of packed.entries()) {
    if (bytes > BYTES) break;
    const { pack, offset } = located;
    const shared = pack.isCached(offset);
    const object = await tooLargeIsNull(pack.read(offset, await spans.over(packed, i)));
    if (object === null) continue;
    held.set(oid, { oid, object, owned: !shared && !again.has(oid) });
    bytes += object.body.length;
  }
  return held;
}

/** One stretch for each pack, open as long as objects are read. */
class Spans {
  readonly #odb: GitObjectDatabase;
  readonly #open = new Map<PackReader, { span: PackSpan; lease: Disposable }>();

  constructor(odb: GitObjectDatabase) {
    this.#odb = odb;
  }

  /** A stretch with the object at `i`, and with those after it when they lie close together. */
  async over(packed: readonly Packed[], i: number): Promise<PackSpan> {
    const { pack, offset } = (packed[i] as Packed).located;
    const span = await this.#of(pack);
    if (span.covers(offset)) return span;
    let last = offset;
    for (let next = i + 1; next < packed.length; next++) {
      const { located } = packed[next] as Packed;
      if (located.pack !== pack || located.offset - last > GAP || located.offset - offset > SPAN - GAP) break;
      last = located.offset;
    }
    // One by itself is on a page that its neighbours in other batches may need, too.
    if (last > offset) await span.fill(offset, last + GAP);
    return span;
  }

  async #of(pack: PackReader): Promise<PackSpan> {
    const open = this.#open.get(pack);
    if (open !== undefined) return open.span;
    const lease = this.#odb.memory.lease(SPAN, "a stretch of a pack");
    const span = await PackSpan.open(this.#odb.fs, pack.file);
    this.#open.set(pack, { span, lease });
    return span;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { span, lease } of this.#open.values()) {
      lease[Symbol.dispose]();
      await span[Symbol.asyncDispose]();
    }
  }
}

type HeldObject = ReadObject & { readonly object: GitObject };

function bytesOf(held: ReadonlyMap<Oid, HeldObject>): number {
  let bytes = 0;
  for (const { object } of held.values()) bytes += object.body.length;
  return bytes;
}

function readOrNull(odb: GitObjectDatabase, oid: Oid): Promise<GitObject | null> {
  return tooLargeIsNull(odb.read(oid));
}

async function tooLargeIsNull(reading: Promise<GitObject | null>): Promise<GitObject | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof GitError && error.code === "ETOOBIG") return null;
    throw error;
  }
}
