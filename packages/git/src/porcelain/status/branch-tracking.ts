/** Compares a branch with its upstream: how many commits each has that the other lacks, and git's sentence about it. */
import { adviceEnabled } from "../../config/advice.ts";
import type { Oid } from "../../object/oid.ts";
import { prettyRefName } from "../../refs/ref-name.ts";
import type { Repository } from "../../repository.ts";
import { branchUpstream } from "../../revision/branch-mark.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { DateQueue } from "../../revision/date-queue.ts";

export interface Tracking {
  /** "origin/main" */
  readonly name: string;
  readonly ref: string;
  /** The upstream ref does not exist. */
  readonly gone: boolean;
  /** Null: not counted (`--no-ahead-behind`) although they differ. */
  readonly counts: { readonly ahead: number; readonly behind: number } | null;
}

/** Null: no upstream. `branch` without refs/heads/. */
export async function branchTracking(repo: Repository, branch: string, counted = true): Promise<Tracking | null> {
  const { tracking } = branchUpstream(repo, branch);
  if (tracking === null) return null;
  const name = prettyRefName(tracking);
  const theirs = (await repo.refs.resolve(tracking))?.oid ?? null;
  const ours = (await repo.refs.resolve(`refs/heads/${branch}`))?.oid ?? null;
  if (theirs === null || ours === null) return { name, ref: tracking, gone: true, counts: null };
  if (ours === theirs) return { name, ref: tracking, gone: false, counts: { ahead: 0, behind: 0 } };
  return { name, ref: tracking, gone: false, counts: counted ? await countAheadBehind(repo, ours, theirs) : null };
}

const OURS = 1;
const THEIRS = 2;

/** Commits reachable from one and not from the other. Stops when all pending commits are common. */
export async function countAheadBehind(
  repo: Repository,
  ours: Oid,
  theirs: Oid,
): Promise<{ ahead: number; behind: number }> {
  interface Seen {
    readonly oid: Oid;
    readonly seconds: number;
    readonly parents: readonly Oid[];
    flags: number;
    /** The flags last propagated to its parents. */
    passed: number;
    queued: boolean;
  }
  const reader = commitReader(repo);
  const seen = new Map<Oid, Seen>();
  const queue = new DateQueue<Seen>();
  let open = 0;
  const paint = async (oid: Oid, flags: number): Promise<void> => {
    let commit = seen.get(oid);
    if (commit === undefined) {
      const { seconds, parents } = await reader.read(oid);
      commit = { oid, seconds, parents, flags: 0, passed: 0, queued: false };
      seen.set(oid, commit);
    }
    const before = commit.flags;
    if ((before | flags) === before) return;
    if (commit.queued && before !== (OURS | THEIRS)) open--;
    commit.flags |= flags;
    if (commit.flags !== (OURS | THEIRS)) open++;
    if (!commit.queued) queue.push(commit);
    commit.queued = true;
  };
  await paint(ours, OURS);
  await paint(theirs, THEIRS);
  while (open > 0) {
    const commit = queue.pop() as Seen;
    commit.queued = false;
    if (commit.flags !== (OURS | THEIRS)) open--;
    for (const parent of commit.parents) await paint(parent, commit.flags);
  }
  // Commits found to be common late, because of clock skew, propagate that to their ancestors.
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    next.queued = false;
    for (const parent of next.parents) if (seen.has(parent)) await paint(parent, next.flags);
  }
  let ahead = 0;
  let behind = 0;
  for (const { flags } of seen.values()) {
    if (flags === OURS) ahead++;
    if (flags === THEIRS) behind++;
  }
  return { ahead, behind };
}

/** Lines with line endings, as `status` and `switch` print them. */
export function trackingText({ config }: Pick<Repository, "config">, { name, gone, counts }: Tracking): string {
  const hint = (text: string) => (adviceEnabled(config, "statusHints") ? `  (${text})\n` : "");
  if (gone) {
    return `Your branch is based on '${name}', but the upstream is gone.\n${hint('use "git branch --unset-upstream" to fixup')}`;
  }
  if (counts === null) {
    return `Your branch and '${name}' refer to different commits.\n${hint('use "git status --ahead-behind" for details')}`;
  }
  const { ahead, behind } = counts;
  const commits = (n: number) => (n === 1 ? "commit" : "commits");
  if (ahead === 0 && behind === 0) return `Your branch is up to date with '${name}'.\n`;
  if (behind === 0) {
    const advised = hint('use "git push" to publish your local commits');
    return `Your branch is ahead of '${name}' by ${ahead} ${commits(ahead)}.\n${advised}`;
  }
  if (ahead === 0) {
    const advised = hint('use "git pull" to update your local branch');
    return `Your branch is behind '${name}' by ${behind} ${commits(behind)}, and can be fast-forwarded.\n${advised}`;
  }
  // The plural depends on the sum, which is never one.
  const each = `and have ${ahead} and ${behind} different commits each, respectively.\n`;
  return `Your branch and '${name}' have diverged,\n${each}${hint('use "git pull" to merge the remote branch into yours')}`;
}
