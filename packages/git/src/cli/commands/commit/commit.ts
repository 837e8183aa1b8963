/** `git commit` */
import { approxidate } from "../../../date/approxidate.ts";
import { localTime, zoneText } from "../../../date/local-time.ts";
import { parseDate } from "../../../date/parse-date.ts";
import { GitError } from "../../../errors.ts";
import { porcelainV2, shortStatus } from "../../../format/status/status-lines.ts";
import { isCommittable, statusText } from "../../../format/status/status-text.ts";
import { columnarIndex } from "../../../index/columnar-index.ts";
import type { IndexFile } from "../../../index/index-file.ts";
import type { Oid } from "../../../object/oid.ts";
import { parsePathspec } from "../../../pathspec/pathspec.ts";
import {
  type CommitOptions,
  type CommitResult,
  commit as makeCommit,
  UnmergedError,
} from "../../../porcelain/commit/commit.ts";
import type { Cleanup } from "../../../porcelain/commit/commit-message.ts";
import { findAuthor } from "../../../porcelain/commit/find-author.ts";
import { refuseSigning } from "../../../porcelain/commit/refuse-signing.ts";
import { endAutostash, mergeAutostash } from "../../../porcelain/stash/autostash.ts";
import { status as reportStatus } from "../../../porcelain/status/status.ts";
import { renameSettings } from "../../../porcelain/status/status-renames.ts";
import { commitSummary } from "../../../pretty/commit-summary.ts";
import type { Repository } from "../../../repository.ts";
import { findCommit } from "../../../revision/resolve-revision.ts";
import { pathspecArguments, pathspecFlags, readInput } from "../../flags/pathspec-arguments.ts";
import { type StatusFormat, untrackedMode } from "../../flags/status-settings.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { checkFixup, checkTogether, commitMode, type CommitFlags as Flags, fixupOf } from "./commit-checks.ts";
import { commitFlags } from "./commit-flags.ts";

type WorkRepository = Repository & { readonly workTree: string };

export const commit = defineCommand({
  name: "commit",
  usage: [
    "git commit [-a | --interactive | --patch] [-s] [-v] [-u<mode>] [--amend]\n                  [--dry-run] [(-c | -C | --squash) <commit> | --fixup [(amend|reword):]<commit>)]\n                  [-F <file> | -m <msg>] [--reset-author] [--allow-empty]\n                  [--allow-empty-message] [--no-verify] [-e] [--author=<author>]\n                  [--date=<date>] [--cleanup=<mode>] [--[no-]status]\n                  [-i | -o] [--pathspec-from-file=<file> [--pathspec-file-nul]]\n                  [(--trailer <token>[(=|:)<value>])...] [-S[<keyid>]]\n                  [--] [<pathspec>...]",
  ],
  flags: { ...commitFlags, ...pathspecFlags },
  async run(context, { flags, args, afterDashes, order }) {
    const repo = await context.workTree();
    const input = [...args, ...(afterDashes ?? [])];
    checkFixup(flags, input);
    if (flags.patch || flags.interactive) {
      throw new GitError(
        "EUNSUPPORTED",
        "git commit --patch needs a terminal; stage with 'git add' or 'git apply --cached', then commit",
      );
    }
    refuseSigning(repo, flags.gpgSign);
    const format = statusFormat(order);
    checkTogether(flags, await repo.fs.exists(`${repo.gitDir}/CHERRY_PICK_HEAD`));
    const paths = await pathspecArguments(context, flags, input);
    const mode = commitMode(flags, paths);
    const fixup = fixupOf(flags)?.kind;
    const edit = flags.edit ?? !(flags.message || flags.file || flags.reuse || fixup === "fixup");
    const cleanup = commitCleanup(repo, flags, edit);
    const pathspec = parsePathspec(repo, paths);
    const options: CommitOptions = {
      // A reword commits HEAD's own tree with another message.
      mode: fixup === "reword" ? "only" : mode,
      pathspec,
      amend: flags.amend,
      allowEmpty: flags.allowEmpty || fixup === "reword",
      allowEmptyMessage: flags.allowEmptyMessage,
      edit,
      cleanup,
      signoff: flags.signoff,
      trailers: flags.trailer,
      noVerify: flags.verify === true,
      dryRun: Boolean(flags.dryRun) || format !== "unset",
      ...(await commitMessage(context, repo, flags)),
      ...(await authorOptions(repo, flags)),
    };
    const result = await makeCommit(repo, options).catch((error) => {
      if (error instanceof UnmergedError) for (const path of error.paths) context.out(`U\t${path}\n`);
      throw error;
    });
    if (result.kind === "committed") {
      context.err(await endAutostash(repo, mergeAutostash(repo)));
      if (flags.quiet) return 0;
      const showDate = flags.date !== undefined || options.authorFrom !== undefined || result.picked;
      context.out(await commitSummary(repo, result.oid, result.commit, { ...result, showDate }));
      return 0;
    }
    const isDry = result.kind === "dry-run";
    const committable = await printStatus(context, repo, flags, result, isDry ? format : "long");
    if (!isDry) printWhyEmpty(context, flags, result);
    return isDry && committable ? 0 : 1;
  },
});

function statusFormat(order: readonly { name: string; value: string | boolean }[]): StatusFormat {
  let format: StatusFormat = "unset";
  for (const { name, value } of order) {
    if (name === "short") format = value ? "short" : "unset";
    if (name === "long") format = value ? "long" : "unset";
    if (name === "porcelain") format = value ? "v1" : "unset";
  }
  const nul = order.some(({ name, value }) => name === "nul" && value === true);
  if (nul && format === "long") throw new GitError("EINVAL", "options '--long' and '-z' cannot be used together");
  return nul && format === "unset" ? "v1" : format;
}

function commitCleanup({ config }: Repository, flags: Flags, edit: boolean): Cleanup {
  const text = flags.cleanup || config.get("commit.cleanup") || "default";
  switch (text) {
    case "default":
      return edit ? "strip" : "whitespace";
    case "scissors":
      return edit ? "scissors" : "whitespace";
    case "verbatim":
    case "whitespace":
    case "strip":
      return text;
    default:
      throw new GitError("EINVAL", `Invalid cleanup mode ${text}`);
  }
}

async function commitMessage(context: CommandContext, repo: Repository, flags: Flags): Promise<Partial<CommitOptions>> {
  const { message, file, reuse, reedit, fixup, squash, amend } = flags;
  const options: Partial<CommitOptions> = {};
  if (squash) options.squash = await needCommit(repo, squash);
  if (message)
    options.message = message.map((text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`)).join("\n");
  if (file) options.file = await readLogFile(context, file);
  const from = reuse || reedit;
  if (from) options.from = await needCommit(repo, from);
  else if (amend && !message && !file && !fixup) {
    const head = (await repo.refs.resolve("HEAD"))?.oid;
    if (head) options.from = head;
  }
  const fix = fixupOf(flags);
  if (fix) options.fixup = await needCommit(repo, fix.name);
  if (fix && fix.kind !== "fixup") options.amends = true;
  const template = flags.template || repo.config.get("commit.template");
  if (template) options.template = new TextDecoder().decode(await readLogFile(context, template, ""));
  return options;
}

async function readLogFile(context: CommandContext, path: string, kind = "log file "): Promise<Uint8Array> {
  try {
    return await readInput(context, path);
  } catch (error) {
    const reason = /: ([^:]*)$/.exec((error as Error).message)?.[1] ?? "";
    throw new GitError("ENOTFOUND", `could not read ${kind}'${path}': ${reason}`, { cause: error });
  }
}

async function needCommit(repo: Repository, name: string): Promise<Oid> {
  const oid = await findCommit(repo, name);
  if (oid === null) throw new GitError("ENOTFOUND", `could not lookup commit ${name}`);
  return oid;
}

async function authorOptions(repo: Repository, flags: Flags): Promise<Partial<CommitOptions>> {
  const options: Partial<CommitOptions> = {};
  if (flags.date) options.date = commitDate(repo, flags.date);
  const from = flags.reuse || flags.reedit || (flags.amend ? "HEAD" : undefined);
  if (from && !flags.resetAuthor) {
    const oid = await findCommit(repo, from);
    if (oid !== null) options.authorFrom = oid;
  }
  if (flags.resetAuthor) options.resetAuthor = true;
  if (flags.author) options.author = await findAuthor(repo, flags.author);
  return options;
}

/** Parses an approximate or exact date. */
function commitDate({ host, env }: Repository, text: string): string {
  const time = localTime(host, env);
  if (parseDate(text, time)) return text;
  const { seconds, understood } = approxidate(text, time);
  return understood ? `@${seconds} ${zoneText(time.offset(seconds))}` : text;
}

type Untold = Exclude<CommitResult, { kind: "committed" }>;

/** Whether there is anything to commit. */
async function printStatus(
  context: CommandContext,
  repo: WorkRepository,
  flags: Flags,
  { index }: Untold,
  format: StatusFormat,
): Promise<boolean> {
  const untracked = untrackedMode(repo.config, flags.untracked);
  const head = flags.amend ? await findCommit(repo, "HEAD^1") : undefined;
  const report = await reportOf(repo, index, head, untracked, flags);
  const relative = repo.config.getBool("status.relativepaths") ?? true;
  const nul = flags.nul ?? false;
  const lines = {
    branch: flags.branch ?? false,
    nul,
    relative: format === "short" && relative && !nul,
    color: format === "short",
  };
  if (format === "v2") context.out(porcelainV2(repo, report, lines));
  else if (format === "short" || format === "v1") context.out(shortStatus(repo, report, lines));
  else {
    const amend = flags.amend ? { amend: true, reference: "HEAD^1" } : {};
    context.out(statusText(repo, report, { untracked, ignored: "no", relative, template: true, ...amend }));
  }
  return isCommittable(report);
}

function reportOf(
  repo: WorkRepository,
  index: IndexFile,
  head: Oid | null | undefined,
  untracked: "no" | "normal" | "all",
  flags: Flags,
) {
  return reportStatus(repo, {
    untracked,
    index: columnarIndex(index),
    ...(head === undefined ? {} : { head }),
    renames: renameSettings(repo, {}),
    aheadBehind: flags.aheadBehind,
  });
}

function printWhyEmpty(context: CommandContext, { amend }: Flags, { whence }: Untold): void {
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
