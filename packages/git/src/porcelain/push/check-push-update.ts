/** Whether a remote ref may move, checked before anything is sent: leases, existing tags, non-fast-forwards. */
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { isAncestor } from "../../revision/merge-base.ts";
import type { PushUpdate } from "./match-push-refs.ts";
import type { PushedRef, PushKind, PushOptions } from "./push.ts";
import { trackedValue } from "./track-moves.ts";

export async function checkPushUpdate(
  repo: Repository,
  pushUpdate: PushUpdate,
  from: Oid,
  options: PushOptions,
): Promise<PushedRef> {
  const { source, target, to, force } = pushUpdate;
  const reported = (kind: PushKind, reason?: string): PushedRef => ({
    kind,
    source,
    target,
    from,
    to,
    ...(reason ? { reason } : {}),
  });
  const lease = options.lease?.(target) ?? null;
  // A forced update ignores the lease; for a deletion only the force option counts.
  const overrides = to === ZERO_OID ? options.force : force;
  const expected = lease === "tracking" ? await trackedValue(repo, options.remote, target) : lease;
  const isStale = expected !== null && expected !== from;
  if (expected !== null && !overrides) {
    if (isStale) return reported("rejected", "stale info");
    if (options.ifIncludes && lease === "tracking" && !(await hasIncluded(repo, target, expected)))
      return reported("rejected", "remote ref updated since checkout");
  }
  if (to === ZERO_OID) return reported("deleted");
  if (from === to) return reported("same");
  if (from === ZERO_OID) return reported("new");
  const forced = force || lease !== null;
  if (target.startsWith("refs/tags/")) return forced ? reported("forced") : reported("rejected", "already exists");
  if ((await repo.odb.header(from)) === null) return forced ? reported("forced") : reported("rejected", "fetch first");
  const isCommit = async (oid: Oid) => (await repo.odb.header(oid))?.type === "commit";
  if (!(await isCommit(from)) || !(await isCommit(to)))
    return forced ? reported("forced") : reported("rejected", "needs force");
  if (!isStale && (await isAncestor(repo, from, to))) return reported("fast-forward");
  return forced ? reported("forced") : reported("rejected", "non-fast-forward");
}

/** Whether our branch of that name ever contained the remote's value. */
async function hasIncluded(repo: Repository, branch: string, theirs: Oid): Promise<boolean> {
  if (theirs === ZERO_OID || (await repo.refs.read(branch)) === null) return true;
  for (const { to } of (await repo.refs.reflog(branch)).reverse())
    if (to === theirs || (to !== ZERO_OID && (await isAncestor(repo, theirs, to)))) return true;
  return false;
}
