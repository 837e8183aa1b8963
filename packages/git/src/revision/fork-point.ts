/** The commit of a ref's reflog from which a branch forked, even if the ref was rewound since. */
import { type Oid, ZERO_OID } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { mergeBases } from "./merge-base.ts";

/** `name` is the full name of the ref, `tip` its value. Null: not found. */
export async function forkPoint(repo: Repository, name: string, tip: Oid, commit: Oid): Promise<Oid | null> {
  const tips = new Set<Oid>();
  for (const [i, { from, to }] of (await repo.refs.reflog(name)).entries()) {
    if (i === 0 && from !== ZERO_OID) tips.add(from);
    if (to !== ZERO_OID) tips.add(to);
  }
  if (tips.size === 0) tips.add(tip);
  const missing = new Set(await repo.odb.missing([...tips]));
  const present = [...tips].filter((oid) => !missing.has(oid));
  const [base, ...others] = await mergeBases(repo, commit, present);
  return base !== undefined && others.length === 0 && tips.has(base) ? base : null;
}
