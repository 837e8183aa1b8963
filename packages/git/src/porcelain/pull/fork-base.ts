/** The fork point of a branch by the reflog of its tracking ref: commits dropped upstream since then are not brought back. */
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { branchUpstream } from "../../revision/branch-mark.ts";
import { forkPoint } from "../../revision/fork-point.ts";
import { octopusMergeBases } from "../../revision/merge-base.ts";
import { currentBranch } from "../branch/branch-names.ts";

/** Call before the fetch moves the tracking ref. */
export async function pullForkPoint(repo: Repository, words: readonly string[], head: Oid): Promise<Oid | null> {
  const [remote, refspec] = words;
  const branch = await currentBranch(repo);
  if (branch === null) return null;
  const upstream = branchUpstream(repo, branch);
  const followed = remote === undefined || remote === upstream.remote ? upstream.tracking : null;
  const name = refspec === undefined ? followed : trackingRef(remote as string, refspec);
  const tip = name === null ? null : ((await repo.refs.resolve(name))?.oid ?? null);
  return name === null || tip === null ? null : forkPoint(repo, name, tip, head);
}

function trackingRef(remote: string, refspec: string): string | null {
  const [source = ""] = refspec.replace(/^\+/, () => "").split(":");
  const branch = source === "" ? "HEAD" : source.replace(/^(?:refs\/)?heads\//, () => "");
  if (branch.startsWith("refs/") || branch.startsWith("tags/")) return null;
  return remote === "." ? `refs/heads/${branch}` : `refs/remotes/${remote}/${branch}`;
}

/** The commit the rebase begins after: the fork point, unless it is an ancestor of both sides. */
export async function rebaseUpstream(repo: Repository, head: Oid, onto: Oid, point: Oid | null): Promise<Oid> {
  if (point === null) return onto;
  const [base] = await octopusMergeBases(repo, [head, onto, point]);
  return base === point ? onto : point;
}
