/** Commits and prints the summary, or the status and the reason why there is nothing to commit. Also concludes a merge or a pick. */

import { GitError } from "../../../errors.ts";
import { autostashEndText } from "../../../format/autostash-text.ts";
import { porcelainV2, shortStatus } from "../../../format/status/status-lines.ts";
import { isCommittable, statusText } from "../../../format/status/status-text.ts";
import { columnarIndex } from "../../../index/columnar-index.ts";
import { parsePathspec } from "../../../pathspec/pathspec.ts";
import { type CommitOptions, type CommitResult, commit, UnmergedError } from "../../../porcelain/commit/commit.ts";
import { commitCleanup } from "../../../porcelain/commit/commit-settings.ts";
import { endAutostash, mergeAutostash } from "../../../porcelain/stash/autostash.ts";
import { status as reportStatus } from "../../../porcelain/status/status.ts";
import { renameSettings } from "../../../porcelain/status/status-renames.ts";
import { commitSummary } from "../../../pretty/commit-summary.ts";
import type { Repository } from "../../../repository.ts";
import { findCommit } from "../../../revision/resolve-revision.ts";
import { decode } from "../../../text/bytes.ts";
import { readInput } from "../../flags/pathspec-arguments.ts";
import { type StatusFormat, untrackedMode } from "../../flags/status-settings.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { CommitFlags } from "./commit-checks.ts";

type WorkRepository = Repository & { readonly workTree: string };

/** What to print, and how. */
type Display = Pick<CommitFlags, "quiet" | "date" | "amend" | "untracked" | "aheadBehind" | "branch" | "nul"> & {
  readonly format: StatusFormat;
};

/** Returns the exit code. */
export async function commitAndPrint(
  context: CommandContext,
  repo: WorkRepository,
  options: CommitOptions,
  display: Display,
): Promise<number> {
  const result = await commit(repo, options).catch((error) => {
    if (error instanceof UnmergedError) for (const path of error.paths) context.out(`U\t${path}\n`);
    throw error;
  });
  if (result.kind === "committed") {
    context.err(autostashEndText(await endAutostash(repo, mergeAutostash(repo))));
    if (display.quiet) return 0;
    const showDate = display.date !== undefined || options.authorFrom !== undefined || result.picked;
    context.out(await commitSummary(repo, result.oid, result.commit, { ...result, showDate }));
    return 0;
  }
  const isDry = result.kind === "dry-run";
  const committable = await printStatus(context, repo, result, isDry ? display : { ...display, format: "long" });
  if (!isDry) printWhyEmpty(context, display, result);
  return isDry && committable ? 0 : 1;
}

/** Commits the index with the message that a merge or a pick prepared, as `git commit` without arguments does. */
export async function commitIndex(
  context: CommandContext,
  repo: WorkRepository,
  { edit = true, cleanup }: { readonly edit?: boolean; readonly cleanup?: string } = {},
): Promise<number> {
  const options: CommitOptions = {
    mode: "index",
    pathspec: parsePathspec(repo, []),
    edit,
    cleanup: commitCleanup(repo.config, cleanup, edit),
    ...(await commitTemplate(context, repo)),
  };
  return commitAndPrint(context, repo, options, { format: "unset" });
}

/** The text that `commit.template` or `--template` names. */
export async function commitTemplate(
  context: CommandContext,
  { config }: Repository,
  input?: string | false,
): Promise<Pick<CommitOptions, "template">> {
  const path = input || config.get("commit.template");
  return path ? { template: decode(await readLogFile(context, path, "")) } : {};
}

export async function readLogFile(context: CommandContext, path: string, kind = "log file "): Promise<Uint8Array> {
  try {
    return await readInput(context, path);
  } catch (error) {
    const reason = /: ([^:]*)$/.exec((error as Error).message)?.[1] ?? "";
    throw new GitError("ENOTFOUND", `could not read ${kind}'${path}': ${reason}`, { cause: error });
  }
}

type NotCommitted = Exclude<CommitResult, { kind: "committed" }>;

/** Whether there is anything to commit. */
async function printStatus(
  context: CommandContext,
  repo: WorkRepository,
  { index }: NotCommitted,
  display: Display,
): Promise<boolean> {
  const { format } = display;
  const untracked = untrackedMode(repo.config, display.untracked);
  const head = display.amend ? await findCommit(repo, "HEAD^1") : undefined;
  const report = await reportStatus(repo, {
    untracked,
    index: columnarIndex(index),
    ...(head === undefined ? {} : { head }),
    renames: renameSettings(repo, {}),
    aheadBehind: display.aheadBehind,
  });
  const relative = repo.config.getBool("status.relativepaths") ?? true;
  const nul = display.nul ?? false;
  const lines = {
    branch: display.branch ?? false,
    nul,
    relative: format === "short" && relative && !nul,
    color: format === "short",
  };
  if (format === "v2") context.out(porcelainV2(repo, report, lines));
  else if (format === "short" || format === "v1") context.out(shortStatus(repo, report, lines));
  else {
    const amend = display.amend ? { amend: true, reference: "HEAD^1" } : {};
    context.out(statusText(repo, report, { untracked, ignored: "no", relative, template: true, ...amend }));
  }
  return isCommittable(report);
}

function printWhyEmpty(context: CommandContext, { amend }: Display, { whence }: NotCommitted): void {
  if (amend) context.err(EMPTY_AMEND);
  else if (whence === "cherry-pick" || whence === "rebase") context.err(emptyPick(whence));
}

const EMPTY_AMEND = `You asked to amend the most recent commit, but doing so would make
it empty. You can repeat your command with --allow-empty, or you can
remove the commit entirely with "git reset HEAD^".
`;

const emptyPick = (command: string) => `The previous cherry-pick is now empty, possibly due to conflict resolution.
If you wish to commit it anyway, use:

    git commit --allow-empty

Otherwise, please use 'git ${command} --skip'
`;
