/**
 * Packs objects into one pack: all reachable ones, or the loose ones. Reachable objects exist at every moment: the new pack is
 * complete before an old one is removed.
 */
import { GitError } from "../../errors.ts";
import type { OidTable } from "../../hash/oid-table.ts";
import type { Oid } from "../../object/oid.ts";
import type { GitObjectDatabase, ObjectSource } from "../../odb/git-object-database.ts";
import { markReachable } from "../../odb/mark-reachable.ts";
import { asGitDatabase, writePack } from "../../odb/write-pack.ts";
import { indexPack } from "../../pack/index-pack.ts";
import type { PackReader } from "../../pack/pack-reader.ts";
import { isPrecious } from "../../repository/repository-format.ts";
import type { Repository } from "../../repository.ts";
import { readShallow } from "../../revision/commit-node.ts";
import { prunePacked } from "./prune.ts";
import { reachableRoots } from "./reachable-roots.ts";
import { markRecent } from "./recent-objects.ts";
import { updateServerInfo } from "./update-server-info.ts";

export interface RepackOptions {
  /** `-a`, `-A`: everything into one pack; `-A` keeps unreachable objects as loose ones. */
  readonly all?: boolean | "keep-unreachable";
  /** `-d`: removes old packs, and loose objects that are packed. */
  readonly removes?: boolean;
  /** `-f`: recomputes deltas. */
  readonly anew?: boolean;
  /** With "keep-unreachable": drops unreachable objects of packs older than this, in seconds. */
  readonly unreachableSince?: number;
  readonly serverInfo?: boolean;
}

export interface Repacked {
  /** Their names; empty: there was nothing to pack. */
  readonly packs: readonly string[];
}

export async function repack(repo: Repository, options: RepackOptions = {}): Promise<Repacked> {
  if (options.removes && isPrecious(repo))
    throw new GitError("ESTATE", "cannot delete packs in a precious-objects repo");
  const odb = asGitDatabase(repo.odb);
  const own = (await odb.sources())[0] as ObjectSource;
  const old = (await removable(odb, own)).slice();
  const shallow = await readShallow(repo);
  const reachable = await markReachable(odb, await reachableRoots(repo), { shallow });
  const all = options.all !== undefined && options.all !== false;
  const promised = all ? await promisedObjects(odb, old) : new Set<Oid>();
  const wanted = (await select(odb, own, reachable, all)).filter((oid) => !promised.has(oid));
  const packs: string[] = [];
  const put = async (oids: Iterable<Oid>) => {
    const stream = writePack(odb, oids, { reuse: !options.anew });
    const { checksum } = await indexPack({ ...odb.intake, directory: own.packs.directory }, stream);
    packs.push(checksum);
    return `${own.packs.directory}/pack-${checksum}`;
  };
  if (promised.size > 0) await odb.fs.writeFile(`${await put(promised)}.promisor`, "");
  if (wanted.length > 0) await put(wanted);
  if (packs.length > 0) await odb.refresh();
  if (options.removes) {
    if (options.all) {
      const gone = old.filter(({ file }) => !packs.some((pack) => file.path.endsWith(`pack-${pack}.pack`)));
      if (options.all === "keep-unreachable") {
        const since = options.unreachableSince ?? 0;
        if (since > 0) await markRecent(repo, reachable, since, shallow);
        await keepLoose(odb, own, gone, (oid, packedAt) => packedAt >= since || reachable.has(oid));
      }
      for (const { file } of gone) await removePack(odb, file.path.slice(0, -".pack".length));
      await odb.refresh();
    }
    await prunePacked(repo);
  }
  if (options.serverInfo ?? true) await updateServerInfo(repo);
  return { packs };
}

/**
 * All objects from a promisor remote: they stay in a separate promisor pack. Objects they name may be missing; in an ordinary pack
 * git takes that for corruption.
 */
async function promisedObjects({ fs }: GitObjectDatabase, packs: readonly PackReader[]): Promise<Set<Oid>> {
  const oids = new Set<Oid>();
  for (const { file, index } of packs)
    if (await fs.exists(file.path.replace(/pack$/, () => "promisor")))
      for await (const { oid } of index.entries()) oids.add(oid);
  return oids;
}

/** Packs that may be removed: those without a `.keep`. */
async function removable({ fs }: GitObjectDatabase, { packs }: ObjectSource): Promise<PackReader[]> {
  const found: PackReader[] = [];
  for (const pack of await packs.packs())
    if (!(await fs.exists(pack.file.path.replace(/pack$/, () => "keep")))) found.push(pack);
  return found;
}

/** Reachable blobs may be missing in a partial clone: packs only existing objects. */
async function select(odb: GitObjectDatabase, own: ObjectSource, reachable: OidTable, all: boolean): Promise<Oid[]> {
  const wanted: Oid[] = [];
  for (let row = 0; row < reachable.count; row++) {
    const oid = reachable.oid(row);
    const packed = await own.packs.find(oid);
    if (packed !== null ? all : await own.loose.has(oid)) wanted.push(oid);
  }
  await odb.refresh();
  return wanted;
}

/** Keeps objects that only removed packs have as loose objects with their pack's time; `keeps` gets that time in seconds. */
async function keepLoose(
  odb: GitObjectDatabase,
  own: ObjectSource,
  gone: readonly PackReader[],
  keeps: (oid: Oid, packedAt: number) => boolean,
): Promise<void> {
  for (const pack of gone) {
    const { mtimeMs, mtime } = await odb.fs.stat(pack.file.path);
    for await (const { oid, offset } of pack.index.entries()) {
      if (!keeps(oid, mtimeMs / 1000)) continue;
      const located = await inOther(odb, oid, gone);
      if (located || (await own.loose.has(oid))) continue;
      const { type, body } = await pack.read(offset);
      await odb.fs.writeMany([own.loose.entry(oid, type, body, 1, mtime)]);
    }
  }
}

async function inOther(odb: GitObjectDatabase, oid: Oid, gone: readonly PackReader[]): Promise<boolean> {
  for (const { packs } of await odb.sources())
    for (const pack of await packs.packs()) if (!gone.includes(pack) && (await pack.find(oid)) >= 0) return true;
  return false;
}

/** The index first: without it the pack is ignored. */
async function removePack({ fs }: GitObjectDatabase, stem: string): Promise<void> {
  for (const extension of ["idx", "pack", "rev", "bitmap", "promisor", "mtimes"])
    await fs.rm(`${stem}.${extension}`, { force: true });
}
