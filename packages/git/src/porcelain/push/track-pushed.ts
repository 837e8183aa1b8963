/** `push --set-upstream`: the pushed branches follow what they were pushed to. */
import { ZERO_OID } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { followTarget } from "../branch/track-branch.ts";
import type { PushedRef } from "./push.ts";

export interface TrackedBranch {
  readonly branch: string;
  /** The branch on the remote. */
  readonly target: string;
  /** git's sentence about it; null: it cannot follow. */
  readonly message: string | null;
}

export async function trackPushed(
  repo: Repository,
  remote: string,
  refs: readonly PushedRef[],
  dryRun = false,
): Promise<TrackedBranch[]> {
  const head = await repo.refs.read("HEAD");
  const tracked: TrackedBranch[] = [];
  for (const { source: typed, target, to, kind } of refs) {
    const source = typed === "HEAD" && head?.kind === "symbolic" ? head.target : typed;
    if (
      to === ZERO_OID ||
      kind === "rejected" ||
      kind === "remote-rejected" ||
      !source?.startsWith("refs/heads/") ||
      !target.startsWith("refs/heads/")
    )
      continue;
    const [branch, there] = [source, target].map((ref) => ref.slice("refs/heads/".length)) as [string, string];
    const message = dryRun ? "" : await followTarget(repo, branch, { remote, merge: target });
    tracked.push({ branch, target: there, message });
  }
  return tracked;
}
