/**
 * Merges histories into the current branch: already up to date, a fast-forward, or a merge by a strategy. All rejections come
 * before any change; a merge that cannot be finished leaves the same state as git, to be continued or aborted.
 */

import { GitError } from "../../errors.ts";
import { readIndex } from "../../index/read-index.ts";
import type { StrategyOptions } from "../../merge/merge-context.ts";
import type { Oid } from "../../object/oid.ts";
import { parseTag } from "../../object/tag.ts";
import { checkHooks, printSkippedHooks } from "../../repository/hooks.ts";
import { authorIdentity, committerIdentity, reflogIdentity } from "../../repository/identity.ts";
import { independentCommits, isAncestor, mergeBases, octopusMergeBases } from "../../revision/merge-base.ts";
import { encode } from "../../text/bytes.ts";
import { applyMerge, refuseStaged } from "../../worktree/apply-merge.ts";
import { switchTree } from "../../worktree/switch-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { removeBranchState, treeOfCommit } from "../checkout/switch-branch.ts";
import { type Cleanup, cleanMessage, signOff } from "../commit/commit-message.ts";
import { refuseSigning, type SigningFlag } from "../commit/refuse-signing.ts";
import { writeCommit } from "../commit/write-commit.ts";
import type { MergeHead } from "./merge-message.ts";
import { conflictsHint, writeMergeState } from "./merge-state.ts";
import { resetMerge } from "./reset-merge.ts";
import { runStrategy, type StrategyName } from "./run-strategy.ts";
import { squashMessage } from "./squash-message.ts";

export interface MergeOptions extends StrategyOptions {
  /** Called once it is certain that something will change. */
  readonly beforeChange?: () => Promise<void>;
  readonly strategies?: readonly StrategyName[];
  /** Configured strategies, for one head and for several. */
  readonly byDefault?: { readonly one: readonly StrategyName[]; readonly many: readonly StrategyName[] };
  readonly fastForward?: "allow" | "only" | "never";
  readonly squash?: boolean;
  readonly commit?: boolean;
  /** Called only if a commit is made; returns no trailing newline. */
  readonly message: (heads: readonly MergeHead[]) => Promise<string>;
  /** A fast-forward reports that the given message was not used. */
  readonly hasMessage?: boolean;
  readonly cleanup?: Cleanup;
  readonly signoff?: boolean;
  readonly noVerify?: boolean;
  readonly sign?: SigningFlag;
  readonly allowUnrelated?: boolean;
  readonly overwriteIgnored?: boolean;
  /** "merge topic", "pull"; a function receives the heads that are actually merged. */
  readonly reflogAction: string | ((heads: readonly MergeHead[]) => string);
}

export type MergeResult =
  | { readonly kind: "up-to-date" }
  /** HEAD was unborn. */
  | { readonly kind: "born"; readonly to: Oid }
  | {
      readonly kind: "fast-forward";
      readonly from: Oid;
      readonly to: Oid;
      readonly said: string;
      readonly squashed: boolean;
    }
  | { readonly kind: "merged"; readonly from: Oid; readonly to: Oid; readonly said: string; readonly output: string }
  /** Stopped as requested before the commit, or by conflicts. */
  | { readonly kind: "stopped" | "conflict"; readonly output: string; readonly squashed: boolean }
  /** No strategy succeeded; nothing changed. */
  | { readonly kind: "failed"; readonly output: string; readonly errors: string };

export async function merge(
  repo: WorkRepository,
  input: readonly MergeHead[],
  requested: MergeOptions,
): Promise<MergeResult> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (head === null) return mergeIntoNothing(repo, input, requested);
  const heads = await reduceHeads(repo, head, input);
  const oids = heads.map(({ oid }) => oid);
  const strategies = chosenStrategies(requested, oids.length);
  // The "ours" strategy never fast-forwards; nor does a tag whose message would be lost.
  const commits =
    strategies.includes("ours") || (requested.fastForward !== "only" && (await hasUnstoredTag(repo, heads)));
  const options: SettledOptions = {
    ...requested,
    ...(commits ? { fastForward: "never" as const } : {}),
    reflogAction: typeof requested.reflogAction === "string" ? requested.reflogAction : requested.reflogAction(heads),
  };
  const { fastForward = "allow", squash = false } = options;
  const bases = oids.length === 1 ? await mergeBases(repo, head, oids) : await octopusMergeBases(repo, [head, ...oids]);
  await repo.refs.update([{ name: "ORIG_HEAD", to: head, noDeref: true }], reflogIdentity(repo));
  const [only] = oids;
  if (only === undefined) return upToDate(repo);
  if (bases.length === 0 && !options.allowUnrelated)
    throw new GitError("ESTATE", "refusing to merge unrelated histories");
  if (oids.length === 1 && bases.length === 1 && bases[0] === only) return upToDate(repo);
  if (fastForward !== "never" && oids.length === 1 && bases.length === 1 && bases[0] === head)
    return fastForwardTo(repo, head, heads, options);
  if (oids.length > 1 && (await allReached(repo, head, oids))) return upToDate(repo);
  if (fastForward === "only") throw new GitError("ESTATE", "Not possible to fast-forward, aborting.");

  committerIdentity(repo);
  await options.beforeChange?.();
  await refuseIntended(repo);
  const tree = await treeOfCommit(repo, head);
  let output = "";
  let errors = "";
  let isStaged = true;
  for (const [i, strategy] of strategies.entries()) {
    isStaged = true;
    if (i > 0) output += "Rewinding the tree to pristine...\n";
    if (strategies.length > 1) output += `Trying merge strategy ${strategy}...\n`;
    try {
      await refuseStaged(repo, tree);
      isStaged = false;
      const created = await runStrategy(repo, strategy, { head, heads, bases }, options);
      output += created.output;
      if (created.merged === null && /^(?:ort|recursive)$/.test(strategy))
        errors += "error: Not handling anything other than two heads merge.\n";
      if (created.merged === null) continue;
      const isCommitted = created.merged.clean && options.commit !== false && !squash;
      if (isCommitted) await checkHooks(repo, "merge", { noVerify: options.noVerify });
      await applyMerge(repo, tree, created.merged, { overwriteIgnored: options.overwriteIgnored });
      if (created.merged.messages.length > 0) output += `${created.merged.messages.join("\n")}\n`;
      if (isCommitted) return await finish(repo, head, heads, created.merged.tree, strategy, output, options);
      await leave(repo, head, heads, options, created.merged.clean);
      return { kind: created.merged.clean ? "stopped" : "conflict", output, squashed: squash };
    } catch (error) {
      if (!(error instanceof GitError) || error.code !== "ESTATE") throw error;
      // With staged changes, "ours" prints no reason.
      if (strategy !== "ours" || !isStaged) errors += `error: ${error.message}\n${error.hint ?? ""}`;
    }
  }
  // git restores staged changes by a reset, which appears in its reflog.
  if (isStaged) {
    const message = `${options.reflogAction}: updating HEAD`;
    await repo.refs.update([{ name: "HEAD", to: head, message }], reflogIdentity(repo));
  }
  errors +=
    strategies.length > 1 ? "No merge strategy handled the merge.\n" : `Merge with strategy ${strategies[0]} failed.\n`;
  return { kind: "failed", output, errors };
}

/** git stashes the work before it tries a strategy, and a stash cannot hold an `add -N` entry. */
async function refuseIntended(repo: WorkRepository): Promise<void> {
  const intended = (await readIndex(repo)).entries.find(({ intentToAdd }) => intentToAdd);
  if (intended === undefined) return;
  const text = `error: Entry '${intended.path}' not uptodate. Cannot merge.\nCannot save the current worktree state\n`;
  throw new GitError("ESTATE", `${text}fatal: stash failed`, { prefix: "" });
}

type SettledOptions = MergeOptions & { readonly reflogAction: string };

/** True for an annotated tag that is not stored under its own name here. */
async function hasUnstoredTag(repo: WorkRepository, heads: readonly MergeHead[]): Promise<boolean> {
  for (const { tag } of heads) {
    if (tag === undefined) continue;
    const own = `refs/tags/${parseTag((await repo.odb.need(tag, "tag")).body).tag}`;
    if ((await repo.refs.resolve(own))?.oid !== tag) return true;
  }
  return false;
}

function chosenStrategies({ strategies, byDefault }: MergeOptions, heads: number): readonly StrategyName[] {
  if (strategies?.length) return strategies;
  const configured = heads > 1 ? byDefault?.many : byDefault?.one;
  return configured?.length ? configured : [heads > 1 ? "octopus" : "ort"];
}

async function upToDate(repo: WorkRepository): Promise<MergeResult> {
  await removeBranchState(repo);
  return { kind: "up-to-date" };
}

async function mergeIntoNothing(
  repo: WorkRepository,
  heads: readonly MergeHead[],
  { squash, fastForward }: MergeOptions,
): Promise<MergeResult> {
  if (squash) throw new GitError("EINVAL", "Squash commit into empty head not supported yet");
  if (fastForward === "never")
    throw new GitError("EINVAL", "Non-fast-forward commit does not make sense into an empty head");
  const retained = new Set(
    await independentCommits(
      repo,
      heads.map(({ oid }) => oid),
    ),
  );
  const [head, ...others] = heads.filter(({ oid }) => retained.has(oid));
  if (head === undefined) throw new GitError("EINVAL", "nothing to merge");
  if (others.length > 0) throw new GitError("EINVAL", "Can merge only exactly one commit into empty head");
  await checkoutUnborn(repo, head.oid, "plumbing").catch((error: unknown) => {
    if (!(error instanceof GitError) || error.code !== "ESTATE") throw error;
    const hint = "fatal: read-tree failed\n";
    throw new GitError("ESTATE", error.message, { prefix: "error", exitCode: 128, hint, cause: error });
  });
  return { kind: "born", to: head.oid };
}

/** Checks out files and sets HEAD on an unborn branch. */
export async function checkoutUnborn(repo: WorkRepository, oid: Oid, verb: "merge" | "plumbing"): Promise<void> {
  await switchTree(repo, null, await treeOfCommit(repo, oid), { verb });
  await repo.refs.update([{ name: "HEAD", to: oid, message: "initial pull" }], reflogIdentity(repo));
}

/** Drops heads that HEAD or another head reaches. */
async function reduceHeads(
  repo: WorkRepository,
  head: Oid,
  input: readonly MergeHead[],
): Promise<readonly MergeHead[]> {
  const retained = new Set(await independentCommits(repo, [head, ...input.map(({ oid }) => oid)]));
  const seen = new Set<Oid>();
  return input.filter(({ oid }) => {
    if (!retained.has(oid) || oid === head || seen.has(oid)) return false;
    seen.add(oid);
    return true;
  });
}

async function allReached(repo: WorkRepository, head: Oid, oids: readonly Oid[]): Promise<boolean> {
  for (const oid of oids) if (!(await isAncestor(repo, oid, head))) return false;
  return true;
}

async function fastForwardTo(
  repo: WorkRepository,
  head: Oid,
  heads: readonly MergeHead[],
  { squash, hasMessage, reflogAction, overwriteIgnored = true, beforeChange }: SettledOptions,
): Promise<MergeResult> {
  await beforeChange?.();
  const { oid } = heads[0] as MergeHead;
  const said = hasMessage ? "Fast-forward (no commit created; -m option ignored)" : "Fast-forward";
  try {
    await switchTree(repo, await treeOfCommit(repo, head), await treeOfCommit(repo, oid), {
      verb: "merge",
      overwriteIgnored,
    });
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== "ESTATE") throw error;
    throw new ForwardRefused(error, head, oid);
  }
  if (squash) await repo.fs.writeFile(`${repo.gitDir}/SQUASH_MSG`, encode(await squashMessage(repo, head, [oid])));
  else {
    await repo.refs.update(
      [{ name: "HEAD", to: oid, from: head, message: `${reflogAction}: ${said}` }],
      reflogIdentity(repo),
    );
  }
  if (!squash) await removeBranchState(repo);
  await printSkippedHooks(repo, "fast-forward");
  return { kind: "fast-forward", from: head, to: oid, said, squashed: squash ?? false };
}

/** git prints the range before it finds that it cannot fast-forward. */
export class ForwardRefused extends GitError {
  constructor(
    { message, hint }: GitError,
    readonly from: Oid,
    readonly to: Oid,
  ) {
    super("ESTATE", message, { prefix: "error", exitCode: 1, ...(hint === undefined ? {} : { hint }) });
  }
}

async function finish(
  repo: WorkRepository,
  head: Oid,
  heads: readonly MergeHead[],
  tree: Oid,
  strategy: string,
  output: string,
  options: SettledOptions,
): Promise<MergeResult> {
  const text = await options.message(heads);
  await writeMergeState(repo, {
    heads: heads.map(({ oid }) => oid),
    noFastForward: options.fastForward === "never",
    message: text,
  });
  refuseSigning(repo, options.sign);
  const author = authorIdentity(repo);
  const committer = committerIdentity(repo);
  const signed = options.signoff ? signOff(`${text}\n`, `${committer.name} <${committer.email}>`) : `${text}\n`;
  const message = cleanMessage(signed, options.cleanup ?? "whitespace", repo.config.get("core.commentchar") ?? "#");
  if (message === "") {
    const hint = "Not committing merge; use 'git commit' to complete the merge.\n";
    throw new GitError("EINVAL", "Empty commit message.", { prefix: "error", exitCode: 1, hint });
  }
  const isReached = options.fastForward !== "never" && (await isAnyAncestor(repo, head, heads));
  const parents = [...(isReached ? [] : [head]), ...heads.map(({ oid }) => oid)];
  const { oid } = await writeCommit(repo, { tree, parents, author, committer, message });
  const said = `Merge made by the '${strategy}' strategy.`;
  await repo.refs.update(
    [{ name: "HEAD", to: oid, from: head, message: `${options.reflogAction}: ${said}` }],
    reflogIdentity(repo),
  );
  await removeBranchState(repo);
  await printSkippedHooks(repo, "merge");
  return { kind: "merged", from: head, to: oid, said, output };
}

async function isAnyAncestor(repo: WorkRepository, head: Oid, heads: readonly MergeHead[]): Promise<boolean> {
  if (heads.length < 2) return false;
  for (const { oid } of heads) if (await isAncestor(repo, head, oid)) return true;
  return false;
}

/** Writes the state needed to finish by hand. */
async function leave(
  repo: WorkRepository,
  head: Oid,
  heads: readonly MergeHead[],
  { squash, message, fastForward }: MergeOptions,
  clean: boolean,
): Promise<void> {
  const oids = heads.map(({ oid }) => oid);
  if (squash) await repo.fs.writeFile(`${repo.gitDir}/SQUASH_MSG`, encode(await squashMessage(repo, head, oids)));
  else
    await writeMergeState(repo, { heads: oids, noFastForward: fastForward === "never", message: await message(heads) });
  if (clean) return;
  const before = await repo.fs.readFile(`${repo.gitDir}/MERGE_MSG`, "utf8").catch(() => "");
  await repo.fs.writeFile(`${repo.gitDir}/MERGE_MSG`, encode(before + (await conflictsHint(repo))));
}

/** Restores the state before the merge; keeps local changes that the merge did not touch. */
export async function abortMerge(repo: WorkRepository): Promise<void> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (head !== null) {
    await resetMerge(repo, await treeOfCommit(repo, head));
    const updates = [
      { name: "HEAD", to: head, message: "reset: moving to HEAD" },
      { name: "ORIG_HEAD", to: head, noDeref: true },
    ];
    await repo.refs.update(updates, reflogIdentity(repo));
  }
  await removeBranchState(repo);
}
