/**
 * cherry-pick and revert: one commit after the other, each a merge and a commit. One that stops leaves CHERRY_PICK_HEAD or
 * REVERT_HEAD and, if more follow, `.git/sequencer`, from which either git can continue.
 */

import { adviceEnabled } from "../../config/advice.ts";
import { formatDate } from "../../date/format-date.ts";
import { localTime, zoneMinutes } from "../../date/local-time.ts";
import { GitError } from "../../errors.ts";
import { commitSubject } from "../../message/commit-message.ts";
import { stripSpace } from "../../message/strip-space.ts";
import { parseTrailers } from "../../message/trailers.ts";
import type { Commit } from "../../object/commit.ts";
import { EMPTY_TREE, type Oid } from "../../object/oid.ts";
import { checkHooks, printSkippedHooks } from "../../repository/hooks.ts";
import { authorIdentity, committerIdentity, reflogIdentity } from "../../repository/identity.ts";
import { encode } from "../../text/bytes.ts";
import { stagedPaths } from "../../worktree/apply-merge.ts";
import { switchTree } from "../../worktree/switch-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import { signOff } from "../commit/commit-message.ts";
import { writeCommit } from "../commit/write-commit.ts";
import { conflictsHint, refuseUnmerged } from "../merge/merge-state.ts";
import { strategyOptions } from "../merge/strategy-options.ts";
import { type LabelledCommit, labelCommit } from "./commit-label.ts";
import { chosenParent, type Replayed, replayCommit } from "./replay-commit.ts";
import { endSequence, type SequenceOptions, saveTodo, updateAbortSafety } from "./sequence-state.ts";

export type PickAction = "pick" | "revert";

/** Reported while commits are picked. */
export type PickEvent =
  | { readonly kind: "merged"; readonly messages: readonly string[] }
  | {
      readonly kind: "committed";
      readonly oid: Oid;
      readonly commit: Commit;
      readonly headName: string | null;
      readonly isRoot: boolean;
    };

/** How the picks ended. After all but "done" the picked commit waits for `--continue` or `--skip`. */
export type PickEnd =
  | { readonly kind: "done" }
  | { readonly kind: "conflict"; readonly picked: LabelledCommit; readonly noCommit: boolean }
  | { readonly kind: "empty"; readonly picked: LabelledCommit };

type Report = (event: PickEvent) => void | Promise<void>;

const DONE = { kind: "done" } as const;

export const actionName = (action: PickAction) => (action === "pick" ? "cherry-pick" : "revert");
export const headFile = (action: PickAction) => (action === "pick" ? "CHERRY_PICK_HEAD" : "REVERT_HEAD");

/** `inSequence`: stores the remaining commits in `.git/sequencer`. */
export async function pickCommits(
  repo: WorkRepository,
  action: PickAction,
  todo: readonly Oid[],
  options: SequenceOptions,
  report: Report,
  inSequence: boolean,
): Promise<PickEnd> {
  if (!options.noCommit) await checkHooks(repo, "pick");
  for (const [i, oid] of todo.entries()) {
    if (inSequence) await saveTodo(repo, action, todo.slice(i));
    const end = await pickOne(repo, action, await labelCommit(repo, oid), options, report);
    if (inSequence) await updateAbortSafety(repo);
    if (end.kind !== "done") return end;
  }
  if (inSequence) await endSequence(repo);
  if (!options.noCommit) await printSkippedHooks(repo, "pick");
  return DONE;
}

async function pickOne(
  repo: WorkRepository,
  action: PickAction,
  picked: LabelledCommit,
  options: SequenceOptions,
  report: Report,
): Promise<PickEnd> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (!options.noCommit) await requireCleanIndex(repo, action, head);
  const parent = chosenParent(picked, options.mainline);
  if (options.allowFastForward && action === "pick" && parent === head) {
    const before = head === null ? null : await treeOfCommit(repo, head);
    await switchTree(repo, before, picked.commit.tree, { verb: "merge" });
    const message = "cherry-pick: fast-forward";
    await repo.refs.update([{ name: "HEAD", to: picked.oid, from: head, message }], reflogIdentity(repo));
    return DONE;
  }
  let message = action === "pick" ? pickMessage(picked, options) : await revertMessage(repo, picked, parent, options);
  if (options.signoff) {
    const { name, email } = committerIdentity(repo);
    message = signOff(message, `${name} <${email}>`);
  }
  const replayed = await replayCommit(repo, picked, {
    ...strategyOptions(repo, options.strategyOptions),
    reverse: action === "revert",
    onIndex: options.noCommit ?? false,
    ...(options.mainline === undefined ? {} : { mainline: options.mainline }),
  });
  await report({ kind: "merged", messages: replayed.messages });
  await repo.fs.writeFile(
    `${repo.gitDir}/MERGE_MSG`,
    encode(
      replayed.clean
        ? message
        : `${message}${message.endsWith("\n") ? "" : "\n"}${await conflictsHint(repo, options.cleanup)}`,
    ),
  );
  const marks = action === "pick" ? !options.noCommit : !replayed.clean || options.noCommit === true;
  if (marks) await repo.refs.update([{ name: headFile(action), to: picked.oid, noDeref: true }], reflogIdentity(repo));
  if (!replayed.clean) return { kind: "conflict", picked, noCommit: options.noCommit ?? false };
  if (options.noCommit) return DONE;
  return commitReplayed(repo, action, picked, { head, replayed, message, options }, report);
}

export async function requireCleanIndex(repo: WorkRepository, action: PickAction, head: Oid | null): Promise<void> {
  await refuseUnmerged(repo, action === "pick" ? "Cherry-picking" : "Reverting", "");
  const tree = head === null ? EMPTY_TREE : await treeOfCommit(repo, head);
  if ((await stagedPaths(repo, tree)).length === 0) return;
  const hint = adviceEnabled(repo.config, "commitBeforeMerge")
    ? "hint: commit your changes or stash them to proceed.\n"
    : "";
  throw new GitError("ESTATE", `your local changes would be overwritten by ${actionName(action)}.`, {
    prefix: "error",
    hint,
  });
}

function pickMessage({ message, oid }: LabelledCommit, { recordOrigin }: SequenceOptions): string {
  if (!recordOrigin) return message;
  const ended = message === "" || message.endsWith("\n") ? message : `${message}\n`;
  const { trailers, end } = parseTrailers(ended, { divider: false });
  const hasFooter =
    (trailers.length > 0 && end === ended.length) || /\(cherry picked from commit [0-9a-f]+\)\n$/.test(ended);
  return `${ended}${hasFooter ? "" : "\n"}(cherry picked from commit ${oid})\n`;
}

async function revertMessage(
  repo: WorkRepository,
  { oid, subject, commit }: LabelledCommit,
  parent: Oid | null,
  { reference }: SequenceOptions,
): Promise<string> {
  const name = async (one: Oid) => (reference ? referenceTo(repo, await labelCommit(repo, one)) : one);
  const merge =
    commit.parents.length > 1 && parent !== null ? `, reversing\nchanges made to ${await name(parent)}` : "";
  const title = reference ? "# *** SAY WHY WE ARE REVERTING ON THE TITLE LINE ***" : `Revert "${subject}"`;
  return `${title}\n\nThis reverts commit ${await name(oid)}${merge}.\n`;
}

function referenceTo({ host, env }: WorkRepository, { short, commit }: LabelledCommit): string {
  const { seconds, zone } = commit.author;
  const date = formatDate(seconds, zoneMinutes(zone), { kind: "short" }, localTime(host, env));
  return `${short} (${commitSubject(commit.message)}, ${date})`;
}

interface ToCommit {
  readonly head: Oid | null;
  readonly replayed: Replayed;
  readonly message: string;
  readonly options: SequenceOptions;
}

async function commitReplayed(
  repo: WorkRepository,
  action: PickAction,
  picked: LabelledCommit,
  { head, replayed, message, options }: ToCommit,
  report: Report,
): Promise<PickEnd> {
  const before = head === null ? EMPTY_TREE : await treeOfCommit(repo, head);
  if (replayed.tree === before && !(await mayBeEmpty(repo, picked, replayed, options)))
    return { kind: "empty", picked };
  const cleans = options.signoff || options.recordOrigin;
  const committer = committerIdentity(repo);
  const { oid, commit } = await writeCommit(repo, {
    tree: replayed.tree,
    parents: head === null ? [] : [head],
    author: action === "pick" ? picked.commit.author : authorIdentity(repo),
    committer,
    message: cleans ? stripSpace(message) : message,
  });
  const action_ = repo.env.GIT_REFLOG_ACTION ?? actionName(action);
  const reason = `${action_}: ${commitSubject(commit.message)}`;
  await repo.refs.update([{ name: "HEAD", to: oid, from: head, message: reason }], committer);
  await clearPickState(repo);
  const ref = await repo.refs.read("HEAD");
  const headName = ref?.kind === "symbolic" ? ref.target : null;
  await report({ kind: "committed", oid, commit, headName, isRoot: head === null });
  return DONE;
}

async function mayBeEmpty(
  repo: WorkRepository,
  { commit }: LabelledCommit,
  { parent }: Replayed,
  { allowEmpty, keepRedundant }: SequenceOptions,
): Promise<boolean> {
  if (keepRedundant) return true;
  if (!allowEmpty) return false;
  return commit.tree === (parent === null ? EMPTY_TREE : await treeOfCommit(repo, parent));
}

export async function clearPickState({ fs, gitDir }: WorkRepository): Promise<void> {
  for (const name of ["CHERRY_PICK_HEAD", "REVERT_HEAD", "MERGE_MSG", "AUTO_MERGE"])
    await fs.rm(`${gitDir}/${name}`, { force: true });
}
