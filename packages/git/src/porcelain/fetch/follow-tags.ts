/** Follows tags during a fetch: selects the remote's tags that point at objects we have or fetch. */
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import type { RemoteRef } from "../../wire/advertisement.ts";
import type { RefMapping } from "../../wire/fetch-map.ts";

/** Tag objects for commits we already have: servers do not send them along with a commit, so they are requested. */
export async function tagsOnOurs(
  repo: Repository,
  refs: readonly RemoteRef[],
  mapped: readonly RefMapping[],
): Promise<Oid[]> {
  const known = new Set(mapped.map(({ target }) => target));
  const wanted: Oid[] = [];
  for (const { name, oid, peeled } of refs) {
    if (!name.startsWith("refs/tags/") || oid === null || peeled === undefined || known.has(name)) continue;
    if ((await repo.refs.read(name)) !== null) continue;
    if ((await repo.odb.missing([peeled])).length === 0 && (await repo.odb.missing([oid])).length > 0) wanted.push(oid);
  }
  return wanted;
}

/** The remote's tags that point at an object we now have, and that we lack. */
export async function followTags(
  repo: Repository,
  refs: readonly RemoteRef[],
  mapped: readonly RefMapping[],
  coming: ReadonlySet<Oid> = new Set(),
): Promise<RefMapping[]> {
  const known = new Set(mapped.map(({ target }) => target));
  const found: RefMapping[] = [];
  for (const { name, oid, peeled } of refs) {
    if (!name.startsWith("refs/tags/") || oid === null || known.has(name)) continue;
    if ((await repo.refs.read(name)) !== null) continue;
    const isComing = coming.has(peeled ?? oid);
    if (!isComing && (await repo.odb.missing(peeled === undefined ? [oid] : [oid, peeled])).length > 0) continue;
    found.push({ source: name, oid, target: name, force: false, merge: false, following: true });
  }
  return found;
}
