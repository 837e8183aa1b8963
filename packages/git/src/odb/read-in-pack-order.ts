/**
 * Reads many objects in pack order, then those outside packs: each section of a pack is read once, whatever the requested order,
 * and one object is held at a time. Yields null for one that is missing or too large to hold.
 */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { PackReader } from "../pack/pack-reader.ts";
import { PackWindow, SPAN } from "../pack/pack-window.ts";
import type { GitObjectDatabase } from "./git-object-database.ts";
import type { GitObject, ReadObject } from "./object-database.ts";
import { isDamage } from "./other-copy.ts";
import type { PackLocation } from "./pack-store.ts";

/** Bytes of earlier objects that the caller may hold until it has written them. */
const RETAINED_BY_CALLER = 4 * 1024 * 1024;
/** An object up to this size fits in what the caller may hold. */
const SMALL = 256 * 1024;
/** Objects at most this far apart are read together. */
const GAP = 128 * 1024;

export async function* readInPackOrder(odb: GitObjectDatabase, oids: readonly Oid[]): AsyncGenerator<ReadObject> {
  await odb.prefetch(oids);
  const { packed, others } = await locate(odb, oids);
  using _retained = odb.memory.lease(RETAINED_BY_CALLER, "objects that are being written");
  await using spans = new Spans(odb);
  const retained = new Set(packed.filter(({ pack, offset }) => pack.isCached(offset)));
  // Before other reads make the cache evict them.
  for (const { oid, pack, offset } of retained) yield { oid, object: await pack.read(offset) };
  const unread = packed.filter((one) => !retained.has(one));
  for (const [i, { oid, pack, offset }] of unread.entries()) {
    let isShared = false;
    const read = async () => {
      const span = spans.holding(pack, offset) ?? (await spans.over(unread, i));
      // In the same turn as the read: while a span is filled, another reader may put the object into the cache.
      isShared = pack.isCached(offset);
      return pack.read(offset, span);
    };
    const object = await tooLargeIsNull(
      read().catch((error: unknown) => {
        if (!isDamage(error)) throw error;
        isShared = true;
        return odb.read(oid);
      }),
    );
    const found: ReadObject = { oid, object, owned: !isShared };
    const size = object?.body.length ?? 0;
    if (size <= SMALL) yield found;
    else {
      using _object = odb.memory.lease(size, "an object");
      yield found;
    }
  }
  for (const oid of others) yield { oid, object: await tooLargeIsNull(odb.read(oid)) };
}

interface Packed extends PackLocation {
  readonly oid: Oid;
}

/** Each name once. */
async function locate(odb: GitObjectDatabase, oids: readonly Oid[]): Promise<{ packed: Packed[]; others: Oid[] }> {
  const packed: Packed[] = [];
  const others: Oid[] = [];
  const ranks = new Map<PackReader, number>();
  for (const oid of new Set(oids)) {
    const located = await odb.inPack(oid);
    if (located === null) {
      others.push(oid);
      continue;
    }
    const { pack, offset } = located;
    if (!ranks.has(pack)) ranks.set(pack, ranks.size);
    packed.push({ oid, pack, offset });
  }
  const rank = ({ pack }: Packed) => ranks.get(pack) as number;
  packed.sort((a, b) => rank(a) - rank(b) || a.offset - b.offset);
  return { packed, others };
}

/** One section for each pack, open while objects are read. */
class Spans {
  readonly #odb: GitObjectDatabase;
  readonly #open = new Map<PackReader, { span: PackWindow; lease: Disposable }>();

  constructor(odb: GitObjectDatabase) {
    this.#odb = odb;
  }

  /** Null: none is open, or the object is elsewhere. */
  holding(pack: PackReader, offset: number): PackWindow | null {
    const span = this.#open.get(pack)?.span;
    return span?.holdsEntry(offset) ? span : null;
  }

  /** Loads a section with the object at `i`, and the following ones that lie close together. */
  async over(packed: readonly Packed[], i: number): Promise<PackWindow> {
    const { pack, offset } = packed[i] as Packed;
    const span = await this.#of(pack);
    let last = offset;
    for (let next = i + 1; next < packed.length; next++) {
      const one = packed[next] as Packed;
      if (one.pack !== pack || one.offset - last > GAP || one.offset - offset > SPAN) break;
      last = one.offset;
    }
    await span.fill(offset, last);
    return span;
  }

  async #of(pack: PackReader): Promise<PackWindow> {
    const open = this.#open.get(pack);
    if (open !== undefined) return open.span;
    const lease = this.#odb.memory.lease(SPAN, "a stretch of a pack");
    const span = await PackWindow.open(this.#odb.fs, pack.file);
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

async function tooLargeIsNull(reading: Promise<GitObject | null>): Promise<GitObject | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof GitError && error.code === "ETOOBIG") return null;
    throw error;
  }
}
