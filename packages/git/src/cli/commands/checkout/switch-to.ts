/**
 * Switches branches for `git checkout` and `git switch`, and prints git's messages. Restoring paths is separate: see
 * `porcelain/checkout/restore-paths.ts`.
 */

import type { FileStat } from "@workspace/vfs";
import { adviceEnabled } from "../../../config/advice.ts";
import { compareIndexToTree } from "../../../index/compare-index-to-tree.ts";
import { compareIndexToWorkTree } from "../../../index/compare-worktree.ts";
import { readColumnarIndex } from "../../../index/read-index.ts";
import type { ConflictStyle } from "../../../merge/merge-context.ts";
import { commitSubject } from "../../../message/commit-message.ts";
import { parseCommit } from "../../../object/commit.ts";
import type { Oid } from "../../../object/oid.ts";
import { type CreatedBranch, createBranch } from "../../../porcelain/branch/create-branch.ts";
import type { TrackMode } from "../../../porcelain/branch/track-branch.ts";
import {
  type SwitchTarget,
  switchBranch,
  treeOfCommit,
  unmergedPaths,
} from "../../../porcelain/checkout/switch-branch.ts";
import { branchTracking, trackingText } from "../../../porcelain/status/branch-tracking.ts";
import { refuseCheckedOutElsewhere } from "../../../repository/work-trees.ts";
import { isAncestor } from "../../../revision/merge-base.ts";
import { walk } from "../../../revision/walk.ts";
import { logOutputEncoding } from "../../../text/encodings.ts";
import { quotePath, quotesFully } from "../../../text/quote-path.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import type { CommandContext } from "../../framework/command.ts";

interface SwitchTo {
  readonly target: SwitchTarget;
  /** Creates the branch first (`-b`, `-c`), or moves it (`-B`, `-C`). */
  readonly create?: {
    readonly name: string;
    readonly start?: string;
    readonly force: boolean;
    readonly track?: TrackMode;
    readonly createReflog?: boolean;
  };
  /** As in `SwitchBranchOptions`. */
  readonly force: boolean | "tracked";
  readonly quiet: boolean;
  readonly overwriteIgnored?: boolean;
  /** Empties the index and the work tree (`switch --orphan`). */
  readonly empty?: boolean;
  /** For an unborn branch: the commit whose files are checked out. */
  readonly filesOf?: Oid;
  /** Merges local changes into the target, with conflicts in this style; null: the configured style. */
  readonly merge?: ConflictStyle | null;
  /** There is no target: leaves HEAD unchanged and lists only local changes. */
  readonly staysHere?: boolean;
  /** As in `SwitchBranchOptions`; git does not list local changes then. */
  readonly keepsFiles?: boolean;
  /** The user passed `--detach`, so there is no advice about a detached HEAD. */
  readonly explicitDetach?: boolean;
  readonly ignoreOtherWorktrees?: boolean | undefined;
}

export async function switchTo(context: CommandContext, repo: WorkRepository, to: SwitchTo): Promise<number> {
  const { target, quiet, force, create, keepsFiles = false } = to;
  await refuseBranchInUse(repo, to);
  if (!force && !keepsFiles) for (const path of await unmergedPaths(repo)) context.out(`${path}: needs merge\n`);
  const previous = await repo.refs.read("HEAD");
  // Files before refs: the branch is created only after its files are checked out.
  const created: CreatedBranch[] = [];
  const beforeHead = async () => {
    if (create !== undefined) created.push(await makeBranch(repo, to, create));
  };
  const { from, written } = await switchBranch(repo, target, { force, beforeHead, ...pick(to) });
  const made = created[0] ?? null;
  if (quiet) return 0;
  const arrived = target.commit ?? to.filesOf ?? null;
  if (!force && !keepsFiles && arrived !== null) context.out(await localChanges(repo, arrived, written));
  if (from.branch === null && from.oid !== null && from.oid !== arrived)
    await leaveDetached(context, repo, from.oid, arrived);
  if (to.staysHere) {
    // Prints no message: HEAD did not move.
  } else if (target.branch === null) await printDetached(context, repo, to, previous?.kind === "oid");
  else if (made !== null) {
    const reset = made.existed
      ? from.branch === target.branch
        ? "Reset branch"
        : "Switched to and reset branch"
      : "Switched to a new branch";
    context.err(`${reset} '${target.branch}'\n`);
    if (made.tracking !== null) context.out(`${made.tracking}\n`);
  } else if (target.commit === null) context.err(`Switched to a new branch '${target.branch}'\n`);
  else
    context.err(
      from.branch === target.branch ? `Already on '${target.branch}'\n` : `Switched to branch '${target.branch}'\n`,
    );
  if (target.branch !== null && target.commit !== null && made === null) {
    const tracking = await branchTracking(repo, target.branch);
    if (tracking !== null) context.out(trackingText(repo, tracking));
  }
  return 0;
}

/** Rejects a branch that another work tree has checked out, unless `ignoreOtherWorktrees` is set. */
async function refuseBranchInUse(repo: WorkRepository, to: SwitchTo): Promise<void> {
  const { target, create, ignoreOtherWorktrees = false } = to;
  if (target.branch === null || target.commit === null || create !== undefined || ignoreOtherWorktrees) return;
  const name = `refs/heads/${target.branch}`;
  const head = await repo.refs.read("HEAD");
  if (head?.kind !== "symbolic" || head.target !== name) await refuseCheckedOutElsewhere(repo, name);
}

function pick({ overwriteIgnored, empty, filesOf, merge, staysHere = false, keepsFiles = false }: SwitchTo) {
  return {
    staysHere,
    keepsFiles,
    ...(filesOf === undefined ? {} : { filesOf }),
    ...(merge === undefined ? {} : { merge }),
    ...(overwriteIgnored === undefined ? {} : { overwriteIgnored }),
    ...(empty === undefined ? {} : { empty }),
  };
}

function makeBranch(
  repo: WorkRepository,
  to: SwitchTo,
  create: NonNullable<SwitchTo["create"]>,
): Promise<CreatedBranch> {
  return createBranch(repo, {
    name: create.name,
    ...(create.start === undefined ? {} : { start: create.start }),
    force: create.force,
    overCurrent: true,
    quiet: to.quiet,
    ...(create.track === undefined ? {} : { track: create.track }),
    createReflog: create.createReflog,
  });
}

/** "M\tfile", as `diff --name-status` against the new commit. */
async function localChanges(repo: WorkRepository, commit: Oid, justWritten: ReadonlySet<string>): Promise<string> {
  const columns = await readColumnarIndex(repo);
  const { changes, unmerged } = await compareIndexToWorkTree(repo, columns, { unstaged: false, justWritten });
  const letters = new Map<string, string>();
  for (const change of await compareIndexToTree(repo.odb, await treeOfCommit(repo, commit), columns)) {
    const { path, before } = change;
    const isThere = change.unmerged ? isFile(unmerged.get(path)) : change.after !== null;
    letters.set(path, before === null ? (isThere ? "A" : "") : isThere ? "M" : "D");
  }
  for (const { path, kind } of changes) {
    if (kind === "deleted") letters.set(path, letters.get(path) === "A" ? "" : "D");
    else if (!letters.has(path)) letters.set(path, kind === "type" ? "T" : kind === "added" ? "A" : "M");
  }
  const paths = [...letters.keys()].filter((path) => letters.get(path) !== "").sort();
  return paths.map((path) => `${letters.get(path)}\t${quotePath(path, { full: quotesFully(repo.config) })}\n`).join("");
}

function isFile(stat: FileStat | null | undefined): boolean {
  return stat != null && stat.type !== "dir";
}

async function described(repo: WorkRepository, oid: Oid): Promise<string> {
  const { message } = parseCommit((await repo.odb.need(oid, "commit")).body, logOutputEncoding(repo.config));
  return `${await repo.odb.abbreviate(oid)} ${commitSubject(message)}`;
}

async function leaveDetached(context: CommandContext, repo: WorkRepository, oid: Oid, to: Oid | null): Promise<void> {
  for (const ref of await repo.refs.list("refs/")) {
    const commit = ref.peeled ?? ref.oid;
    if ((await repo.odb.header(commit))?.type === "commit" && (await isAncestor(repo, oid, commit)))
      return context.err(`Previous HEAD position was ${await described(repo, oid)}\n`);
  }
  if (to !== null && (await isAncestor(repo, oid, to)))
    return context.err(`Previous HEAD position was ${await described(repo, oid)}\n`);
  await printOrphans(context, repo, oid, to);
}

/** Lists the newest four commits that no ref reaches any more, and how to keep them. */
async function printOrphans(context: CommandContext, repo: WorkRepository, oid: Oid, to: Oid | null): Promise<void> {
  const known = (await repo.refs.list("refs/")).map((ref) => ref.peeled ?? ref.oid);
  const tips = [
    { oid },
    ...[...known, ...(to === null ? [] : [to])].map((other) => ({ oid: other, uninteresting: true })),
  ];
  const lost: Oid[] = [];
  for await (const commit of walk(repo, { tips, ignoreMissing: true })) lost.push(commit.oid);
  const displayed = await Promise.all(lost.slice(0, 4).map((one) => described(repo, one)));
  const more = lost.length > 4 ? ` ... and ${lost.length - 4} more.\n` : "";
  const one = lost.length === 1;
  context.err(
    `Warning: you are leaving ${lost.length} ${one ? "commit" : "commits"} behind, not connected to\nany of your branches:\n\n${displayed.map((line) => `  ${line}\n`).join("")}${more}\n`,
  );
  if (!adviceEnabled(repo.config, "detachedHead")) return;
  context.err(
    `If you want to keep ${one ? "it" : "them"} by creating a new branch, this may be a good time\nto do so with:\n\n git branch <new-branch-name> ${await repo.odb.abbreviate(oid)}\n\n`,
  );
}

async function printDetached(
  context: CommandContext,
  repo: WorkRepository,
  { target, explicitDetach }: SwitchTo,
  wasDetached: boolean,
): Promise<void> {
  if (!wasDetached && !explicitDetach && adviceEnabled(repo.config, "detachedHead")) {
    context.err(detachedAdvice(target.name));
  }
  context.err(`HEAD is now at ${await described(repo, target.commit as Oid)}\n`);
}

export function detachedAdvice(name: string): string {
  return `Note: switching to '${name}'.

You are in 'detached HEAD' state. You can look around, make experimental
changes and commit them, and you can discard any commits you make in this
state without impacting any branches by switching back to a branch.

If you want to create a new branch to retain commits you create, you may
do so (now or later) by using -c with the switch command. Example:

  git switch -c <new-branch-name>

Or undo this operation with:

  git switch -

Turn off this advice by setting config variable advice.detachedHead to false

`;
}
