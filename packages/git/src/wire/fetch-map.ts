/** Maps refspecs and the remote's refs to what is fetched and which refs it updates. */
import { GitError } from "../errors.ts";
import { type Oid, parseOid } from "../object/oid.ts";
import type { RemoteRef } from "./advertisement.ts";
import { fillPattern, findRemoteRef, isExcluded, matchPattern, type Refspec } from "./refspec.ts";

export interface RefMapping {
  /** Name on the remote; for a fetch by object id, the id itself. */
  readonly source: string;
  readonly oid: Oid;
  /** Local name; null: only in FETCH_HEAD. */
  readonly target: string | null;
  readonly force: boolean;
  /** For the branch that `pull` merges. */
  readonly merge: boolean;
  /** Implied by the configuration: not in FETCH_HEAD. */
  readonly opportunistic?: boolean;
  /** Fetched along with the requested refs: reported only if new. */
  readonly following?: boolean;
}

export function mapRefspecs(
  refspecs: readonly Refspec[],
  refs: readonly RemoteRef[],
  merges: (name: string) => boolean,
): RefMapping[] {
  const byName = new Map(refs.map((ref) => [ref.name, ref]));
  const mapped: RefMapping[] = [];
  for (const refspec of refspecs) {
    if (refspec.negative) continue;
    if (refspec.pattern) mapped.push(...mapPattern(refspec, refspecs, refs, merges));
    else mapped.push(mapOne(refspec, byName, merges));
  }
  return withoutRepeats(mapped);
}

function mapPattern(
  refspec: Refspec,
  all: readonly Refspec[],
  refs: readonly RemoteRef[],
  merges: (name: string) => boolean,
): RefMapping[] {
  return refs.flatMap(({ name, oid }) => {
    const part = name.endsWith("^{}") || oid === null ? null : matchPattern(refspec.source, name);
    if (part === null || oid === null || isExcluded(all, name)) return [];
    const target = refspec.target === null || refspec.target === "" ? null : fillPattern(refspec.target, part);
    return [{ source: name, oid, target, force: refspec.force, merge: merges(name) }];
  });
}

function mapOne(
  refspec: Refspec,
  byName: ReadonlyMap<string, RemoteRef>,
  merges: (name: string) => boolean,
): RefMapping {
  const exact = parseOid(refspec.source);
  const found = exact === null ? findRemoteRef(byName, refspec.source) : null;
  if (exact === null && found?.oid == null)
    throw new GitError("ENOTFOUND", `couldn't find remote ref ${refspec.source}`);
  const source = found?.name ?? refspec.source;
  const target = refspec.target === null || refspec.target === "" ? null : wholeName(refspec.target);
  return { source, oid: (exact ?? found?.oid) as Oid, target, force: refspec.force, merge: merges(source) };
}

/** A short local name is a branch. */
function wholeName(target: string): string {
  if (target.startsWith("refs/") || target === "HEAD") return target;
  if (/^(?:heads|tags|remotes)\//.test(target)) return `refs/${target}`;
  return `refs/heads/${target}`;
}

function withoutRepeats(refs: readonly RefMapping[]): RefMapping[] {
  const byTarget = new Map<string, RefMapping>();
  return refs.filter((ref) => {
    if (ref.target === null) return true;
    const before = byTarget.get(ref.target);
    if (before === undefined) {
      byTarget.set(ref.target, ref);
      return true;
    }
    if (before.source !== ref.source)
      throw new GitError("EINVAL", `Cannot fetch both ${before.source} and ${ref.source} to ${ref.target}`);
    return false;
  });
}
