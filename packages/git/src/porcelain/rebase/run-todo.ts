/** Runs the todo list on a detached HEAD, stops where it must, and finally moves the branch to its new commits. */

import { GitError } from "../../errors.ts";
import { stripSpace } from "../../message/strip-space.ts";
import type { Commit } from "../../object/commit.ts";
import { EMPTY_TREE, type Oid } from "../../object/oid.ts";
import { isNoOpEditor } from "../../repository/editor.ts";
import { authorIdentity, committerIdentity, reflogIdentity } from "../../repository/identity.ts";
import { encode } from "../../text/bytes.ts";
import { switchTree } from "../../worktree/switch-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import { signOff } from "../commit/commit-message.ts";
import { writeCommit } from "../commit/write-commit.ts";
import { conflictsHint } from "../merge/merge-state.ts";
import { strategyOptions } from "../merge/strategy-options.ts";
import { type LabelledCommit, labelCommit } from "../sequencer/commit-label.ts";
import { clearPickState } from "../sequencer/pick-commits.ts";
import { replayCommit } from "../sequencer/replay-commit.ts";
import { endAutostash } from "../stash/autostash.ts";
import type { RebaseEnd, RebaseReport } from "./rebase-event.ts";
import {
  type RebaseState,
  readRebaseState,
  rebaseAction,
  rebaseFolder,
  removeRebaseState,
  saveProgress,
} from "./rebase-state.ts";
import { runExec } from "./run-exec.ts";
import { removeLabels, runLabel, runMerge, runReset } from "./run-merge.ts";
import { squashMessage } from "./squash-commits.ts";
import { stopForEdit, stopForEmpty, writeStop } from "./stop-rebase.ts";
import type { TodoItem } from "./todo-item.ts";
import { endUpdateRefs, noteUpdateRef } from "./update-refs.ts";

/** `gaps`: blank lines of the list, which git counts. */
export async function runTodo(
  repo: WorkRepository,
  start: RebaseState,
  report: RebaseReport,
  gaps = 0,
): Promise<RebaseEnd> {
  let { todo, done } = start;
  let total = todo.length + done.length + gaps;
  /** The prefix of git's reflog message for a merge: that of the previous step. */
  let lastStep = `${rebaseAction(repo)} (merge)`;
  /** A step that fails before it commits returns to the list: `--continue` must not skip its commit. */
  const orReschedule = async <T>(step: Promise<T>, head: Oid, item: TodoItem): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      if ((await requireHead(repo)) === head)
        await saveProgress(repo, { todo: [item, ...todo], done: done.slice(0, -1) });
      throw error;
    }
  };
  for (let item = todo[0]; item !== undefined; item = todo[0]) {
    todo = todo.slice(1);
    done = [...done, item];
    await saveProgress(repo, { todo, done });
    await report({ kind: "progress", done: done.length, total });
    if (item.command === "drop") continue;
    if (item.command === "break") return { kind: "break", head: await labelCommit(repo, await requireHead(repo)) };
    if (item.command === "exec") {
      if (repo.host.run === undefined) {
        await saveProgress(repo, { todo: [item, ...todo], done: done.slice(0, -1) });
        throw noCommands(item.text);
      }
      const failed = await runExec(repo, item.text, report);
      if (failed !== null) {
        const isRescheduled = start.rescheduleExec ?? false;
        // Counts as done as well, as in git.
        if (isRescheduled) await saveProgress(repo, { todo: [item, ...todo], done });
        return { kind: "exec-failed", command: item.text, ...failed, isRescheduled };
      }
      // The command may have changed the list.
      todo = (await readRebaseState(repo)).todo;
      total = todo.length + done.length + gaps;
      continue;
    }
    const head = await requireHead(repo);
    if (item.command === "label") await runLabel(repo, item.text, head);
    else if (item.command === "reset") lastStep = await runReset(repo, start, item.text, head);
    else if (item.command === "update-ref") await noteUpdateRef(repo, item.text, head);
    else if (item.command === "merge") {
      const end = await orReschedule(mergeItem(repo, start, item, lastStep, report), head, item);
      if (end !== null) return end;
    }
    if (isOther(item.command)) continue;
    lastStep = `${rebaseAction(repo)} (${item.command})`;
    const next = todo[0]?.command;
    const moreFollow = next === "fixup" || next === "squash";
    const end = await orReschedule(runItem(repo, start, item, moreFollow, report), head, item);
    if (end !== null) return end;
    // git would have opened an editor for the squashed message.
    if (!moreFollow && trailingSquashes(done).some(({ command, flag }) => command === "squash" || flag === "-c"))
      await reportCommit(repo, await requireHead(repo), report);
  }
  return finishRebase(repo, start);
}

/** The fixups and squashes at the end of the done list. */
function trailingSquashes(done: readonly TodoItem[]): readonly TodoItem[] {
  const before = done.findLastIndex(({ command }) => command !== "fixup" && command !== "squash");
  return done.slice(before + 1);
}

function isOther(command: TodoItem["command"]): boolean {
  return command === "label" || command === "reset" || command === "update-ref" || command === "merge";
}

/** The line stays in the list, for another git, or until the user removes it. */
function noCommands(command: string): GitError {
  const file = ".git/rebase-merge/git-rebase-todo";
  return new GitError(
    "EUNSUPPORTED",
    `commands are not run here: run '${command}' yourself, take the line out of ${file}, and go on with 'git rebase --continue'`,
  );
}

async function mergeItem(
  repo: WorkRepository,
  state: RebaseState,
  item: TodoItem,
  lastStep: string,
  report: RebaseReport,
): Promise<RebaseEnd | null> {
  const head = await requireHead(repo);
  const created = await runMerge(repo, state, item, head);
  if (created.kind === "nothing") return null;
  if (created.kind === "forward") {
    await moveHead(repo, head, created.to, "rebase: fast-forward");
    return null;
  }
  const { original } = created;
  if (created.kind === "octopus") {
    await report(created);
    return created.clean ? null : stopAtMerge(repo, item, original);
  }
  await report(created);
  const { parents, tree } = created;
  if (!created.clean) {
    await repo.fs.writeFile(`${repo.gitDir}/MERGE_HEAD`, `${parents[1]}`);
    await repo.fs.writeFile(`${repo.gitDir}/MERGE_MODE`, "no-ff");
    await repo.fs.writeFile(`${repo.gitDir}/MERGE_MSG`, encode(created.message));
    return stopAtMerge(repo, item, original);
  }
  const author = original?.commit.author ?? authorIdentity(repo);
  const oid = await commitItem(repo, state, { tree, parents: [...parents], author, message: created.message });
  const reason = `${lastStep}: ${created.message.split("\n", 1)[0]}`;
  const { seconds, zone } = author;
  const who = { ...reflogIdentity(repo), ...(state.dates === "author" ? { seconds, zone } : {}) };
  await moveHead(repo, head, oid, reason, who);
  await clearPickState(repo);
  // git would have opened an editor for the message.
  if (original === null || item.flag === "-c") await reportCommit(repo, oid, report);
  return null;
}

async function stopAtMerge(
  repo: WorkRepository,
  { text }: TodoItem,
  original: LabelledCommit | null,
): Promise<RebaseEnd> {
  if (original !== null) {
    await repo.refs.update([{ name: "REBASE_HEAD", to: original.oid, noDeref: true }], reflogIdentity(repo));
    await writeStop(repo, original);
  }
  return { kind: "merge-conflict", original, text };
}

async function reportCommit(repo: WorkRepository, oid: Oid, report: RebaseReport): Promise<void> {
  const { commit } = await labelCommit(repo, oid);
  await report({ kind: "committed", oid, commit });
}

async function requireHead(repo: WorkRepository): Promise<Oid> {
  const head = (await repo.refs.resolve("HEAD"))?.oid;
  if (!head) throw new GitError("ESTATE", "HEAD is not a commit");
  return head;
}

async function runItem(
  repo: WorkRepository,
  state: RebaseState,
  item: TodoItem,
  moreFollow: boolean,
  report: RebaseReport,
): Promise<RebaseEnd | null> {
  if (item.command === "reword" && item.message === undefined && !isNoOpEditor(repo))
    throw new GitError("EUNSUPPORTED", "an editor is not started here: a reword needs its message with it");
  const picked = await labelCommit(repo, item.oid as Oid);
  const head = await requireHead(repo);
  const melds = item.command === "fixup" || item.command === "squash";
  await repo.refs.update([{ name: "REBASE_HEAD", to: picked.oid, noDeref: true }], reflogIdentity(repo));
  const [parent] = picked.commit.parents;
  const plain = (item.command === "pick" || item.command === "edit") && !state.force && !state.signoff;
  // A parentless commit on the empty commit has no parent again.
  const isRoot = state.squashOnto === head;
  if (plain && (isRoot ? parent === undefined : parent === head) && state.dates === "committer") {
    await switchTree(repo, await treeOfCommit(repo, head), picked.commit.tree, { verb: "merge" });
    const message = "rebase: fast-forward";
    await repo.refs.update(
      [{ name: "HEAD", to: picked.oid, from: head, noDeref: true, message }],
      reflogIdentity(repo),
    );
    return item.command === "edit" ? stopForEdit(repo, item, picked) : null;
  }
  const replayed = await replayCommit(repo, picked, strategyOptions(repo, state.strategyOptions));
  let message = picked.message;
  const squashed = melds ? await squashMessage(repo, head, picked, item, moreFollow) : null;
  if (squashed !== null) message = squashed.text;
  if (item.message !== undefined) message = item.message.endsWith("\n") ? item.message : `${item.message}\n`;
  if (state.signoff) {
    const { name, email } = committerIdentity(repo);
    message = signOff(message, `${name} <${email}>`);
  }
  const folder = rebaseFolder(repo);
  if (!replayed.clean) {
    await report({ kind: "merged", messages: replayed.messages });
    await repo.fs.writeFile(`${folder}/message`, encode(message));
    await repo.fs.writeFile(`${repo.gitDir}/MERGE_MSG`, encode(`${message}${await conflictsHint(repo)}`));
    await writeStop(repo, picked);
    return { kind: "conflict", picked, text: item.text };
  }
  const before = await treeOfCommit(repo, head);
  if (replayed.tree === before && !melds && state.redundant !== "keep" && !(await wasEmpty(repo, picked))) {
    if (state.redundant === "ask") return stopForEmpty(repo, item, { ...picked, message });
    await clearPickState(repo);
    await report({ kind: "dropped", picked });
    return null;
  }
  const original = melds ? (await labelCommit(repo, head)).commit : picked.commit;
  const retained = item.message === undefined ? squashed?.fixupMessage : null;
  const final = melds && !moreFollow ? (retained ?? stripSpace(message, { comment: "#" })) : message;
  const oid = await commitItem(repo, state, {
    tree: replayed.tree,
    parents: melds ? original.parents : isRoot ? [] : [head],
    author: original.author,
    message: final,
  });
  await moveHead(repo, head, oid, `${rebaseAction(repo)} (${item.command}): ${final.split("\n", 1)[0]}`);
  await clearPickState(repo);
  return item.command === "edit" ? stopForEdit(repo, item, picked) : null;
}

async function wasEmpty(repo: WorkRepository, { commit }: LabelledCommit): Promise<boolean> {
  const [parent] = commit.parents;
  return (parent === undefined ? EMPTY_TREE : await treeOfCommit(repo, parent)) === commit.tree;
}

export async function commitItem(
  repo: WorkRepository,
  { dates }: Pick<RebaseState, "dates">,
  commit: Omit<Commit, "committer">,
): Promise<Oid> {
  const { seconds, zone } = commit.author;
  const committer = committerIdentity(repo, dates === "author" ? { date: { seconds, zone } } : {});
  // The current time, whatever the environment says.
  const { GIT_AUTHOR_DATE: _, ...env } = repo.env;
  const now = authorIdentity({ ...repo, env });
  const author = dates === "ignore" ? { ...commit.author, seconds: now.seconds, zone: now.zone } : commit.author;
  return (await writeCommit(repo, { ...commit, author, committer })).oid;
}

async function moveHead(
  repo: WorkRepository,
  from: Oid,
  to: Oid,
  message: string,
  who = reflogIdentity(repo),
): Promise<void> {
  await repo.refs.update([{ name: "HEAD", to, from, noDeref: true, message }], who);
}

async function finishRebase(repo: WorkRepository, { headName, onto, origHead }: RebaseState): Promise<RebaseEnd> {
  const head = await requireHead(repo);
  const who = reflogIdentity(repo);
  if (headName.startsWith("refs/")) {
    const message = `${rebaseAction(repo)} (finish): ${headName} onto ${onto}`;
    await repo.refs.update([{ name: headName, to: head, from: origHead, message }], who);
    const returning = `${rebaseAction(repo)} (finish): returning to ${headName}`;
    await repo.refs.update([{ name: "HEAD", to: { symbolic: headName }, noDeref: true, message: returning }], who);
  }
  const autostash = await endAutostash(repo, `${rebaseFolder(repo)}/autostash`);
  const updated = await endUpdateRefs(repo);
  await removeLabels(repo);
  await removeRebaseState(repo);
  await clearPickState(repo);
  return { kind: "done", headName, autostash, updated };
}
