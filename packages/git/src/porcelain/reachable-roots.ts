/** Where reachability begins for those who throw away the rest: refs, HEAD, reflogs and what is staged. */
import { type Oid, ZERO_OID } from "../oid.ts";
import type { Repository } from "../repository.ts";
import { readIndex } from "../staging/read-index.ts";
import { undoObjects } from "../staging/resolve-undo.ts";

const GITLINK = 0o160000;

export interface RootsOptions {
  /** Default true. */
  readonly reflogs?: boolean;
  readonly staged?: boolean;
}

/** Each once, those that are here; a reflog may speak of commits that are gone. */
export async function reachableRoots(
  repo: Repository,
  { reflogs = true, staged = true }: RootsOptions = {},
): Promise<Set<Oid>> {
  const roots = new Set<Oid>();
  const names = new Set(["HEAD"]);
  for (const { name, oid } of await repo.refs.list()) {
    roots.add(oid);
    names.add(name);
  }
  const head = await repo.refs.resolve("HEAD");
  if (head?.oid) roots.add(head.oid);
  if (reflogs) {
    for (const name of names)
      for (const { from, to } of await repo.refs.reflog(name))
        for (const oid of [from, to])
          if (oid !== ZERO_OID && !roots.has(oid) && (await repo.odb.has(oid))) roots.add(oid);
  }
  if (staged) for (const oid of await stagedObjects(repo)) if (await repo.odb.has(oid)) roots.add(oid);
  return roots;
}

async function stagedObjects(repo: Repository): Promise<Set<Oid>> {
  const index = await readIndex(repo);
  const oids = index.entries.filter(({ mode }) => mode !== GITLINK).map(({ oid }) => oid);
  return new Set([...oids, ...undoObjects(index)]);
}
