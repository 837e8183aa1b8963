/** Counts what the object database contains, for `git count-objects -v`: loose objects, packs, and files that are neither. */
import type { FileStat } from "@workspace/vfs";
import type { Oid } from "../object/oid.ts";
import type { GitObjectDatabase, ObjectSource } from "./git-object-database.ts";
import { isAbsent } from "./loose-store.ts";

interface ObjectCounts {
  loose: number;
  /** Disk usage in KiB, with blocks of 4 KiB. */
  looseKilobytes: number;
  packed: number;
  packs: number;
  packBytes: number;
  /** Loose objects that are also in a pack. */
  prunable: number;
  garbage: { path: string; reason: string }[];
  garbageBytes: number;
}

const BLOCK = 4096;

export async function countObjects(odb: GitObjectDatabase): Promise<ObjectCounts> {
  const counts: ObjectCounts = {
    loose: 0,
    looseKilobytes: 0,
    packed: 0,
    packs: 0,
    packBytes: 0,
    prunable: 0,
    garbage: [],
    garbageBytes: 0,
  };
  const own = (await odb.sources())[0] as ObjectSource;
  await countLoose(odb, own, counts);
  await countPacks(odb, own, counts);
  return counts;
}

async function countLoose(odb: GitObjectDatabase, { directory }: ObjectSource, counts: ObjectCounts): Promise<void> {
  for (let byte = 0; byte < 256; byte++) {
    const first = byte.toString(16).padStart(2, "0");
    for (const { name, stat } of await scan(odb, `${directory}/${first}`)) {
      if (!/^[0-9a-f]{38}$/.test(name)) {
        counts.garbage.push({ path: `${directory}/${first}/${name}`, reason: "garbage found" });
        counts.garbageBytes += stat.size;
        continue;
      }
      counts.loose++;
      counts.looseKilobytes += (Math.ceil(stat.size / BLOCK) * BLOCK) / 1024;
      if ((await odb.inPack(`${first}${name}` as Oid)) !== null) counts.prunable++;
    }
  }
}

async function countPacks(odb: GitObjectDatabase, { packs }: ObjectSource, counts: ObjectCounts): Promise<void> {
  const files = await scan(odb, packs.directory);
  const sizes = new Map(files.map(({ name, stat }) => [name, stat.size]));
  for (const pack of await packs.packs()) {
    const name = pack.file.path.slice(packs.directory.length + 1, -".pack".length);
    counts.packs++;
    counts.packed += pack.index.count;
    counts.packBytes += (sizes.get(`${name}.pack`) ?? 0) + (sizes.get(`${name}.idx`) ?? 0);
  }
  for (const { name, stat } of files) {
    const [, stem, extension] = /^(.*)\.(pack|idx|keep|bitmap|rev|promisor|mtimes)$/.exec(name) ?? [];
    if (name === "multi-pack-index" || (stem !== undefined && sizes.has(`${stem}.pack`) && sizes.has(`${stem}.idx`)))
      continue;
    const reason =
      extension === "pack" ? "no corresponding .idx" : extension === "idx" ? "no corresponding .pack" : "garbage found";
    counts.garbage.push({ path: `${packs.directory}/${name}`, reason });
    counts.garbageBytes += stat.size;
  }
}

async function scan({ fs }: GitObjectDatabase, directory: string): Promise<{ name: string; stat: FileStat }[]> {
  try {
    return await fs.scan(directory);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}
