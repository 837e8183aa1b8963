/** `git merge` for the typed methods: merges with configured settings, and aborts or quits a merge that stopped. */
import { GitError } from "../../errors.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { removeBranchState } from "../checkout/switch-branch.ts";
import { createAutostash, endAutostash, mergeAutostash } from "../stash/autostash.ts";
import { composeMessage } from "./compose-message.ts";
import type { FetchedHead } from "./fetch-head.ts";
import { abortMerge, type MergeResult, merge } from "./merge.ts";
import type { MergeHead } from "./merge-message.ts";
import { fastForwardOf, mergeCleanup, mergeLogLimit, strategiesOf } from "./merge-settings.ts";
import { readMergeHeads, refuseUnconcluded, refuseUnmerged } from "./merge-state.ts";
import { strategyOptions } from "./strategy-options.ts";

export interface MergeRequest {
  readonly message?: string;
  /** Default "auto": as configured; "allow": where possible. */
  readonly fastForward?: "auto" | "allow" | "only" | "never";
  readonly squash?: boolean;
  readonly noCommit?: boolean;
  readonly strategyOption?: "ours" | "theirs";
}

export async function findMergeHead(repo: WorkRepository, name: string): Promise<MergeHead> {
  const found = await findRevision(repo, name, { wanted: "committish" });
  const oid = found && (await peelTo(repo, found.oid, "commit"));
  if (!oid) throw new GitError("ENOTFOUND", `${name} - not something we can merge`, { prefix: "", exitCode: 1 });
  const isTag = (await repo.odb.header(found.oid))?.type === "tag";
  return { oid, name, ...(isTag ? { tag: found.oid } : {}) };
}

/** `fetched`: the heads are those of FETCH_HEAD. */
export async function mergeRevisions(
  repo: WorkRepository,
  heads: readonly MergeHead[],
  { message, fastForward = "auto", squash = false, noCommit = false, strategyOption }: MergeRequest,
  fetched: readonly FetchedHead[] = [],
): Promise<MergeResult> {
  await refuseUnmerged(repo, "Merging");
  await refuseUnconcluded(repo);
  if (squash && fastForward === "never") throw new GitError("EINVAL", "a squash needs no merge commit");
  const autostash = repo.config.getBool("merge.autostash") === true;
  const state = mergeAutostash(repo);
  const options = {
    ...strategyOptions(repo, strategyOption === undefined ? [] : [strategyOption]),
    ...strategiesOf(repo),
    fastForward: fastForward === "auto" ? fastForwardOf(repo) : fastForward,
    squash,
    ...(noCommit ? { commit: false } : {}),
    hasMessage: message !== undefined,
    cleanup: mergeCleanup(),
    reflogAction: repo.env.GIT_REFLOG_ACTION ?? ["merge", ...heads.map(({ name }) => name)].join(" "),
    message: (merged: readonly MergeHead[]) =>
      composeMessage(repo, merged, { input: message, log: mergeLogLimit(repo), fetched }),
    beforeChange: async () => {
      if (autostash) await createAutostash(repo, state);
    },
  };
  const result = await merge(repo, heads, options).catch(async (error) => {
    await endAutostash(repo, state);
    throw error;
  });
  if (result.kind !== "stopped" && result.kind !== "conflict") await endAutostash(repo, state);
  if (result.kind === "failed") throw new GitError("ESTATE", result.errors.trimEnd(), { prefix: "", exitCode: 2 });
  return result;
}

export async function requireMerging(repo: WorkRepository, action: "abort" | "continue"): Promise<void> {
  if ((await readMergeHeads(repo)).length > 0) return;
  const what = action === "abort" ? "There is no merge to abort" : "There is no merge in progress";
  throw new GitError("ESTATE", `${what} (MERGE_HEAD missing).`);
}

export async function abortMergeInProgress(repo: WorkRepository): Promise<void> {
  await requireMerging(repo, "abort");
  await abortMerge(repo);
  await endAutostash(repo, mergeAutostash(repo));
}

export async function quitMerge(repo: WorkRepository): Promise<void> {
  await endAutostash(repo, mergeAutostash(repo), true);
  await removeBranchState(repo);
}
