/** `git pull`: fetches, then merges or rebases onto the heads in FETCH_HEAD. */

import { GitError } from "../../../errors.ts";
import { readColumnarIndex } from "../../../index/read-index.ts";
import type { Oid } from "../../../object/oid.ts";
import { currentBranch } from "../../../porcelain/branch/branch-names.ts";
import { type FetchedHead, readFetchHead } from "../../../porcelain/merge/fetch-head.ts";
import { checkoutUnborn } from "../../../porcelain/merge/merge.ts";
import { refuseUnmerged } from "../../../porcelain/merge/merge-state.ts";
import { fastForwardWorkTree } from "../../../porcelain/pull/fast-forward-work-tree.ts";
import { pullForkPoint, rebaseUpstream } from "../../../porcelain/pull/fork-base.ts";
import { noCandidates } from "../../../porcelain/pull/no-candidates.ts";
import { planPull, refuseMerging } from "../../../porcelain/pull/plan-pull.ts";
import { fastForwardWay, type PullStrategy, rebaseWay } from "../../../porcelain/pull/pull-strategy.ts";
import { requireClean } from "../../../porcelain/pull/require-clean.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import { formatCommandLine } from "../../flags/format-command-line.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { fetchAndPrint } from "../fetch/fetch-and-print.ts";
import { mergeAndPrint } from "../merge/merge-and-print.ts";
import { rebaseAndPrint, rebaseArguments } from "../rebase/rebase-and-print.ts";
import { pullFetchFlags, pullFlags, pullMergeFlags } from "./pull-flags.ts";

type PullArgs = ParsedFlags<typeof pullFlags>;

export const pull = defineCommand({
  name: "pull",
  usage: ["git pull [<options>] [<repository> [<refspec>...]]"],
  flags: pullFlags,
  async run(context, parsed) {
    const opened = await context.workTree();
    const action = ["pull", ...formatCommandLine(pullFlags, parsed)].join(" ").trim();
    // The commands that do the work write this action to the reflogs.
    const env = { GIT_REFLOG_ACTION: action, ...opened.env };
    const repo: WorkRepository = { ...opened, env };
    const inner: CommandContext = { ...context, env, repository: async () => repo, workTree: async () => repo };
    const way = wayOf(repo, parsed, await currentBranch(repo));
    await refuseUnmerged(repo, "Pulling");
    await refuseMerging(repo);
    const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
    const autostash = parsed.flags.autostash ?? (way.rebase ? repo.config.getBool("rebase.autostash") : undefined);
    if (way.rebase && head !== null && !autostash) await requireClean(repo, head, "pull with rebase");
    if (way.rebase && head === null && (await readColumnarIndex(repo)).table.count > 0)
      throw new GitError("ESTATE", "Updating an unborn branch with changes added to the index.");
    const words = [...parsed.args, ...(parsed.afterDashes ?? [])];
    const point = way.rebase && head !== null ? await pullForkPoint(repo, words, head) : null;
    if ((await runFetch(inner, parsed, words)) !== 0) return 1;
    if (parsed.flags.dryRun) return 0;
    const now = head === null ? null : await fastForwardWorkTree((text) => context.err(text), repo, head);
    const heads = await readFetchHead(repo);
    if (heads.length === 0) throw await noCandidates(repo, words, way.rebase !== false);
    const input = autostash === undefined ? parsed : { ...parsed, flags: { ...parsed.flags, autostash } };
    return integrate(inner, repo, input, heads, now, { ...way, point });
  },
});

function wayOf(repo: WorkRepository, { flags, order }: PullArgs, branch: string | null): PullStrategy {
  const rebase = rebaseWay(repo, flags.rebase, branch);
  return { ...rebase, fastForward: fastForwardWay(repo, order, flags.rebase !== undefined) };
}

async function runFetch(context: CommandContext, { flags }: PullArgs, words: readonly string[]): Promise<number> {
  const input = Object.entries(flags).filter(
    ([name]) => name in pullFetchFlags || name === "progress" || name === "verbose",
  );
  const own = { ...Object.fromEntries(input), updateHeadOk: true, ...(flags.quiet ? { quiet: true } : {}) };
  try {
    return await fetchAndPrint(context, { flags: own, args: words, afterDashes: null, order: [] });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const { code, message, prefix, hint } = error;
    throw new GitError(code, message, { exitCode: 1, prefix, cause: error, ...(hint === undefined ? {} : { hint }) });
  }
}

async function integrate(
  context: CommandContext,
  repo: WorkRepository,
  parsed: PullArgs,
  heads: readonly FetchedHead[],
  head: Oid | null,
  { rebase, isUnspecified, fastForward, point }: PullStrategy & { readonly point: Oid | null },
): Promise<number> {
  const first = heads[0] as FetchedHead;
  const plan = await planPull(repo, heads, head, { rebase, isUnspecified, fastForward });
  if (plan === "unborn") {
    await checkoutUnborn(repo, first.oid, "merge");
    return 0;
  }
  if (plan === "unspecified") {
    context.err(DIVERGENT);
    throw new GitError("ESTATE", "Need to specify how to reconcile divergent branches.");
  }
  if (plan === "rebase" && head !== null) {
    const upstream = await rebaseUpstream(repo, head, first.oid, point);
    return runRebase(context, parsed, [...(rebase === "merges" ? ["-r"] : []), "--onto", first.oid, upstream]);
  }
  return runMerge(context, parsed, rebase ? "only" : fastForward);
}

const DIVERGENT = `hint: You have divergent branches and need to specify how to reconcile them.
hint: You can do so by running one of the following commands sometime before
hint: your next pull:
hint: 
hint:   git config pull.rebase false  # merge
hint:   git config pull.rebase true   # rebase
hint:   git config pull.ff only       # fast-forward only
hint: 
hint: You can replace "git config" with "git config --global" to set a default
hint: preference for all repositories. You can also pass --rebase, --no-rebase,
hint: or --ff-only on the command line to override the configured default per
hint: invocation.
`;

async function runMerge(
  context: CommandContext,
  { flags, order }: PullArgs,
  fastForward: PullStrategy["fastForward"],
): Promise<number> {
  const input = Object.entries(flags).filter(([name]) => name in pullMergeFlags);
  const own = {
    ...Object.fromEntries(input),
    ...(flags.quiet === undefined ? {} : { quiet: flags.quiet }),
    ...(flags.verify === false ? { noVerify: true } : {}),
  };
  const words = order.filter(({ name }) => name in pullMergeFlags && name !== "ff" && name !== "ffOnly");
  const forward = { name: fastForward === "only" ? "ffOnly" : "ff", value: fastForward !== "never", at: 0 };
  const mergeOrder = [...words, ...(fastForward === null ? [] : [forward])] as never;
  return mergeAndPrint(context, { flags: own, args: ["FETCH_HEAD"], afterDashes: null, order: mergeOrder });
}

async function runRebase(context: CommandContext, { flags }: PullArgs, ends: readonly string[]): Promise<number> {
  const words = [
    ...(flags.quiet ? ["-q"] : []),
    ...(flags.verify === false ? ["--no-verify"] : []),
    ...(flags.autostash === undefined ? [] : [flags.autostash ? "--autostash" : "--no-autostash"]),
    ...(flags.strategy ?? []).map((name) => `--strategy=${name}`),
    ...(flags.strategyOption ?? []).map((option) => `--strategy-option=${option}`),
    ...ends,
  ];
  return rebaseAndPrint(context, parseFlags(rebaseArguments, words));
}
