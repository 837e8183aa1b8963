/** Rejects refs that reach the remote's shallow boundary, unless the options allow them. */
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { peelTo } from "../../revision/peel.ts";
import type { RefMapping } from "../../wire/fetch-map.ts";

export async function tipsReachingShallow(
  repo: Repository,
  refs: readonly RefMapping[],
  ends: readonly Oid[],
): Promise<Set<Oid>> {
  const found = new Set<Oid>();
  if (ends.length === 0) return found;
  const stops = new Set(ends);
  const reader = commitReader(repo);
  for (const tip of new Set(refs.map(({ oid }) => oid))) {
    const start = await peelTo(repo, tip, "commit").catch(() => null);
    const seen = new Set<Oid>();
    const pending = start === null ? [] : [start];
    for (let oid = pending.pop(); oid !== undefined && !found.has(tip); oid = pending.pop()) {
      if (stops.has(oid)) found.add(tip);
      if (seen.has(oid)) continue;
      seen.add(oid);
      pending.push(...((await reader.find(oid))?.parents ?? []));
    }
  }
  return found;
}
