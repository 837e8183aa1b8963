/** Resumes or ends a stopped rebase: `--continue`, `--skip`, `--abort` and `--quit`. */

import { GitError } from "../../errors.ts";
import { indexFromColumns, readColumnarIndex } from "../../index/read-index.ts";
import { writeTree } from "../../index/write-tree.ts";
import { stripSpace } from "../../message/strip-space.ts";
import { type Oid, parseOid } from "../../object/oid.ts";
import type { Signature } from "../../object/signature.ts";
import { refuseEditor } from "../../repository/editor.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import { decode } from "../../text/bytes.ts";
import { stagedPaths } from "../../worktree/apply-merge.ts";
import { resetHard } from "../../worktree/reset-hard.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { removeBranchState, treeOfCommit, unmergedPaths } from "../checkout/switch-branch.ts";
import { commitToRewrite } from "../commit/write-commit.ts";
import { clearPickState } from "../sequencer/pick-commits.ts";
import { type AutostashEnd, endAutostash } from "../stash/autostash.ts";
import { localChanges } from "./local-changes.ts";
import type { RebaseEnd, RebaseReport } from "./rebase-event.ts";
import { type RebaseState, rebaseAction, rebaseFolder, removeRebaseState } from "./rebase-state.ts";
import { removeLabels } from "./run-merge.ts";
import { commitItem, runTodo } from "./run-todo.ts";

export async function continueRebase(
  repo: WorkRepository,
  state: RebaseState,
  report: RebaseReport,
): Promise<RebaseEnd> {
  const unmerged = await unmergedPaths(repo);
  if (unmerged.length > 0 || (await localChanges(repo)).unstaged) return { kind: "unresolved", unmerged };
  const head = (await repo.refs.resolve("HEAD"))?.oid as Oid;
  if ((await stagedPaths(repo, await treeOfCommit(repo, head))).length > 0)
    await commitResolved(repo, state, head, report);
  await forgetStop(repo);
  return runTodo(repo, state, report);
}

async function commitResolved(
  repo: WorkRepository,
  state: RebaseState,
  head: Oid,
  report: RebaseReport,
): Promise<void> {
  refuseEditor(repo, "error: could not commit staged changes.\n");
  const last = state.done.at(-1)?.command;
  const folder = rebaseFolder(repo);
  const read = async (path: string) => {
    const [bytes] = await repo.fs.readMany([path]);
    return bytes ? decode(bytes) : null;
  };
  const amends = last === "fixup" || last === "squash" || (await read(`${folder}/amend`))?.trim() === head;
  const before = await commitToRewrite(repo, head);
  const prepared =
    (await read(`${repo.gitDir}/MERGE_MSG`)) ?? (amends ? before.message : await read(`${folder}/message`));
  const message = stripSpace(prepared ?? "", { comment: repo.config.get("core.commentchar") ?? "#" });
  const script = await read(`${folder}/author-script`);
  if (!amends && script === null) throw stagedAside(repo);
  const author = amends ? before.author : (parseAuthor(script ?? "") ?? before.author);
  const { oid: tree } = await writeTree(repo.odb, indexFromColumns(await readColumnarIndex(repo)));
  const merging = ((await read(`${repo.gitDir}/MERGE_HEAD`)) ?? "").split("\n").flatMap((line) => parseOid(line) ?? []);
  const parents = state.squashOnto === head ? [] : [head, ...merging];
  const commit = { tree, parents: amends ? before.parents : parents, author, message };
  const oid = await commitItem(repo, state, commit);
  const reason = `${rebaseAction(repo)} (continue): ${message.split("\n", 1)[0]}`;
  await repo.refs.update([{ name: "HEAD", to: oid, from: head, noDeref: true, message: reason }], reflogIdentity(repo));
  for (const name of ["MERGE_HEAD", "MERGE_MODE"]) await repo.fs.rm(`${repo.gitDir}/${name}`, { force: true });
  await report({ kind: "resolved", oid, commit: await commitToRewrite(repo, oid) });
}

/** The rebase did not stop at a commit that these changes could belong to: a command that ran has staged them. */
function stagedAside({ displayGitDir = ".git" }: WorkRepository): GitError {
  const hint = `error: you have staged changes in your working tree
If these changes are meant to be squashed into the previous commit, run:

  git commit --amend 

If they are meant to go into a new commit, run:

  git commit 

In both cases, once you're done, continue with:

  git rebase --continue

error: could not commit staged changes.
`;
  const file = `${displayGitDir}/rebase-merge/author-script`;
  const message = `could not open '${file}' for reading: No such file or directory`;
  return new GitError("ESTATE", message, { prefix: "error", exitCode: 1, hint });
}

function parseAuthor(text: string): Signature | null {
  const value = (name: string) => {
    const [, quoted] = new RegExp(`^${name}='(.*)'$`, "m").exec(text) ?? [];
    return quoted?.replaceAll("'\\''", () => "'");
  };
  const [name, email, date] = [value("GIT_AUTHOR_NAME"), value("GIT_AUTHOR_EMAIL"), value("GIT_AUTHOR_DATE")];
  const [, seconds, zone] = /^@?(\d+) ([+-]\d+)$/.exec(date ?? "") ?? [];
  if (name === undefined || email === undefined || seconds === undefined || zone === undefined) return null;
  return { name, email, seconds: Number(seconds), zone };
}

/** Removes the record of where the rebase stopped. */
async function forgetStop(repo: WorkRepository): Promise<void> {
  const folder = rebaseFolder(repo);
  for (const name of ["author-script", "stopped-sha", "message", "patch", "amend"])
    await repo.fs.rm(`${folder}/${name}`, { force: true });
  await clearPickState(repo);
}

export async function skipRebase(repo: WorkRepository, state: RebaseState, report: RebaseReport): Promise<RebaseEnd> {
  const head = (await repo.refs.resolve("HEAD"))?.oid as Oid;
  await discardChanges(repo, head, "could not discard worktree changes");
  await removeBranchState(repo);
  await forgetStop(repo);
  return runTodo(repo, state, report);
}

/** Keeps untracked files: if one is in the way, this fails and the rebase stays in progress. */
async function discardChanges(repo: WorkRepository, to: Oid, failed: string): Promise<void> {
  await resetHard(repo, await treeOfCommit(repo, to), { keepUntracked: "reset" }).catch((error: unknown) => {
    if (!(error instanceof GitError) || error.code !== "ESTATE") throw error;
    const hint = `${error.hint ?? ""}fatal: ${failed}\n`;
    throw new GitError("ESTATE", error.message, { prefix: "error", exitCode: 128, hint, cause: error });
  });
}

export async function abortRebase(repo: WorkRepository, { headName, origHead }: RebaseState): Promise<AutostashEnd> {
  await discardChanges(repo, origHead, `could not move back to ${origHead}`);
  const who = reflogIdentity(repo);
  const isBranch = headName.startsWith("refs/");
  const message = `${rebaseAction(repo)} (abort): returning to ${isBranch ? headName : origHead}`;
  const to = isBranch ? { symbolic: headName } : origHead;
  await repo.refs.update([{ name: "HEAD", to, noDeref: true, message }], who);
  const autostash = await endAutostash(repo, `${rebaseFolder(repo)}/autostash`);
  await removeLabels(repo);
  await removeRebaseState(repo);
  await removeBranchState(repo);
  return autostash;
}

export async function quitRebase(repo: WorkRepository): Promise<AutostashEnd> {
  const autostash = await endAutostash(repo, `${rebaseFolder(repo)}/autostash`, true);
  await repo.fs.rm(rebaseFolder(repo), { recursive: true, force: true });
  return autostash;
}
