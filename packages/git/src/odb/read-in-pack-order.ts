/**
 * Many objects, read in the order they lie in the packs and given back in the order asked. A batch is held in between, bounded
 * in number and bytes; what does not fit is read when its turn comes. One that is missing or too large to hold comes as null.
 */
import { GitError } from "../errors.ts";
import type { GitObject } from "../object-database.ts";
import type { Oid } from "../oid.ts";
import type { GitObjectDatabase } from "./git-object-database.ts";
import type { Located } from "./pack-store.ts";

/** How many at a time, at first and at most; in between as many as will probably fit, going by those before. */
const FIRST_BATCH = 64;
const LARGEST_BATCH = 512;
const BYTES = 8 * 1024 * 1024;

export async function* readInPackOrder(
  odb: GitObjectDatabase,
  oids: readonly Oid[],
): AsyncGenerator<{ oid: Oid; object: GitObject | null }> {
  await odb.prefetch(oids);
  let batchSize = FIRST_BATCH;
  for (let from = 0; from < oids.length; ) {
    const batch = oids.slice(from, from + batchSize);
    from += batch.length;
    const held = await readPacked(odb, batch);
    const bytes = bytesOf(held);
    using _lease = odb.memory.lease(bytes, "objects read ahead");
    for (const oid of batch) yield { oid, object: held.get(oid) ?? (await readOrNull(odb, oid)) };
    const mean = (bytes + 1) / Math.max(1, held.size);
    batchSize = Math.max(FIRST_BATCH, Math.min(LARGEST_BATCH, Math.floor((0.9 * BYTES) / mean)));
  }
}

async function readPacked(odb: GitObjectDatabase, oids: readonly Oid[]): Promise<Map<Oid, GitObject>> {
  const packed: { oid: Oid; located: Located }[] = [];
  for (const oid of oids) {
    const located = await odb.inPack(oid);
    if (located !== null) packed.push({ oid, located });
  }
  const order = new Map<unknown, number>();
  for (const { located } of packed) if (!order.has(located.pack)) order.set(located.pack, order.size);
  const rank = ({ pack }: Located) => order.get(pack) as number;
  packed.sort((a, b) => rank(a.located) - rank(b.located) || a.located.offset - b.located.offset);
  const held = new Map<Oid, GitObject>();
  let bytes = 0;
  for (const { oid, located } of packed) {
    if (bytes > BYTES) break;
    const object = await tooLargeIsNull(located.pack.read(located.offset));
    if (object === null) continue;
    held.set(oid, object);
    bytes += object.body.length;
  }
  return held;
}

function bytesOf(held: ReadonlyMap<Oid, GitObject>): number {
  let bytes = 0;
  for (const { body } of held.values()) bytes += body.length;
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
