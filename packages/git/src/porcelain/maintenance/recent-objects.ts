/**
 * Finds objects that are too recent to prune, and everything that they reach. A process that wrote an object recently, and has not
 * stored it in a ref yet, may rely on older objects.
 */
import type { OidTable } from "../../hash/oid-table.ts";
import type { Oid } from "../../object/oid.ts";
import type { ObjectSource } from "../../odb/git-object-database.ts";
import { markReachable } from "../../odb/mark-reachable.ts";
import { asGitDatabase } from "../../odb/write-pack.ts";
import type { Repository } from "../../repository.ts";

/** Adds objects newer than `before`, in seconds, and all existing objects they reach to `reachable`. */
export async function markRecent(
  repo: Repository,
  reachable: OidTable,
  before: number,
  shallow: ReadonlySet<Oid>,
): Promise<void> {
  if (before === Number.POSITIVE_INFINITY) return;
  const odb = asGitDatabase(repo.odb);
  const { loose, packs, directory } = (await odb.sources())[0] as ObjectSource;
  const isRecent = async (path: string) => ((await repo.fs.stat(path).catch(() => null))?.mtimeMs ?? 0) / 1000 > before;
  const recent: Oid[] = [];
  for await (const oid of loose.list())
    if (!reachable.has(oid) && (await isRecent(`${directory}/${oid.slice(0, 2)}/${oid.slice(2)}`))) recent.push(oid);
  for (const { file, index } of await packs.packs())
    if (await isRecent(file.path))
      for await (const { oid } of index.entries()) if (!reachable.has(oid)) recent.push(oid);
  await markReachable(odb, recent, { shallow, missing: () => {}, known: reachable });
}
