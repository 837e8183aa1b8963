/** Reports the disk usage of an object and its delta base. */

import type { Oid } from "../object/oid.ts";
import type { PackReader } from "../pack/pack-reader.ts";
import type { ObjectDatabase } from "./object-database.ts";
import { asGitDatabase } from "./write-pack.ts";

export interface DiskUsage {
  readonly bytes: number;
  readonly base: Oid | null;
}

/** Cached per pack: the order of its entries, and the id of each. */
const orders = new WeakMap<PackReader, Promise<ReadonlyMap<number, { end: number; oid: Oid }>>>();

export async function diskUsage(database: ObjectDatabase, oid: Oid): Promise<DiskUsage> {
  const odb = asGitDatabase(database);
  const located = await odb.inPack(oid);
  if (located === null) {
    for (const { loose } of await odb.sources()) {
      const stat = await odb.fs.stat(loose.path(oid)).catch(() => null);
      if (stat !== null) return { bytes: stat.size, base: null };
    }
    return { bytes: 0, base: null };
  }
  const { pack, offset } = located;
  const order = orders.get(pack) ?? packOrder(pack);
  orders.set(pack, order);
  const entries = await order;
  const { baseAt } = await pack.entry(offset);
  return {
    bytes: (entries.get(offset)?.end ?? offset) - offset,
    base: baseAt < 0 ? null : (entries.get(baseAt)?.oid ?? null),
  };
}

async function packOrder(pack: PackReader): Promise<Map<number, { end: number; oid: Oid }>> {
  const found: { oid: Oid; offset: number }[] = [];
  for await (const entry of pack.index.entries()) found.push(entry);
  found.sort((a, b) => a.offset - b.offset);
  return new Map(
    found.map(({ oid, offset }, i) => [offset, { oid, end: found[i + 1]?.offset ?? pack.file.size - 20 }]),
  );
}
