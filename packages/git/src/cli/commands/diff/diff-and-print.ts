/** All forms of `git diff`: chooses what to compare, and prints it. */
import { createConfig } from "../../../config/create-config.ts";
import type { GitConfig } from "../../../config/git-config.ts";
import { loadConfig } from "../../../config/load-config.ts";
import type { CombinedPath } from "../../../diff/diff-combined.ts";
import { diffDefaults } from "../../../diff/diff-options.ts";
import { pathPairs } from "../../../diff/diff-paths.ts";
import { GitError } from "../../../errors.ts";
import { defaultGitLimits } from "../../../limits.ts";
import { MODE_EXECUTABLE, MODE_FILE, MODE_SYMLINK } from "../../../object/file-mode.ts";
import { writeCombined } from "../../../patch/patch-combined.ts";
import { type Comparison, compare } from "../../../porcelain/diff/compare.ts";
import { diffTreePair, oneEnd } from "../../../porcelain/diff/diff-ends.ts";
import type { NamedBlob, NamedTree } from "../../../porcelain/diff/named-ends.ts";
import type { Repository } from "../../../repository.ts";
import { readDiffArguments } from "../../flags/diff-arguments.ts";
import { diffFlags } from "../../flags/diff-flags.ts";
import { type ReadDiffOptions, readDiffOptions } from "../../flags/read-diff-options.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { usageText } from "../../framework/usage-text.ts";
import { openOutput, showCombined, showDiff } from "./show-diff.ts";

const flags = {
  ...diffFlags,
  cached: { long: "--cached", help: "compare what is staged", noNegation: true },
  staged: { long: "--staged", help: "synonym for --cached", noNegation: true },
  noIndex: { long: "--no-index", help: "compare two paths on the file system", noNegation: true },
  mergeBase: { long: "--merge-base", help: "compare with the merge base", noNegation: true },
  base: { long: "--base", short: "-1", help: "compare with the base of a conflict", noNegation: true },
  ours: { long: "--ours", short: "-2", help: "compare with our side of a conflict", noNegation: true },
  theirs: {
    long: "--theirs",
    short: "-3",

    help: "compare with their side of a conflict",
    noNegation: true,
  },
  recursive: { short: "-r", help: "go into sub-trees (always done)", hidden: true },
  showTrees: { short: "-t", help: "show trees in raw output", hidden: true },
  unmergedOnly: { short: "-0", help: "only tell which paths are unmerged" },
  combined: { short: "-c", help: "show a combined diff for merges" },
  cc: { long: "--cc", help: "show a dense combined diff for merges", noNegation: true },
  combinedAllPaths: {
    long: "--combined-all-paths",

    help: "show names in all parents",
    noNegation: true,
  },
} as const;

type DiffArgs = ParsedFlags<typeof flags>;

/** The argument table of `diff`, `stash show` and `status -v`. */
export const diffArguments = {
  usage: [
    "git diff [<options>] [<commit>] [--] [<path>...]",
    "git diff [<options>] --cached [--merge-base] [<commit>] [--] [<path>...]",
    "git diff [<options>] [--merge-base] <commit> [<commit>...] <commit> [--] [<path>...]",
    "git diff [<options>] <commit>...<commit> [--] [<path>...]",
    "git diff [<options>] <blob> <blob>",
    "git diff [<options>] --no-index [--] <path> <path>",
  ],
  flags,
  noAbbrev: true,
  keepUnknownOptions: true,
} as const;

/** Returns the exit code. */
export async function diffAndPrint(context: CommandContext, parsed: DiffArgs): Promise<number> {
  const repo = parsed.flags.noIndex ? null : await repositoryOrNull(context, parsed);
  if (repo === null) return diffPaths(context, parsed);
  const { combinedAllPaths, combined, cc } = parsed.flags as { [name: string]: unknown };
  if (combinedAllPaths && !combined && !cc)
    throw new GitError("EINVAL", "--combined-all-paths makes no sense without -c or --cc");
  const options = await readOptions(context, repo, repo.config, parsed);
  options.showTrees = parsed.flags.showTrees === true;
  const unknown = parsed.args.filter((word) => word.startsWith("-") && word !== "-");
  const known = { ...parsed, args: parsed.args.filter((word) => !unknown.includes(word)) };
  const { trees, blobs, pathspec, symmetric } = await readDiffArguments(context, repo, known);
  options.pathspec = pathspec;
  const isCached = parsed.flags.cached || parsed.flags.staged;
  if (!isSensible(trees, symmetric, parsed)) throw usage();
  if (parsed.flags.mergeBase && trees.length === 0 && !isCached) unknown.push("--merge-base");
  const { base, ours, theirs, unmergedOnly } = parsed.flags;
  // These flags select stages of the index, which only a comparison with the work tree uses.
  if ((base || ours || theirs || unmergedOnly) && (trees.length > 0 || blobs.length > 0 || isCached)) throw usage();
  if (unknown.length > 0) {
    if (trees.length > 0 || blobs.length > 0 || isCached) throw usage();
    context.err(`error: invalid option: ${unknown[0]}\n`);
    return 255;
  }
  if (blobs.length > 0) return diffBlobs(context, repo, options, trees, blobs);
  if (isCached) return diffCached(context, repo, options, trees, parsed);
  if (trees.length === 0) return diffWorktree(context, await context.workTree(), options, parsed);
  if (trees.length === 1) {
    const work = await context.workTree();
    const tree = await oneEnd(work, trees[0] as NamedTree, parsed);
    return showComparison(context, work, await compare(work, { kind: "worktree", tree }, options), options);
  }
  if (trees.length > 2) return diffMany(context, repo, options, trees);
  const [from, to] = await diffTreePair(repo, trees as [NamedTree, NamedTree], parsed);
  return showComparison(context, repo, await compare(repo, { kind: "trees", from, to }, options), options);
}

/** One commit or two, a single range, a merge's `^!`, or several commits without exclusions. */
function isSensible(trees: readonly NamedTree[], symmetric: boolean, { flags: input }: DiffArgs): boolean {
  const excluded = trees.filter(({ uninteresting }) => uninteresting).length;
  if (trees.length <= 2) return true;
  if (symmetric || input.mergeBase) return false;
  return excluded === 0 || excluded === trees.length - 1;
}

function usage(): GitError {
  return new GitError("EUSAGE", "", { prefix: "", hint: usageText(diffArguments) });
}

function pathsUsage(): GitError {
  const hint = usageText({ ...diffArguments, usage: ["git diff --no-index [<options>] <path> <path>"] });
  return new GitError("EUSAGE", "", { prefix: "", hint });
}

/** Outside a repository, compares two paths directly. */
async function repositoryOrNull(context: CommandContext, parsed: DiffArgs): Promise<Repository | null> {
  try {
    const repo = await context.repository();
    return (await arePathsOutside(repo, context, parsed)) ? null : repo;
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== "ENOREPO") throw error;
    const paths = [...parsed.args, ...(parsed.afterDashes ?? [])];
    if (paths.length === 2) return null;
    context.err("warning: Not a git repository. Use --no-index to compare two paths outside a working tree\n");
    throw pathsUsage();
  }
}

/** If one of the two paths is outside the work tree, no repository is needed either. */
async function arePathsOutside({ workTree }: Repository, context: CommandContext, parsed: DiffArgs): Promise<boolean> {
  const paths = [...parsed.args, ...(parsed.afterDashes ?? [])];
  if (paths.length !== 2 || workTree === null) return false;
  const isOutside = (path: string) => {
    if (!path.startsWith("/") && !path.startsWith("..")) return false;
    const names: string[] = [];
    for (const name of `${path.startsWith("/") ? "" : `${context.cwd}/`}${path}`.split("/")) {
      if (name === "..") names.pop();
      else if (name !== "" && name !== ".") names.push(name);
    }
    return !`/${names.join("/")}/`.startsWith(`${workTree}/`);
  };
  return paths.some(isOutside);
}

async function readOptions(
  context: CommandContext,
  repo: Repository | null,
  config: GitConfig,
  parsed: DiffArgs,
): Promise<ReadDiffOptions> {
  const base = diffDefaults(config);
  if (repo && config.getBool("diff.relative")) base.relative = repo.prefix || null;
  const options = await readDiffOptions(context, repo, config, parsed, base);
  if (options.formats.size === 0) options.formats.add("patch");
  if (parsed.flags.combined) options.combined = "combined";
  if (parsed.flags.cc) options.combined = "dense";
  options.combinedAllPaths = parsed.flags.combinedAllPaths ?? false;
  return options;
}

async function diffPaths(context: CommandContext, parsed: DiffArgs): Promise<number> {
  const paths = [...parsed.args, ...(parsed.afterDashes ?? [])];
  if (paths.length !== 2 || paths.some((path) => path.startsWith("-") && path !== "-")) throw pathsUsage();
  const [a, b] = paths as [string, string];
  const repo = await context.repository().catch(() => null);
  const { host, env, open } = context;
  const config =
    repo?.config ??
    createConfig(await loadConfig({ fs: host.fs, limits: defaultGitLimits, env, command: open.config }));
  const options = await readOptions(context, null, config, parsed);
  options.exitCode = true;
  const position = { fs: host.fs, cwd: context.cwd, stdin: () => context.stdin.bytes() };
  const pairs = await pathPairs(position, a, b);
  return showDiff(context, null, pairs, options, { dropSame: true, mnemonics: { old: "1/", new: "2/" } });
}

async function diffBlobs(
  context: CommandContext,
  repo: Repository,
  options: ReadDiffOptions,
  trees: readonly NamedTree[],
  blobs: readonly NamedBlob[],
): Promise<number> {
  const paths = options.pathspec?.items ?? [];
  if (trees.length > 0) throw usage();
  const [a, b] = blobs;
  options.pathspec = null;
  if (a && b) {
    if (paths.length > 0) throw usage();
    return showComparison(context, repo, await compare(repo, { kind: "blobs", from: a, to: b }, options), options);
  }
  const path = paths[0]?.match;
  if (!a || path === undefined || paths.length !== 1) throw usage();
  const { workTree, fs } = await context.workTree();
  const stat = await fs.lstat(`${workTree}/${path}`).catch(() => null);
  if (stat === null) {
    throw new GitError("ENOTFOUND", `failed to stat '${path}': No such file or directory`);
  }
  const mode = stat.type === "symlink" ? MODE_SYMLINK : (stat.mode & 0o100) !== 0 ? MODE_EXECUTABLE : MODE_FILE;
  const from = a.bare ? { ...a, path, mode } : a;
  const comparison = await compare(repo, { kind: "blobs", from, to: { path, mode, oid: null, stat } }, options);
  return showComparison(context, repo, { ...comparison, mnemonics: { old: "o/", new: "w/" } }, options);
}

async function diffCached(
  context: CommandContext,
  repo: Repository,
  options: ReadDiffOptions,
  trees: readonly NamedTree[],
  parsed: DiffArgs,
): Promise<number> {
  if (trees.length > 1) throw usage();
  const tree = trees[0] ? await oneEnd(repo, trees[0], parsed) : null;
  return showComparison(context, repo, await compare(repo, { kind: "index", tree }, options), options);
}

async function diffWorktree(
  context: CommandContext,
  repo: Repository & { readonly workTree: string },
  options: ReadDiffOptions,
  { flags: input }: DiffArgs,
): Promise<number> {
  const stage = input.base ? 1 : input.theirs ? 3 : input.ours ? 2 : undefined;
  const comparison = await compare(repo, { kind: "unstaged", stage }, options);
  let { pairs } = comparison;
  let combined: CombinedPath[] = [];
  if (input.unmergedOnly) pairs = pairs.filter(({ unmerged }) => unmerged);
  else if (stage === undefined && options.formats.has("patch")) {
    options.combined ??= "dense";
    ({ pairs, combined } = await comparison.splitUnmerged(pairs));
  }
  if (combined.length > 0 && !options.formats.has("none")) {
    const out = openOutput(context, options);
    await writeCombined(out.write, repo, combined, options);
    await out.close();
  }
  return showComparison(context, repo, { ...comparison, pairs }, options, combined.length > 0);
}

async function showComparison(
  context: CommandContext,
  repo: Repository,
  { pairs, dropSame, mnemonics, refreshIndex }: Comparison,
  options: ReadDiffOptions,
  changed = false,
): Promise<number> {
  const code = await showDiff(context, repo, pairs, options, { dropSame, changed, ...(mnemonics && { mnemonics }) });
  await refreshIndex();
  return code;
}

/** Several commits: the first is the result, the others are its parents. */
async function diffMany(
  context: CommandContext,
  repo: Repository,
  options: ReadDiffOptions,
  trees: readonly NamedTree[],
): Promise<number> {
  options.combined ??= "dense";
  // `merge^!` lists the parents first, as exclusions.
  const positive = trees.filter(({ uninteresting }) => !uninteresting);
  const result = (positive.length === 1 ? positive[0] : trees[0]) as NamedTree;
  const others = trees.filter((one) => one !== result).map(({ tree }) => tree);
  return showCombined(context, repo, result.tree, others, options);
}
