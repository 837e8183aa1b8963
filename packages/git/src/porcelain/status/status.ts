/** All data of `git status`: the three-way comparison, the branch and its upstream, and the operation in progress. */

import type { StatusReport } from "../../format/status/status-text.ts";
import type { Repository } from "../../repository.ts";
import { branchTracking } from "./branch-tracking.ts";
import { collectStatus, type StatusOptions } from "./collect-status.ts";
import { readDetachedFrom, readOperationState } from "./operation-state.ts";

export interface StatusReportOptions extends StatusOptions {
  /** Count commits ahead and behind; default true. */
  aheadBehind?: boolean;
  /** Look for the branch's upstream; default true. */
  tracking?: boolean;
  stash?: boolean;
}

export async function status(
  repo: Repository & { readonly workTree: string },
  options: StatusReportOptions = {},
): Promise<StatusReport> {
  const collected = await collectStatus(repo, options);
  const head = await repo.refs.read("HEAD");
  const branch = head?.kind === "symbolic" ? head.target.replace(/^refs\/heads\//, () => "") : null;
  const state = await readOperationState(repo);
  const shorts = new Map<string, string>();
  for (const oid of [state.cherryPick?.oid, state.revert?.oid]) {
    if (oid) shorts.set(oid, await repo.odb.abbreviate(oid));
  }
  return {
    ...collected,
    branch,
    detached: branch === null ? await readDetachedFrom(repo, collected.head) : null,
    tracking:
      branch === null || options.tracking === false ? null : await branchTracking(repo, branch, options.aheadBehind),
    state,
    stashes: options.stash ? (await repo.refs.reflog("refs/stash")).length : 0,
    short: (oid) => shorts.get(oid) ?? oid,
  };
}
