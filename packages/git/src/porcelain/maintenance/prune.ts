/** Removes loose objects: those that are also packed, and unreachable ones that are old enough. */
import type { ScanEntry } from "@workspace/vfs";
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import type { ObjectSource } from "../../odb/git-object-database.ts";
import { isAbsent } from "../../odb/loose-store.ts";
import { markReachable } from "../../odb/mark-reachable.ts";
import type { ObjectType } from "../../odb/object-database.ts";
import { asGitDatabase } from "../../odb/write-pack.ts";
import { isPrecious } from "../../repository/repository-format.ts";
import type { Repository } from "../../repository.ts";
import { readShallow } from "../../revision/commit-node.ts";
import { reachableRoots } from "./reachable-roots.ts";
import { markRecent } from "./recent-objects.ts";

export interface Pruned {
  readonly oid: Oid;
  readonly type: ObjectType;
  readonly path: string;
}

export interface PruneOptions {
  /** Removes objects older than this, in seconds since 1970; default all. */
  readonly before?: number;
  readonly dryRun?: boolean;
  /** Additional roots to keep, with everything they reach. */
  readonly heads?: readonly Oid[];
}

export async function prune(
  repo: Repository,
  { before = Number.POSITIVE_INFINITY, dryRun = false, heads = [] }: PruneOptions = {},
): Promise<Pruned[]> {
  if (isPrecious(repo)) throw new GitError("ESTATE", "cannot prune in a precious-objects repo");
  const odb = asGitDatabase(repo.odb);
  const roots = await reachableRoots(repo, { complaint: "unable to parse object:" });
  for (const head of heads) roots.add(head);
  const shallow = await readShallow(repo);
  const reachable = await markReachable(odb, roots, { shallow });
  await markRecent(repo, reachable, before, shallow);
  const pruned: Pruned[] = [];
  await eachLoose(repo, async (oid, path, { stat }) => {
    if (reachable.has(oid) || stat.mtimeMs / 1000 > before) return false;
    const header = await odb.header(oid).catch(() => null);
    pruned.push({ oid, path, type: header?.type ?? "blob" });
    return !dryRun;
  });
  if (!dryRun) await removeTemporary(repo, before);
  return pruned;
}

export async function prunePacked(repo: Repository, dryRun = false): Promise<Pruned[]> {
  const odb = asGitDatabase(repo.odb);
  const pruned: Pruned[] = [];
  await eachLoose(repo, async (oid, path) => {
    if ((await odb.inPack(oid)) === null) return false;
    pruned.push({ oid, path, type: "blob" });
    return !dryRun;
  });
  return pruned;
}

/** Removes the objects that `removes` selects, one directory at a time, and directories that become empty. */
async function eachLoose(
  repo: Repository,
  removes: (oid: Oid, path: string, entry: ScanEntry) => Promise<boolean>,
): Promise<void> {
  const { fs } = repo;
  const { directory } = (await asGitDatabase(repo.odb).sources())[0] as ObjectSource;
  for (let byte = 0; byte < 256; byte++) {
    const first = byte.toString(16).padStart(2, "0");
    const entries = await scan(repo, `${directory}/${first}`);
    if (entries === null) continue;
    const paths: string[] = [];
    for (const entry of entries) {
      const path = `${directory}/${first}/${entry.name}`;
      if (/^[0-9a-f]{38}$/.test(entry.name) && (await removes(`${first}${entry.name}` as Oid, path, entry)))
        paths.push(path);
    }
    if (paths.length > 0) await fs.writeMany(paths.map((path) => ({ path, type: "remove" as const })));
    if (paths.length === entries.length) await fs.rmdir(`${directory}/${first}`);
  }
}

/** Temporary files of a process that died. */
async function removeTemporary(repo: Repository, before: number): Promise<void> {
  const { directory } = (await asGitDatabase(repo.odb).sources())[0] as ObjectSource;
  for (const position of [directory, `${directory}/pack`])
    for (const { name, stat } of (await scan(repo, position)) ?? [])
      if (name.startsWith("tmp_") && stat.mtimeMs / 1000 <= before)
        await repo.fs.rm(`${position}/${name}`, { recursive: true, force: true });
}

async function scan({ fs }: Repository, directory: string): Promise<ScanEntry[] | null> {
  try {
    return await fs.scan(directory);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}
