/** Rebases by the merge backend, one commit after the other, and prints each step. `pull --rebase` ends with it. */

import { adviceEnabled } from "../../../config/advice.ts";
import { GitError } from "../../../errors.ts";
import { autostashCreatedText, autostashEndText } from "../../../format/autostash-text.ts";
import { localChangesText, rebaseEndText, rebaseEventText } from "../../../format/rebase-text.ts";
import type { Oid } from "../../../object/oid.ts";
import { emptyCommit } from "../../../porcelain/rebase/empty-commit.ts";
import { branchOf, findForkPoint, ontoOf, upstreamOf } from "../../../porcelain/rebase/find-ends.ts";
import { localChanges } from "../../../porcelain/rebase/local-changes.ts";
import { makeTodo } from "../../../porcelain/rebase/make-todo.ts";
import type { RebaseEnd, RebaseReport } from "../../../porcelain/rebase/rebase-event.ts";
import {
  alreadyRebasing,
  isRebasing,
  type RebaseState,
  readRebaseState,
  rebaseFolder,
} from "../../../porcelain/rebase/rebase-state.ts";
import { abortRebase, continueRebase, quitRebase, skipRebase } from "../../../porcelain/rebase/resume-rebase.ts";
import { addExec } from "../../../porcelain/rebase/run-exec.ts";
import { runTodo } from "../../../porcelain/rebase/run-todo.ts";
import { isUpToDate, startRebase } from "../../../porcelain/rebase/start-rebase.ts";
import { takeBranch } from "../../../porcelain/rebase/take-branch.ts";
import { todoText } from "../../../porcelain/rebase/todo-help.ts";
import { createAutostash, endAutostash } from "../../../porcelain/stash/autostash.ts";
import { isNoOp, refuseSequenceEditor, sequenceEditorOf } from "../../../repository/editor.ts";
import { checkHooks, printSkippedHooks } from "../../../repository/hooks.ts";
import { mergeBases } from "../../../revision/merge-base.ts";
import { findCommit } from "../../../revision/resolve-revision.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { commitIndex } from "../commit/commit-and-print.ts";
import { terminalColumns } from "../diff/show-diff.ts";
import { logTable } from "../log/run-log.ts";
import { showObjects } from "../log/show-objects.ts";
import { showStat } from "../merge/show-stat.ts";
import { mergesMode, rebaseStep, rebaseUsage, refuseUnsupported, usageError } from "./check-flags.ts";
import { rebaseFlags } from "./rebase-flags.ts";

type RebaseFlags = ParsedFlags<typeof rebaseFlags>["flags"];

/** The argument table of rebase, for `rebase` and `pull`. */
export const rebaseArguments = {
  usage: rebaseUsage,
  flags: rebaseFlags,
};

/** Returns the exit code. */
export async function rebaseAndPrint(
  context: CommandContext,
  { flags, args, afterDashes, order }: ParsedFlags<typeof rebaseFlags>,
): Promise<number> {
  const step = rebaseStep(order, args.length + (afterDashes?.length ?? 0));
  const repo = await context.workTree();
  const rebasing = await isRebasing(repo);
  if (step !== undefined) {
    if (!rebasing) throw new GitError("ESTATE", "No rebase in progress?");
    if (step === "continue") return resume(context, repo, continueRebase);
    if (step === "skip") return resume(context, repo, skipRebase);
    if (step === "abort") context.err(autostashEndText(await abortRebase(repo, await readRebaseState(repo))));
    else if (step === "quit") context.err(autostashEndText(await quitRebase(repo)));
    else if (step === "showCurrentPatch") return showCurrentPatch(context, repo);
    else if (!isNoOp(sequenceEditorOf(repo)))
      throw new GitError(
        "EUNSUPPORTED",
        "the todo list cannot be edited here: change .git/rebase-merge/git-rebase-todo",
      );
    return 0;
  }
  if (rebasing) throw alreadyRebasing(repo);
  refuseUnsupported(repo, flags);
  try {
    return await begin(context, repo, flags, [...args, ...(afterDashes ?? [])]);
  } catch (error) {
    await comeBack(context, repo);
    throw error;
  }
}

/** An interactive rebase stops at each commit that became empty. */
function redundantWay({ empty, interactive }: RebaseFlags): RebaseState["redundant"] {
  if (empty === "drop" || empty === "keep" || empty === "ask") return empty;
  return interactive ? "ask" : "drop";
}

/** Restores the autostash if the rebase did not begin. */
async function comeBack(context: CommandContext, repo: WorkRepository): Promise<void> {
  const folder = rebaseFolder(repo);
  if (await repo.fs.exists(`${folder}/head-name`)) return;
  context.err(autostashEndText(await endAutostash(repo, `${folder}/autostash`)));
  await repo.fs.rm(folder, { recursive: true, force: true });
}

async function showCurrentPatch(context: CommandContext, repo: WorkRepository): Promise<number> {
  const stopped = (await repo.refs.resolve("REBASE_HEAD"))?.oid;
  if (!stopped) throw new GitError("ESTATE", "No rebase in progress?");
  return showObjects(context, parseFlags(logTable, [stopped, "--"]));
}

/** As git commit, but the status goes to stderr as well, after the reason. */
async function printNothingToCommit(context: CommandContext, repo: WorkRepository): Promise<void> {
  const status: (string | Uint8Array)[] = [];
  await commitIndex({ ...context, out: (text) => status.push(text) }, repo);
  for (const piece of status) context.err(piece);
}

type Run = (report: RebaseReport) => Promise<RebaseEnd>;

async function resume(
  context: CommandContext,
  repo: WorkRepository,
  run: (repo: WorkRepository, state: RebaseState, report: RebaseReport) => Promise<RebaseEnd>,
): Promise<number> {
  const state = await readRebaseState(repo);
  return runAndPrint(context, repo, state, (report) => run(repo, state, report));
}

/** Prints each step as it happens. Returns the exit code: 0 if the rebase finished, or stopped where the list says so. */
async function runAndPrint(
  context: CommandContext,
  repo: WorkRepository,
  { quiet, verbose }: RebaseState,
  run: Run,
): Promise<number> {
  const { TERM } = context.env;
  const isDumb = TERM === undefined || TERM === "dumb";
  const clearLine = isDumb ? `\r${" ".repeat(terminalColumns(context))}\r` : "\r\x1b[K";
  const display = { quiet, verbose, clearLine };
  const print = ({ out = "", err = "" }: { out?: string | Uint8Array; err?: string | Uint8Array }) => {
    context.out(out);
    context.err(err);
  };
  const end = await run(async (event) => print(await rebaseEventText(repo, event, display)));
  if (end.kind === "empty") await printNothingToCommit(context, repo);
  print(rebaseEndText(repo, end, display));
  return end.kind === "done" || end.kind === "break" || end.kind === "edit" ? 0 : 1;
}

async function begin(
  context: CommandContext,
  repo: WorkRepository,
  flags: RebaseFlags,
  words: readonly string[],
): Promise<number> {
  if (words.length > (flags.root ? 1 : 2)) throw usageError();
  const cousins = mergesMode(flags);
  const rest = [...words];
  const input = rest[0];
  const named = flags.root ? null : await upstreamOf(repo, rest.shift());
  if (named !== null && "missing" in named) {
    context.out(named.missing);
    return 1;
  }
  const upstreamName = named === null ? null : named.name;
  const upstream = upstreamName === null ? null : await findCommit(repo, upstreamName);
  if (upstreamName !== null && upstream === null) throw new GitError("ENOTFOUND", `invalid upstream '${upstreamName}'`);
  if (flags.interactive) refuseSequenceEditor(repo);
  const { headName, head, branch } = await branchOf(repo, rest.shift());
  const squashOnto = flags.root && !flags.onto ? await emptyCommit(repo) : undefined;
  const { onto, ontoName } =
    squashOnto === undefined
      ? await ontoOf(repo, flags, upstream, upstreamName, head)
      : { onto: squashOnto, ontoName: squashOnto };
  const point = await findForkPoint(repo, flags, flags.root ? null : upstreamName, input === undefined, head);
  if (flags.autostash ?? repo.config.getBool("rebase.autostash"))
    context.out(await autostashCreatedText(repo, await createAutostash(repo, `${rebaseFolder(repo)}/autostash`)));
  const changes = await localChanges(repo);
  if (changes.unstaged || changes.staged) {
    for (const path of changes.unmerged) context.out(`${path}: needs merge\n`);
    context.err(`${localChangesText(changes)}error: Please commit or stash them.\n`);
    return 1;
  }
  const forced = Boolean(
    flags.force ||
      flags.noFf ||
      flags.signoff ||
      flags.committerDateIsAuthorDate ||
      flags.ignoreDate ||
      flags.resetAuthorDate,
  );
  const name = headName.startsWith("refs/") ? `Current branch ${branch}` : "HEAD";
  if (
    upstream !== null &&
    !flags.interactive &&
    !flags.autosquash &&
    !flags.exec?.length &&
    (await isUpToDate(repo, onto, upstream, head)) &&
    (point === null || (await mergeBases(repo, onto, [head]))[0] === point)
  ) {
    if (!forced) {
      await takeBranch(repo, headName, head, branch);
      await comeBack(context, repo);
      if (!flags.quiet) context.out(`${name} is up to date.\n`);
      return 0;
    }
    if (!flags.quiet) context.out(`${name} is up to date, rebase forced.\n`);
  }
  await checkHooks(repo, "rebase", { noVerify: flags.noVerify });
  await printStat(context, repo, flags, onto, head, upstream);
  const autosquash = flags.autosquash ?? repo.config.getBool("rebase.autosquash") ?? false;
  const updates = flags.updateRefs ?? repo.config.getBool("rebase.updaterefs") ?? false;
  const {
    todo: replayed,
    skipped,
    commentsBefore,
    empties,
  } = await makeTodo(repo, {
    upstream: upstream ?? onto,
    head,
    reapplyCherryPicks: flags.reapplyCherryPicks ?? flags.keepBase ?? false,
    // Without -i there is no todo list to rearrange.
    autosquash: flags.interactive === true && autosquash,
    dropEmpty: flags.keepEmpty === false,
    ...(point === null ? {} : { forkPoint: point }),
    ...(cousins === null ? {} : { merges: { cousins, roots: flags.root === true && Boolean(flags.onto) } }),
    ...(updates ? { updateRefsBut: headName } : {}),
  });
  const todo = addExec(replayed, flags.exec ?? []);
  const editsBy = flags.interactive ? sequenceEditorOf(repo) : "";
  if (/^[a-z/]*cat$/.test(editsBy))
    context.out(await todoText(repo, todo, { upstream, head, onto, commentsBefore, empties }));
  await printSkipped(context, repo, skipped);
  const state: RebaseState = {
    headName,
    onto,
    origHead: head,
    todo,
    done: [],
    quiet: flags.quiet ?? false,
    verbose: flags.verbose ?? false,
    strategyOptions: [...(flags.strategyOption ?? []), ...(flags.ignoreWhitespace ? ["ignore-space-change"] : [])],
    redundant: redundantWay(flags),
    signoff: flags.signoff ?? false,
    dates: flags.committerDateIsAuthorDate
      ? "author"
      : flags.ignoreDate || flags.resetAuthorDate
        ? "ignore"
        : "committer",
    force: forced,
    rescheduleExec: flags.rescheduleFailedExec ?? repo.config.getBool("rebase.reschedulefailedexec") ?? false,
    ...(squashOnto === undefined ? {} : { squashOnto }),
  };
  const gaps = [...commentsBefore.values()].flat().filter((line) => line === "").length;
  const started = await startRebase(repo, state, ontoName);
  const code = await runAndPrint(context, repo, started, (report) => runTodo(repo, started, report, gaps));
  await printSkippedHooks(repo, "rebase");
  return code;
}

async function printStat(
  context: CommandContext,
  repo: WorkRepository,
  flags: RebaseFlags,
  onto: Oid,
  head: Oid,
  upstream: Oid | null,
): Promise<void> {
  const displayed = flags.stat || flags.verbose || (!flags.noStat && repo.config.getBool("rebase.stat"));
  if (!displayed || flags.quiet) return;
  const bases = await mergeBases(repo, onto, [head]);
  const base = bases.length === 1 ? (bases[0] as Oid) : null;
  if (flags.verbose) {
    context.out(base === null ? `Changes to ${onto}:\n` : `Changes from ${base} to ${onto}:\n`);
  }
  if (upstream !== null || base !== null) await showStat(context, repo, base, onto);
}

async function printSkipped(context: CommandContext, repo: WorkRepository, skipped: readonly Oid[]): Promise<void> {
  if (skipped.length === 0) return;
  for (const oid of skipped)
    context.err(`warning: skipped previously applied commit ${await repo.odb.abbreviate(oid)}\n`);
  if (!adviceEnabled(repo.config, "skippedCherryPicks")) return;
  context.err(`hint: use --reapply-cherry-picks to include skipped commits
hint: Disable this message with "git config advice.skippedCherryPicks false"
`);
}
