/**
 * The lines of `git status` about a merge, rebase, cherry-pick, revert, am session or bisection in progress, and how to continue.
 */
import type { OperationState, RebaseProgress } from "../../porcelain/status/operation-state.ts";

/** Output of these lines, and their inputs besides the state. */
interface ProgressContext {
  readonly unmerged: boolean;
  /** For an amending commit: the edit is already in progress. */
  readonly amend: boolean;
  /** There are unstaged edits. */
  readonly edited: boolean;
  /** As displayed. */
  readonly gitDir: string;
  short(oid: string): string;
  line(text: string): void;
  hint(text: string): void;
  /** An empty line that never gets a "#". */
  gap(): void;
}

export function printProgress(state: OperationState, telling: ProgressContext): void {
  const { line, hint } = telling;
  if (state.merge) {
    if (state.rebase?.interactive) {
      rebaseSteps(telling, state.rebase);
      telling.gap();
    }
    merge(telling);
  } else if (state.am) am(telling, state.am.emptyPatch);
  else if (state.rebase) printRebase(telling, state.rebase);
  else if (state.cherryPick) pick(telling, "cherry-pick", "Cherry-pick", "cherry-picking", state.cherryPick.oid);
  else if (state.revert) pick(telling, "revert", "Revert", "reverting", state.revert.oid);
  if (state.bisect !== null) {
    const from = state.bisect === "" ? "" : `, started from branch '${state.bisect}'`;
    line(`You are currently bisecting${from}.`);
    hint('use "git bisect reset" to get back to the original branch');
    line("");
  }
}

function merge({ unmerged, line, hint }: ProgressContext): void {
  if (unmerged) {
    line("You have unmerged paths.");
    hint('fix conflicts and run "git commit"');
    hint('use "git merge --abort" to abort the merge');
  } else {
    line("All conflicts fixed but you are still merging.");
    hint('use "git commit" to conclude merge');
  }
  line("");
}

function am({ line, hint }: ProgressContext, emptyPatch: boolean): void {
  line("You are in the middle of an am session.");
  if (emptyPatch) line("The current patch is empty.");
  if (!emptyPatch) hint('fix conflicts and then run "git am --continue"');
  hint('use "git am --skip" to skip this patch');
  if (emptyPatch) hint('use "git am --allow-empty" to record this patch as an empty commit');
  hint('use "git am --abort" to restore the original branch');
  line("");
}

function printRebase(telling: ProgressContext, rebase: RebaseProgress): void {
  const { unmerged, amend, line, hint } = telling;
  const { branch, onto } = rebase;
  if (rebase.interactive) rebaseSteps(telling, rebase);
  const rebasing = branch
    ? `You are currently rebasing branch '${branch}' on '${onto}'.`
    : "You are currently rebasing.";
  const during = branch ? `while rebasing branch '${branch}' on '${onto}'.` : "during a rebase.";
  if (unmerged) {
    line(rebasing);
    hint('fix conflicts and then run "git rebase --continue"');
    hint('use "git rebase --skip" to skip this patch');
    hint('use "git rebase --abort" to check out the original branch');
  } else if (!rebase.interactive || rebase.hasMessage) {
    line(rebasing);
    hint('all conflicts fixed: run "git rebase --continue"');
  } else if (rebase.splitting && (telling.edited || amend)) {
    line(`You are currently splitting a commit ${during}`);
    hint('Once your working directory is clean, run "git rebase --continue"');
  } else {
    line(`You are currently editing a commit ${during}`);
    if (!amend) {
      hint('use "git commit --amend" to amend the current commit');
      hint('use "git rebase --continue" once you are satisfied with your changes');
    }
  }
  line("");
}

function rebaseSteps({ gitDir, line, hint }: ProgressContext, { done, todo }: RebaseProgress): void {
  const displayed = 2;
  if (todo === null) line("git-rebase-todo is missing.");
  if (done.length === 0) line("No commands done.");
  else {
    const commands = done.length === 1 ? "command" : "commands";
    line(`Last ${commands} done (${done.length} ${commands} done):`);
    for (const command of done.slice(-displayed)) line(`   ${command}`);
    if (done.length > displayed) hint(`see more in file ${gitDir}/rebase-merge/done`);
  }
  const left = todo ?? [];
  if (left.length === 0) line("No commands remaining.");
  else {
    const commands = left.length === 1 ? "command" : "commands";
    line(`Next ${commands} to do (${left.length} remaining ${commands}):`);
    for (const command of left.slice(0, displayed)) line(`   ${command}`);
    hint('use "git rebase --edit-todo" to view and edit');
  }
}

function pick(
  { unmerged, short, line, hint }: ProgressContext,
  command: string,
  title: string,
  doing: string,
  oid: string | null,
): void {
  if (oid === null) line(`${title} currently in progress.`);
  else line(`You are currently ${doing} commit ${short(oid)}.`);
  if (unmerged) hint(`fix conflicts and run "git ${command} --continue"`);
  else if (oid === null) hint(`run "git ${command} --continue" to continue`);
  else hint(`all conflicts fixed: run "git ${command} --continue"`);
  hint(`use "git ${command} --skip" to skip this patch`);
  hint(`use "git ${command} --abort" to cancel the ${command} operation`);
  line("");
}
