/** Collects all ancestors of some commits, including the commits themselves. */
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { commitReader } from "../../revision/commit-node.ts";

export async function ancestorsOf(repo: Repository, tips: readonly Oid[]): Promise<Set<Oid>> {
  const reader = commitReader(repo);
  const seen = new Set<Oid>(tips);
  const waiting = [...tips];
  for (let oid = waiting.pop(); oid !== undefined; oid = waiting.pop()) {
    for (const parent of (await reader.read(oid)).parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      waiting.push(parent);
    }
  }
  return seen;
}
