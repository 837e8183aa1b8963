/** Expands short names to full ones, in git's lookup order; an ambiguous one is a warning. */
import type { Oid } from "../object/oid.ts";
import { REF_RULES } from "../refs/ref-name.ts";
import type { Repository } from "../repository.ts";

interface ExpandedRef {
  /** As it was found: "refs/heads/main", "HEAD". */
  readonly name: string;
  /** The target of a symbolic ref, else the same. */
  readonly resolved: string;
  readonly oid: Oid;
  /** Number of matching refs. */
  readonly count: number;
}

type RefRepository = Pick<Repository, "refs" | "config" | "warn">;

export async function expandRef(repo: RefRepository, short: string): Promise<ExpandedRef | null> {
  if (isAwkward(short)) return null;
  let first: Omit<ExpandedRef, "count"> | null = null;
  let count = 0;
  for (const rule of REF_RULES) {
    const name = rule(short);
    const value = await repo.refs.resolve(name);
    if (value?.oid) {
      first ??= { name, resolved: value.name, oid: value.oid };
      count++;
      if (!warnsAmbiguous(repo)) break;
    } else if (value && name !== "HEAD") repo.warn?.(`ignoring dangling symref ${name}`);
  }
  return first && { ...first, count };
}

/** Like `expandRef`, but for refs with a reflog. */
export async function expandLog(repo: RefRepository, short: string): Promise<ExpandedRef | null> {
  let first: Omit<ExpandedRef, "count"> | null = null;
  let count = 0;
  for (const rule of REF_RULES) {
    const name = rule(short);
    const value = await repo.refs.resolve(name);
    if (!value?.oid) continue;
    const logged = (await repo.refs.hasReflog(name)) ? name : value.name;
    if (logged !== name && !(await repo.refs.hasReflog(logged))) continue;
    if (logged === name && !(await repo.refs.hasReflog(name))) continue;
    first ??= { name: logged, resolved: value.name, oid: value.oid };
    count++;
    if (!warnsAmbiguous(repo)) break;
  }
  return first && { ...first, count };
}

/** Misplaced slashes, and names that lead upward. */
function isAwkward(name: string): boolean {
  return name === "" || name.endsWith("/") || /(^|\/)\.{0,2}(\/|$)/.test(name);
}

export function warnsAmbiguous({ config }: Pick<Repository, "config">): boolean {
  return config.getBool("core.warnambiguousrefs") ?? true;
}
