/** `git diff-tree`: compares two trees, or a commit with its parents, for scripts. */

import { diffDefaults } from "../../diff/diff-options.ts";
import { treePairs } from "../../diff/diff-trees.ts";
import { useIndex } from "../../diff/staged-files.ts";
import { GitError } from "../../errors.ts";
import { EMPTY_TREE, type Oid, parseOid } from "../../object/oid.ts";
import type { NamedTree } from "../../porcelain/diff/named-ends.ts";
import { LogPrinter } from "../../pretty/log-printer.ts";
import { parseDisplayed } from "../../pretty/pretty-context.ts";
import type { Repository } from "../../repository.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { peelTo } from "../../revision/peel.ts";
import { decode } from "../../text/bytes.ts";
import { showCombined, showDiff } from "../commands/diff/show-diff.ts";
import { readDiffArguments } from "../flags/diff-arguments.ts";
import { diffFlags } from "../flags/diff-flags.ts";
import { prettyFlags, readPresentation } from "../flags/pretty-flags.ts";
import { type ReadDiffOptions, readDiffOptions } from "../flags/read-diff-options.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";
import type { ParsedFlags } from "../framework/flag-table.ts";
import { usageText } from "../framework/usage-text.ts";

const flags = {
  ...diffFlags,
  ...prettyFlags,
  verbose: { short: "-v", help: "show the commit too, as --pretty" },
  recursive: { short: "-r", help: "diff recursively" },
  trees: { short: "-t", help: "show tree entries too" },
  merges: { short: "-m", help: "show merges against each parent" },
  combined: { short: "-c", help: "show combined diff for merge commits" },
  cc: {
    long: "--cc",

    help: "show combined diff for merge commits removing uninteresting hunks",
    noNegation: true,
  },
  combinedAllPaths: {
    long: "--combined-all-paths",

    help: "show name of file in all parents for combined diffs",
    noNegation: true,
  },
  root: {
    long: "--root",

    help: "include the initial commit as diff against /dev/null",
    noNegation: true,
  },
  input: { long: "--stdin", help: "read commits or trees from standard input", noNegation: true },
  noCommitId: { long: "--no-commit-id", help: "do not show the commit's name", noNegation: true },
  mergeBase: { long: "--merge-base", help: "compare with the merge base", noNegation: true },
  always: { long: "--always", help: "show the commit even if its diff is empty", noNegation: true },
} as const;

type DiffTreeArgs = ParsedFlags<typeof flags>;

/** The header of a commit's diff: its id or the whole commit, and the separator before the diff. */
type HeadOf = (
  commit: Oid,
  parents: readonly Oid[],
  from?: Oid,
) => Promise<{ head: string; gap: string; combinedGap: string }>;

export const diffTree = defineCommand({
  name: "diff-tree",
  usage: [
    [
      "git diff-tree [--stdin] [-m] [-s] [-v] [--no-commit-id] [--pretty]",
      "              [-t] [-r] [-c | --cc] [--combined-all-paths] [--root] [--merge-base]",
      "              [<common-diff-options>] <tree-ish> [<tree-ish>] [<path>...]",
    ].join("\n"),
  ],
  flags,
  noAbbrev: true,
  unknownOption: () => usage(),
  async run(context, parsed) {
    const repo = await context.repository();
    const { config } = repo;
    const options = await readDiffOptions(context, repo, config, parsed, diffDefaults(config, { porcelain: false }));
    if (options.formats.size === 0) options.formats.add("raw");
    // A patch or statistic of a tree makes no sense, so these formats always recurse to files.
    const needsFiles = ["patch", "stat", "numstat", "shortstat", "dirstat", "summary", "check"] as const;
    options.recursive = parsed.flags.recursive === true || needsFiles.some((format) => options.formats.has(format));
    options.showTrees = parsed.flags.trees === true;
    if (parsed.flags.trees) options.recursive = true;
    if (parsed.flags.combined || parsed.flags.cc) {
      options.combined = parsed.flags.cc ? "dense" : "combined";
      if (parsed.flags.cc && !parsed.order.some(({ name }) => FORMATS.has(name))) options.formats = new Set(["patch"]);
    }
    options.combinedAllPaths = parsed.flags.combinedAllPaths ?? false;
    const { trees, blobs, pathspec } = await readDiffArguments(context, repo, parsed);
    options.pathspec = pathspec;
    if (blobs.length > 0) throw usage();
    if (parsed.flags.mergeBase && trees.length !== 2) {
      throw new GitError("EINVAL", "--merge-base only works with two commits");
    }
    await useIndex(repo);
    const headOf = await commitHeaders(repo, parsed, options);
    if (parsed.flags.input) return fromStdin(context, repo, options, parsed, headOf);
    if (trees.length === 1) return showCommit(context, repo, options, trees[0] as NamedTree, parsed, headOf);
    if (trees.length !== 2) throw usage();
    const [a, b] = trees as [NamedTree, NamedTree];
    if (parsed.flags.mergeBase) {
      const base = await mergeBaseTree(repo, a, b);
      return showDiff(context, repo, await treePairs(repo, base, b.tree, options), options);
    }
    const [from, to] = b.uninteresting ? [b, a] : [a, b];
    return showDiff(context, repo, await treePairs(repo, from.tree, to.tree, options), options);
  },
});

const FORMATS = new Set([
  "patch",
  "raw",
  "stat",
  "numstat",
  "shortstat",
  "summary",
  "nameOnly",
  "nameStatus",
  "noPatch",
  "patchWithStat",
  "patchWithRaw",
  "unified",
  "patchU",
]);

async function commitHeaders(repo: Repository, parsed: DiffTreeArgs, options: ReadDiffOptions): Promise<HeadOf> {
  const { flags: input } = parsed;
  const isRequested = input.verbose || input.oneline || input.pretty !== undefined || input.format !== undefined;
  if (input.noCommitId) return async () => ({ head: "", gap: "", combinedGap: "" });
  if (!isRequested)
    return async (commit) => ({ head: `${commit}${options.nul ? "\0" : "\n"}`, gap: "", combinedGap: "" });
  const abbrev = input.abbrev === undefined || options.abbrev === 0 ? 40 : options.abbrev;
  const presentation = await readPresentation(repo, parsed, { mapsNames: false, abbrev });
  let text = "";
  const out = (data: string | Uint8Array) => {
    text += typeof data === "string" ? data : decode(data);
  };
  const taken = () => {
    const all = text;
    text = "";
    return all;
  };
  const printer = new LogPrinter(presentation.context, {
    out,
    end: options.nul ? "\0" : "\n",
    abbrevCommit: presentation.abbrevCommit,
  });
  const hasStat = (["stat", "shortstat", "dirstat", "summary"] as const).some((format) => options.formats.has(format));
  return async (oid, parents, from) => {
    const commit = parseDisplayed(presentation.context, (await repo.odb.need(oid, "commit")).body);
    await printer.show({ oid, commit, parents, ...(from === undefined ? {} : { from }) });
    const head = taken();
    printer.beforeDiff(hasStat && options.formats.has("patch"));
    const gap = taken();
    printer.beforeCombinedDiff();
    return { head, gap, combinedGap: taken() };
  };
}

function usage(): GitError {
  return new GitError("EUSAGE", "", { prefix: "", hint: usageText(diffTree) });
}

async function mergeBaseTree(repo: Repository, a: NamedTree, b: NamedTree): Promise<Oid> {
  for (const { commit } of [a, b]) {
    if (commit === null) throw new GitError("EINVAL", "--merge-base only works with commits");
  }
  const bases = await mergeBases(repo, a.commit as Oid, [b.commit as Oid]);
  if (bases.length === 0) throw new GitError("ENOTFOUND", "no merge base found");
  if (bases.length > 1) throw new GitError("EAMBIGUOUS", "multiple merge bases found");
  return (await peelTo(repo, bases[0] as Oid, "tree")) as Oid;
}

/** Compares a commit with its parents. A tree alone has nothing to compare with. */
async function showCommit(
  context: CommandContext,
  repo: Repository,
  options: ReadDiffOptions,
  { commit, tree }: NamedTree,
  parsed: DiffTreeArgs,
  headOf: HeadOf,
  input?: readonly Oid[],
): Promise<number> {
  if (commit === null) {
    throw new GitError("EINVAL", "", { prefix: "" });
  }
  const parents = input ?? (await commitReader(repo).read(commit)).parents;
  const parentTrees: (Oid | null)[] = [];
  for (const parent of parents) parentTrees.push(await peelTo(repo, parent, "tree"));
  const head = (from?: Oid) => headOf(commit, parents, from);
  if (parents.length === 0) {
    if (!parsed.flags.root && !repo.config.getBool("log.showroot")) {
      if (parsed.flags.always) context.out((await head()).head);
      return 0;
    }
    return displayed(context, repo, options, EMPTY_TREE, tree, head, parsed);
  }
  if (parents.length === 1) return displayed(context, repo, options, parentTrees[0] ?? null, tree, head, parsed);
  if (options.combined !== null) {
    // Prints the id even if nothing differs from all parents.
    const reported = await head();
    context.out(reported.head + reported.combinedGap);
    return showCombined(context, repo, tree, parentTrees, { ...options, recursive: true });
  }
  if (!parsed.flags.merges) return 0;
  let code = 0;
  for (const [i, parent] of parentTrees.entries())
    code |= await displayed(context, repo, options, parent, tree, () => head(parents[i]), parsed);
  return code;
}

/** Prints the id only before the first output. */
async function displayed(
  context: CommandContext,
  repo: Repository,
  options: ReadDiffOptions,
  before: Oid | null,
  after: Oid,
  headOf: () => ReturnType<HeadOf>,
  parsed: DiffTreeArgs,
): Promise<number> {
  const pairs = await treePairs(repo, before, after, options);
  if (pairs.length === 0 && !parsed.flags.always) return showDiff(context, repo, pairs, options);
  const { head, gap } = await headOf();
  if (parsed.flags.always) context.out(head);
  return showDiff(context, repo, pairs, options, {
    before: () => context.out(`${parsed.flags.always ? "" : head}${options.formats.has("none") ? "" : gap}`),
  });
}

async function fromStdin(
  context: CommandContext,
  repo: Repository,
  options: ReadDiffOptions,
  parsed: DiffTreeArgs,
  headOf: HeadOf,
): Promise<number> {
  let code = 0;
  for await (const line of context.stdin.lines()) {
    const words = line.split(" ");
    const oids = words.map((word) => parseOid(word));
    const first = oids[0];
    if (!first) {
      if (line !== "") context.out(`${line}\n`);
      continue;
    }
    const header = await repo.odb.header(first);
    if (!header) throw new GitError("ENOTFOUND", `unable to read object ${first}`);
    if (header.type === "tree") {
      const second = oids[1];
      if (!second || oids.length !== 2) {
        throw new GitError("EINVAL", `Need exactly two trees, separated by a space`, { prefix: "error" });
      }
      context.out(`${first} ${second}\n`);
      code |= await showDiff(context, repo, await treePairs(repo, first, second, options), options);
      continue;
    }
    const tree = (await peelTo(repo, first, "tree")) as Oid;
    const parents = oids.length > 1 ? oids.slice(1).filter((oid): oid is Oid => oid !== null) : undefined;
    code |= await showCommit(
      context,
      repo,
      options,
      { commit: first, tree, name: first, uninteresting: false },
      parsed,
      headOf,
      parents,
    );
  }
  return code;
}
