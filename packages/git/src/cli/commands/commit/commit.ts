/** `git commit` */
import { GitError } from "../../../errors.ts";
import type { Oid } from "../../../object/oid.ts";
import { parsePathspec } from "../../../pathspec/pathspec.ts";
import type { CommitOptions } from "../../../porcelain/commit/commit.ts";
import { commitCleanup, commitDate } from "../../../porcelain/commit/commit-settings.ts";
import { findAuthor } from "../../../porcelain/commit/find-author.ts";
import { refuseSigning } from "../../../porcelain/commit/refuse-signing.ts";
import type { Repository } from "../../../repository.ts";
import { findCommit } from "../../../revision/resolve-revision.ts";
import { pathspecArguments, pathspecFlags } from "../../flags/pathspec-arguments.ts";
import type { StatusFormat } from "../../flags/status-settings.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { commitAndPrint, commitTemplate, readLogFile } from "./commit-and-print.ts";
import { checkFixup, checkTogether, commitMode, type CommitFlags as Flags, fixupOf } from "./commit-checks.ts";
import { commitFlags } from "./commit-flags.ts";

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
    const cleanup = commitCleanup(repo.config, flags.cleanup || undefined, edit);
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
    return commitAndPrint(context, repo, options, { ...flags, format });
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
  return { ...options, ...(await commitTemplate(context, repo, flags.template)) };
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
