/** Merges, or finishes a merge, and prints how it ended. `pull` ends with it. */

import { GitError } from "../../../errors.ts";
import { autostashCreatedText, autostashEndText } from "../../../format/autostash-text.ts";
import type { Oid } from "../../../object/oid.ts";
import { currentBranch } from "../../../porcelain/branch/branch-names.ts";
import { removeBranchState } from "../../../porcelain/checkout/switch-branch.ts";
import { refuseSigning } from "../../../porcelain/commit/refuse-signing.ts";
import { composeMessage } from "../../../porcelain/merge/compose-message.ts";
import { type FetchedHead, independentHeads, readFetchHead } from "../../../porcelain/merge/fetch-head.ts";
import { abortMerge, ForwardRefused, type MergeOptions, merge as mergeHeads } from "../../../porcelain/merge/merge.ts";
import type { MergeHead } from "../../../porcelain/merge/merge-message.ts";
import { fastForwardOf, mergeCleanup, mergeLogLimit, strategiesOf } from "../../../porcelain/merge/merge-settings.ts";
import { readMergeHeads, refuseUnconcluded, refuseUnmerged } from "../../../porcelain/merge/merge-state.ts";
import { strategyOptions } from "../../../porcelain/merge/strategy-options.ts";
import { createAutostash, endAutostash, mergeAutostash } from "../../../porcelain/stash/autostash.ts";
import { configuredEditor, isNoOpEditor } from "../../../repository/editor.ts";
import { upstreamRef } from "../../../revision/branch-mark.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { peelTo } from "../../../revision/peel.ts";
import { absolutePath } from "../../../text/absolute-path.ts";
import { decode } from "../../../text/bytes.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { usageText } from "../../framework/usage-text.ts";
import { commitIndex } from "../commit/commit-and-print.ts";
import { mergeFlags } from "./merge-flags.ts";
import { showStat } from "./show-stat.ts";

type MergeArgs = ParsedFlags<typeof mergeFlags>;

/** The argument table of merge, for `merge` and `pull`. */
export const mergeArguments = {
  usage: ["git merge [<options>] [<commit>...]", "git merge --abort", "git merge --continue"],
  flags: mergeFlags,
};

/** Returns the exit code. */
export async function mergeAndPrint(context: CommandContext, input: ParsedFlags<typeof mergeFlags>): Promise<number> {
  const repo = await context.workTree();
  const parsed = await withMergeOptions(repo, input);
  const { flags, args, afterDashes } = parsed;
  for (const action of ["abort", "quit", "continue"] as const) {
    if (!flags[action]) continue;
    if (input.order.length + args.length + (afterDashes?.length ?? 0) > 1)
      throw new GitError("EUSAGE", `--${action} expects no arguments\n`, {
        prefix: "fatal",
        hint: usageText(mergeArguments),
      });
    return finishMerge(context, repo, action);
  }
  await refuseUnmerged(repo, "Merging");
  await refuseUnconcluded(repo);
  const names = [...args, ...(afterDashes ?? [])];
  const fetched =
    names.length === 1 && names[0] === "FETCH_HEAD" ? await independentHeads(repo, await readFetchHead(repo)) : null;
  const heads =
    fetched?.map(({ oid, tag }) => ({ oid, name: tag ?? oid, ...(tag ? { tag } : {}) })) ??
    (await resolveMergeHeads(context, repo, names.length > 0 ? names : [await defaultHead(repo)]));
  const head = (await repo.refs.resolve("HEAD"))?.oid;
  if (heads.length === 0 && !head) throw new GitError("EINVAL", `${names[0]} - not something we can merge`);
  const quiet = (flags.quiet ?? 0) > 0;
  const options = await mergeOptions(context, repo, parsed, fetched ?? []);
  const autostash = flags.autostash ?? repo.config.getBool("merge.autostash") ?? false;
  return print(context, repo, heads, options, { quiet, stat: !quiet && stats(repo, parsed), autostash });
}

/** Options from `branch.<name>.mergeOptions` precede the typed ones. */
async function withMergeOptions(repo: WorkRepository, input: MergeArgs): Promise<MergeArgs> {
  const branch = await currentBranch(repo);
  const words = branch === null ? undefined : repo.config.get(`branch.${branch}.mergeoptions`);
  if (words === undefined) return input;
  const { flags, order } = parseFlags(mergeArguments, words.split(/\s+/).filter(Boolean));
  return { ...input, flags: { ...flags, ...input.flags }, order: [...order, ...input.order] };
}

async function finishMerge(
  context: CommandContext,
  repo: WorkRepository,
  action: "abort" | "quit" | "continue",
): Promise<number> {
  if (action === "quit") {
    context.err(autostashEndText(await endAutostash(repo, mergeAutostash(repo), true)));
    await removeBranchState(repo);
    return 0;
  }
  if ((await readMergeHeads(repo)).length === 0) {
    const what = action === "abort" ? "There is no merge to abort" : "There is no merge in progress";
    throw new GitError("ESTATE", `${what} (MERGE_HEAD missing).`);
  }
  if (action === "abort") {
    await abortMerge(repo);
    context.err(autostashEndText(await endAutostash(repo, mergeAutostash(repo))));
    return 0;
  }
  return commitIndex(context, repo);
}

function stats({ config }: WorkRepository, { order }: MergeArgs): boolean {
  let displayed = config.getBool("merge.stat") ?? config.getBool("merge.diffstat") ?? true;
  for (const { name, value } of order) {
    if (name === "noStat") displayed = value !== true;
    if (name === "stat" || name === "summary") displayed = value === true;
  }
  return displayed;
}

async function print(
  context: CommandContext,
  repo: WorkRepository,
  heads: readonly MergeHead[],
  options: MergeOptions,
  { quiet, stat, autostash }: { quiet: boolean; stat: boolean; autostash: boolean },
): Promise<number> {
  let saved = "";
  const beforeChange = async () => {
    if (autostash) saved = await autostashCreatedText(repo, await createAutostash(repo, mergeAutostash(repo)));
  };
  const comeBack = async () => context.err(autostashEndText(await endAutostash(repo, mergeAutostash(repo))));
  const say = (text: string) => {
    if (!quiet) context.out(text);
  };
  const range = async (from: Oid, to: Oid) =>
    say(`Updating ${await repo.odb.abbreviate(from)}..${await repo.odb.abbreviate(to)}\n`);
  const result = await mergeHeads(repo, heads, { ...options, beforeChange }).catch(async (error) => {
    if (error instanceof ForwardRefused) await range(error.from, error.to);
    context.out(saved);
    await comeBack();
    throw error;
  });
  switch (result.kind) {
    case "up-to-date":
      say(options.squash ? "Already up to date. (nothing to squash)\n" : "Already up to date.\n");
      return 0;
    case "born":
      return 0;
    case "fast-forward":
      await range(result.from, result.to);
      context.out(saved);
      say(`${result.said}\n`);
      if (result.squashed) context.out(SQUASHED);
      if (stat) await showStat(context, repo, result.from, result.to);
      await comeBack();
      return 0;
    case "merged":
      context.out(saved + result.output);
      say(`${result.said}\n`);
      if (stat) await showStat(context, repo, result.from, result.to);
      await comeBack();
      return 0;
    case "stopped":
      context.out(saved + result.output);
      if (result.squashed) context.out(SQUASHED);
      context.err("Automatic merge went well; stopped before committing as requested\n");
      if (saved !== "") context.out(WHEN_FINISHED);
      return 0;
    case "conflict":
      context.out(saved + result.output);
      if (result.squashed) context.out(SQUASHED);
      context.out("Automatic merge failed; fix conflicts and then commit the result.\n");
      if (saved !== "") context.out(WHEN_FINISHED);
      return 1;
    case "failed":
      context.out(saved + result.output);
      context.err(result.errors);
      await comeBack();
      return 2;
    default:
      return result satisfies never;
  }
}

const WHEN_FINISHED = "When finished, apply stashed changes with `git stash pop`\n";
const SQUASHED = "Squash commit -- not updating HEAD\n";

async function resolveMergeHeads(
  context: CommandContext,
  repo: WorkRepository,
  names: readonly string[],
): Promise<MergeHead[]> {
  const heads: MergeHead[] = [];
  for (const name of names) {
    const found = await findRevision(repo, name, { wanted: "committish" });
    const oid = found && (await peelTo(repo, found.oid, "commit"));
    if (!oid) {
      const others = (await repo.refs.list("refs/remotes/"))
        .map((ref) => ref.name.slice("refs/remotes/".length))
        .filter((ref) => ref.endsWith(`/${name}`));
      const title = others.length === 1 ? "Did you mean this?" : "Did you mean one of these?";
      const hint = others.length === 0 ? "" : `\n${title}\n${others.map((ref) => `\t${ref}\n`).join("")}`;
      context.err(`merge: ${name} - not something we can merge\n${hint}`);
      throw new GitError("ENOTFOUND", "", { prefix: "", exitCode: 1 });
    }
    const isTag = (await repo.odb.header(found.oid))?.type === "tag";
    heads.push({ oid, name, ...(isTag ? { tag: found.oid } : {}) });
  }
  return heads;
}

async function defaultHead(repo: WorkRepository): Promise<string> {
  const head = await repo.refs.read("HEAD");
  if (repo.config.getBool("merge.defaulttoupstream") === false)
    throw new GitError("EINVAL", "No commit specified and merge.defaultToUpstream not set.");
  if (head?.kind !== "symbolic") throw new GitError("EINVAL", "No current branch.");
  const branch = head.target.slice("refs/heads/".length);
  if (repo.config.get(`branch.${branch}.remote`) === undefined)
    throw new GitError("EINVAL", "No remote for the current branch.");
  if (repo.config.get(`branch.${branch}.merge`) === undefined)
    throw new GitError("EINVAL", "No default upstream defined for the current branch.");
  return upstreamRef(repo, branch);
}

async function mergeOptions(
  context: CommandContext,
  repo: WorkRepository,
  { flags, order }: MergeArgs,
  fetched: readonly FetchedHead[],
): Promise<MergeOptions> {
  if (flags.gpgSign) refuseSigning(repo, flags.gpgSign);
  if (flags.verifySignatures) throw new GitError("EUNSUPPORTED", "signatures are not verified here");
  const fastForward = fastForwardOf(repo, order);
  const squash = flags.squash ?? false;
  if (squash && fastForward === "never")
    throw new GitError("EINVAL", "options '--squash' and '--no-ff.' cannot be used together");
  if (squash && flags.commit)
    throw new GitError("EINVAL", "options '--squash' and '--commit.' cannot be used together");
  const input = await inputMessage(context, order);
  if (flags.edit && !isNoOpEditor(repo)) {
    const hint = "Not committing merge; use 'git commit' to complete the merge.\n";
    const wayOut = "an editor is not started here; give the message with -m or -F, or use --no-edit";
    const reason = configuredEditor(repo) === "" ? "Terminal is dumb, but EDITOR unset" : wayOut;
    throw new GitError("EUNSUPPORTED", reason, { prefix: "error", exitCode: 1, hint });
  }
  const strategies = strategiesOf(repo, flags);
  const log =
    flags.log === true
      ? 20
      : typeof flags.log === "string"
        ? Number(flags.log)
        : flags.log === false
          ? 0
          : mergeLogLimit(repo);
  return {
    ...strategyOptions(repo, flags.strategyOption),
    ...strategies,
    fastForward,
    squash,
    commit: flags.commit,
    hasMessage: input !== undefined,
    cleanup: mergeCleanup(flags),
    signoff: flags.signoff,
    noVerify: flags.noVerify,
    sign: flags.gpgSign,
    allowUnrelated: flags.allowUnrelated,
    overwriteIgnored: flags.overwriteIgnore,
    reflogAction: repo.env.GIT_REFLOG_ACTION ?? ((merged) => ["merge", ...merged.map(({ name }) => name)].join(" ")),
    message: (merged) =>
      composeMessage(repo, merged, { input, log, fetched, ...(flags.intoName ? { into: flags.intoName } : {}) }),
  };
}

/** Joins every `-m` and `-F` in order. */
async function inputMessage(context: CommandContext, order: MergeArgs["order"]): Promise<string | undefined> {
  let text: string | undefined;
  for (const { name, value } of order) {
    if (typeof value !== "string") continue;
    if (name === "message") text = text ? `${text}\n\n${value}` : value;
    else if (name === "file") text = `${text ? `${text}\n` : ""}${await readMessage(context, value)}`;
  }
  return text?.replace(/\n$/, () => "");
}

async function readMessage({ host, cwd }: CommandContext, file: string): Promise<string> {
  try {
    return decode(await host.fs.readFile(absolutePath(file, cwd)));
  } catch (cause) {
    throw new GitError("EUSAGE", `could not read file '${file}'`, { cause });
  }
}
