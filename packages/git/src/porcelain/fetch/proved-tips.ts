/** Tips that exist with everything they reach: only those may become refs. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { checkConnected } from "../../wire/check-connected.ts";
import type { RefMapping } from "../../wire/fetch-map.ts";

/** Tips that are missing, or exist without everything they reach: a failed fetch may have left them. */
export async function disconnectedTips(repo: Repository, tips: readonly Oid[], promised: boolean): Promise<Oid[]> {
  const missing = await repo.odb.missing(tips);
  const known = new Set([...missing, ...(await repo.refs.list()).map(({ oid }) => oid)]);
  const unknown = tips.filter((oid) => !known.has(oid));
  return (await isConnected(repo, unknown, promised)) ? missing : [...missing, ...unknown];
}

/** Follows a tag only if its target is complete; otherwise leaves it for a fetch that brings the rest. */
export async function onlyConnected(repo: Repository, tags: RefMapping[], promised: boolean): Promise<RefMapping[]> {
  const whole: RefMapping[] = [];
  for (const tag of tags) if (await isConnected(repo, [tag.oid], promised)) whole.push(tag);
  return whole;
}

async function isConnected(repo: Repository, tips: readonly Oid[], promised: boolean): Promise<boolean> {
  if (tips.length === 0) return true;
  try {
    await checkConnected(repo, tips, promised);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === "ENETWORK") return false;
    throw error;
  }
}
