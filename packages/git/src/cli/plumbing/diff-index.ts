/** `git diff-index`: compares a tree with the index or the work tree, for scripts. */
import { cachedPairs, treeToWorktreePairs } from "../../diff/diff-index.ts";
import { diffDefaults } from "../../diff/diff-options.ts";
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import type { NamedTree } from "../../porcelain/diff/named-ends.ts";
import type { Repository } from "../../repository.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { peelTo } from "../../revision/peel.ts";
import { showDiff } from "../commands/diff/show-diff.ts";
import { readDiffArguments } from "../flags/diff-arguments.ts";
import { diffFlags } from "../flags/diff-flags.ts";
import { readDiffOptions } from "../flags/read-diff-options.ts";
import { defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const diffIndex = defineCommand({
  name: "diff-index",
  usage: ["git diff-index [-m] [--cached] [--merge-base] [<common-diff-options>] <tree-ish> [<path>...]"],
  flags: {
    ...diffFlags,
    cached: { long: "--cached", help: "compare with the index alone", noNegation: true },
    mergeBase: { long: "--merge-base", help: "compare with the merge base", noNegation: true },
    missing: { short: "-m", help: "files that are not checked out count as unchanged" },
    recursive: { short: "-r", help: "does nothing", hidden: true },
    combined: { short: "-c", help: "combine with the index", hidden: true, unsupported: "" },
    cc: {
      long: "--cc",

      help: "combine with the index",
      hidden: true,
      noNegation: true,
      unsupported: "",
    },
  },
  noAbbrev: true,
  unknownOption: () => usage(),
  async run(context, parsed) {
    const repo = await context.repository();
    // Plumbing treats intent-to-add entries as present.
    const defaults = { ...diffDefaults(repo.config, { porcelain: false }), itaInvisible: false };
    const options = await readDiffOptions(context, repo, repo.config, parsed, defaults);
    if (options.formats.size === 0) options.formats.add("raw");
    const { trees, blobs, pathspec } = await readDiffArguments(context, repo, parsed);
    const named = trees[0];
    if (trees.length !== 1 || blobs.length > 0 || !named) {
      throw usage();
    }
    options.pathspec = pathspec;
    const tree = parsed.flags.mergeBase ? await mergeBaseTree(repo, named) : named.tree;
    if (parsed.flags.cached) return showDiff(context, repo, await cachedPairs(repo, tree, options), options);
    const { pairs } = await treeToWorktreePairs(await context.workTree(), tree, options, { statOnly: true });
    const retained = parsed.flags.missing ? pairs.filter((pair) => pair.new.mode !== 0) : pairs;
    return showDiff(context, repo, retained, options);
  },
});

async function mergeBaseTree(repo: Repository, { commit }: NamedTree): Promise<Oid> {
  if (commit === null) throw new GitError("EINVAL", "--merge-base only works with commits");
  const head = await repo.refs.resolve("HEAD");
  if (!head?.oid) throw new GitError("ENOTFOUND", "unable to get HEAD");
  const bases = await mergeBases(repo, head.oid, [commit]);
  if (bases.length === 0) throw new GitError("ENOTFOUND", "no merge base found");
  if (bases.length > 1) throw new GitError("EAMBIGUOUS", "multiple merge bases found");
  return (await peelTo(repo, bases[0] as Oid, "tree")) as Oid;
}

function usage(): GitError {
  return new GitError("EUSAGE", "", { prefix: "", hint: usageText(diffIndex) });
}
