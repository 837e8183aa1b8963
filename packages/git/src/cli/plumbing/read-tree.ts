/** `git read-tree` */

import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { type ReadTreeOptions, readTrees } from "../../porcelain/read-tree/read-tree.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { defineCommand } from "../framework/command.ts";

export const readTree = defineCommand({
  name: "read-tree",
  usage: [
    "git read-tree [(-m [--trivial] [--aggressive] | --reset | --prefix=<prefix>)\n                     [-u | -i]] [--index-output=<file>] [--no-sparse-checkout]\n                     (--empty | <tree-ish1> [<tree-ish2> [<tree-ish3>]])",
  ],
  flags: {
    indexOutput: { long: "--index-output", value: "string", arg: "<file>", help: "write resulting index to <file>" },
    empty: { long: "--empty", help: "only empty the index" },
    verbose: { short: "-v", long: "--verbose", help: "be verbose" },
    merge: { short: "-m", help: "perform a merge in addition to a read" },
    trivial: { long: "--trivial", help: "3-way merge if no file level merging required" },
    aggressive: { long: "--aggressive", help: "3-way merge in presence of adds and removes" },
    reset: { long: "--reset", help: "same as -m, but discard unmerged entries" },
    prefix: {
      long: "--prefix",
      value: "string",
      arg: "<subdirectory>/",
      help: "read the tree into the index under <subdirectory>/",
    },
    update: { short: "-u", help: "update working tree with merge result" },
    excludePerDirectory: {
      long: "--exclude-per-directory",
      value: "list",
      arg: "<gitignore>",
      help: "allow explicitly ignored files to be overwritten",
    },
    indexOnly: { short: "-i", help: "don't check the working tree after merging" },
    dryRun: { short: "-n", long: "--dry-run", help: "don't update the index or the work tree" },
    sparse: { long: "--no-sparse-checkout", help: "skip applying sparse checkout filter" },
    debug: { long: "--debug-unpack", help: "debug unpack-trees" },
    recurseSubmodules: {
      long: "--recurse-submodules",
      value: "optional",
      arg: "<checkout>",
      help: "control recursive updating of submodules",
    },
    quiet: { short: "-q", long: "--quiet", help: "suppress feedback messages" },
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.repository();
    const names = [...args, ...(afterDashes ?? [])];
    const isMerge = flags.merge || flags.reset || flags.prefix;
    if ([flags.merge, flags.reset, flags.prefix].filter((one) => one !== undefined && one !== false).length > 1) {
      throw new GitError("EINVAL", "Which one? -m, --reset, or --prefix?");
    }
    const trees: Oid[] = [];
    for (const name of names) trees.push(await needTree(repo, name));
    if (names.length === 0 && !flags.empty && !isMerge) {
      context.err("warning: read-tree: emptying the index with no arguments is deprecated; use --empty\n");
    } else if (names.length > 0 && flags.empty) {
      throw new GitError("EINVAL", "passing trees as arguments contradicts --empty");
    }
    if (flags.update && !isMerge) throw new GitError("EINVAL", "-u is meaningless without -m, --reset, or --prefix");
    if (flags.update && flags.indexOnly) throw new GitError("EINVAL", "-u and -i at the same time makes no sense");
    if (flags.indexOnly && !isMerge) throw new GitError("EINVAL", "-i is meaningless without -m, --reset, or --prefix");
    if (isMerge && names.length === 0) throw new GitError("EINVAL", "you must specify at least one tree to merge");
    if (flags.prefix && names.length !== 1) throw new GitError("EINVAL", "prefix needs exactly one tree");
    if (flags.prefix && flags.prefix[0] === "/")
      throw new GitError("EINVAL", "Invalid prefix, prefix cannot start with '/'");
    const ignore = flags.excludePerDirectory || [];
    if (ignore.length > 0 && !flags.update)
      throw new GitError("EINVAL", "--exclude-per-directory is meaningless unless -u");
    if (ignore.some((name) => name !== ".gitignore"))
      throw new GitError("EINVAL", "--exclude-per-directory argument must be .gitignore");
    if (flags.update) await context.workTree();
    const options: ReadTreeOptions = {
      mode: flags.prefix ? "prefix" : flags.reset ? "reset" : flags.merge ? "merge" : "replace",
      update: flags.update,
      indexOnly: flags.indexOnly,
      aggressive: flags.aggressive,
      dryRun: flags.dryRun,
      ...(flags.prefix ? { prefix: flags.prefix } : {}),
      ...(flags.indexOutput ? { output: absolutePath(flags.indexOutput, context.cwd) } : {}),
    };
    try {
      await readTrees(repo, trees, options);
    } catch (error) {
      if (flags.quiet && error instanceof GitError && error.code === "ESTATE") return 128;
      throw error;
    }
    return 0;
  },
});

async function needTree(repo: Repository, name: string): Promise<Oid> {
  const found = await findRevision(repo, name, { wanted: "treeish" });
  if (found === null) throw new GitError("ENOTFOUND", `Not a valid object name ${name}`);
  const tree = await peelTo(repo, found.oid, "tree");
  if (tree === null) throw new GitError("ENOTFOUND", `failed to unpack tree object ${name}`);
  return tree;
}
