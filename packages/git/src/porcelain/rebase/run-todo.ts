/** Runs the todo list on a detached HEAD, stops where it must, and finally moves the branch to its new commits. */

import { GitError } from "../../errors.ts";
import { stripSpace } from "../../message/strip-space.ts";
import type { Commit } from "../../object/commit.ts";
import { EMPTY_TREE, type Oid } from "../../object/oid.ts";
import { commitSummary } from "../../pretty/commit-summary.ts";
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
import { printConflict, type RebaseIo, stopForEdit, stopForEmpty, writeStop } from "./stop-rebase.ts";
import type { TodoItem } from "./todo-item.ts";
import { endUpdateRefs, noteUpdateRef } from "./update-refs.ts";

/**
 * Returns the exit code: 0 if finished (or stopped as requested), 1 if something is to be resolved. `gaps`: blank lines, which git
 * counts.
 */
export async function runTodo(repo: WorkRepository, start: RebaseState, io: RebaseIo, gaps = 0): Promise<number> {
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
    if (!start.quiet) io.err(`Rebasing (${done.length}/${total})${start.verbose ? "\n" : "\r"}`);
    if (item.command === "drop") continue;
    if (item.command === "break") {
      const head = await labelCommit(repo, await requireHead(repo));
      io.err(`${start.verbose || start.quiet ? "" : io.clearLine}Stopped at ${head.short} (${head.subject})\n`);
      return 0;
    }
    if (item.command === "exec") {
      if (repo.host.run === undefined) {
        await saveProgress(repo, { todo: [item, ...todo], done: done.slice(0, -1) });
        throw noCommands(item.text);
      }
      if (!(await runExec(repo, start, item.text, io))) {
        if (start.rescheduleExec) {
          // Counts as done as well, as in git.
          await saveProgress(repo, { todo: [item, ...todo], done });
          io.err(rescheduled(item.text));
        }
        return 1;
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
      const code = await orReschedule(mergeItem(repo, start, item, lastStep, io), head, item);
      if (code !== "go on") return code;
    }
    if (isOther(item.command)) continue;
    lastStep = `${rebaseAction(repo)} (${item.command})`;
    const next = todo[0]?.command;
    const moreFollow = next === "fixup" || next === "squash";
    const code = await orReschedule(runItem(repo, start, item, moreFollow, io), head, item);
    if (code !== "go on") return code;
    // git would have opened an editor for the squashed message.
    if (!moreFollow && trailingSquashes(done).some(({ command, flag }) => command === "squash" || flag === "-c"))
      await printCommit(repo, await requireHead(repo), io);
  }
  await finishRebase(repo, start, io);
  return 0;
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

function rescheduled(command: string): string {
  return `hint: Could not execute the todo command
hint: 
hint:     exec ${command}
hint: 
hint: It has been rescheduled; To edit the command before continuing, please
hint: edit the todo list first:
hint: 
hint:     git rebase --edit-todo
hint:     git rebase --continue
`;
}

async function mergeItem(
  repo: WorkRepository,
  state: RebaseState,
  item: TodoItem,
  lastStep: string,
  io: RebaseIo,
): Promise<number | "go on"> {
  const head = await requireHead(repo);
  const created = await runMerge(repo, state, item, head);
  if (created.kind === "nothing") return "go on";
  if (created.kind === "forward") {
    await moveHead(repo, head, created.to, "rebase: fast-forward");
    return "go on";
  }
  const { original } = created;
  io.out(created.output);
  if (created.kind === "octopus") {
    io.err(created.errors);
    return created.clean ? "go on" : stopAtMerge(repo, item, original, io);
  }
  const { parents, tree } = created;
  if (!created.clean) {
    await repo.fs.writeFile(`${repo.gitDir}/MERGE_HEAD`, `${parents[1]}`);
    await repo.fs.writeFile(`${repo.gitDir}/MERGE_MODE`, "no-ff");
    await repo.fs.writeFile(`${repo.gitDir}/MERGE_MSG`, encode(created.message));
    return stopAtMerge(repo, item, original, io);
  }
  const author = original?.commit.author ?? authorIdentity(repo);
  const oid = await commitItem(repo, state, { tree, parents: [...parents], author, message: created.message });
  const reason = `${lastStep}: ${created.message.split("\n", 1)[0]}`;
  const { seconds, zone } = author;
  const who = { ...reflogIdentity(repo), ...(state.dates === "author" ? { seconds, zone } : {}) };
  await moveHead(repo, head, oid, reason, who);
  await clearPickState(repo);
  // git would have opened an editor for the message.
  if (original === null || item.flag === "-c") await printCommit(repo, oid, io);
  return "go on";
}

async function stopAtMerge(
  repo: WorkRepository,
  { text }: TodoItem,
  original: LabelledCommit | null,
  io: RebaseIo,
): Promise<number> {
  if (original === null) io.err(`Could not merge ${text}\n`);
  else {
    await repo.refs.update([{ name: "REBASE_HEAD", to: original.oid, noDeref: true }], reflogIdentity(repo));
    await writeStop(repo, original);
    io.err(`Could not apply ${original.short}... ${text}\n`);
  }
  return 1;
}

async function printCommit(repo: WorkRepository, oid: Oid, io: RebaseIo): Promise<void> {
  const { commit } = await labelCommit(repo, oid);
  io.out(await commitSummary(repo, oid, commit, { headName: null, isRoot: false, showDate: true }));
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
  io: RebaseIo,
): Promise<number | "go on"> {
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
    if (item.command === "edit") return stopForEdit(repo, state, item, picked, io);
    return "go on";
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
    io.out(replayed.output);
    await repo.fs.writeFile(`${folder}/message`, encode(message));
    await repo.fs.writeFile(`${repo.gitDir}/MERGE_MSG`, encode(`${message}${await conflictsHint(repo)}`));
    await writeStop(repo, picked);
    printConflict(repo, picked, item, io);
    return 1;
  }
  const before = await treeOfCommit(repo, head);
  if (replayed.tree === before && !melds && state.redundant !== "keep" && !(await wasEmpty(repo, picked))) {
    if (state.redundant === "ask") return stopForEmpty(repo, item, { ...picked, message }, io);
    await clearPickState(repo);
    io.err(`dropping ${picked.oid} ${picked.subject} -- patch contents already upstream\n`);
    return "go on";
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
  if (item.command === "edit") return stopForEdit(repo, state, item, picked, io);
  return "go on";
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

async function finishRebase(repo: WorkRepository, state: RebaseState, io: RebaseIo): Promise<void> {
  const head = await requireHead(repo);
  const { headName, onto, origHead } = state;
  const who = reflogIdentity(repo);
  if (headName.startsWith("refs/")) {
    const message = `${rebaseAction(repo)} (finish): ${headName} onto ${onto}`;
    await repo.refs.update([{ name: headName, to: head, from: origHead, message }], who);
    const returning = `${rebaseAction(repo)} (finish): returning to ${headName}`;
    await repo.refs.update([{ name: "HEAD", to: { symbolic: headName }, noDeref: true, message: returning }], who);
  }
  io.err(await endAutostash(repo, `${rebaseFolder(repo)}/autostash`));
  const updated = await endUpdateRefs(repo);
  await removeLabels(repo);
  await removeRebaseState(repo);
  await clearPickState(repo);
  if (state.quiet) return;
  io.err(`${state.verbose ? "" : io.clearLine}Successfully rebased and updated ${headName}.\n${updated}`);
}
