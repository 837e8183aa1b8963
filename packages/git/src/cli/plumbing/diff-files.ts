/** `git diff-files`: compares the index with the work tree, for scripts. */
import type { CombinedPath } from "../../diff/diff-combined.ts";
import { worktreePairs } from "../../diff/diff-index.ts";
import { diffDefaults } from "../../diff/diff-options.ts";
import { GitError } from "../../errors.ts";
import { writeCombined } from "../../patch/patch-combined.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { unmergedCombined } from "../../porcelain/diff/unmerged-combined.ts";
import { openOutput, showDiff } from "../commands/diff/show-diff.ts";
import { readDiffArguments } from "../flags/diff-arguments.ts";
import { diffFlags } from "../flags/diff-flags.ts";
import { readDiffOptions } from "../flags/read-diff-options.ts";
import { defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const diffFiles = defineCommand({
  name: "diff-files",
  usage: ["git diff-files [-q] [-0 | -1 | -2 | -3 | -c | --cc] [<common-diff-options>] [<path>...]"],
  flags: {
    ...diffFlags,
    silent: { short: "-q", help: "does nothing", hidden: true },
    base: { long: "--base", short: "-1", help: "compare with the base of a conflict", noNegation: true },
    ours: { long: "--ours", short: "-2", help: "compare with our side of a conflict", noNegation: true },
    theirs: {
      long: "--theirs",
      short: "-3",

      help: "compare with their side of a conflict",
      noNegation: true,
    },
    unmergedOnly: { short: "-0", help: "only tell which paths are unmerged" },
    combined: { short: "-c", help: "show a combined diff of conflicts" },
    cc: { long: "--cc", help: "show a dense combined diff of conflicts", noNegation: true },
    recursive: { short: "-r", help: "does nothing", hidden: true },
  },
  noAbbrev: true,
  unknownOption: () => usage(),
  async run(context, parsed) {
    const repo = await context.workTree();
    const { flags } = parsed;
    const options = await readDiffOptions(
      context,
      repo,
      repo.config,
      parsed,
      diffDefaults(repo.config, { porcelain: false }),
    );
    if (options.formats.size === 0) options.formats.add("raw");
    const { trees, blobs, pathspec } = await readDiffArguments(context, repo, parsed);
    if (trees.length + blobs.length > 0) throw usage();
    options.pathspec = pathspec.isEmpty ? parsePathspec(repo, []) : pathspec;
    const stage = flags.base ? 1 : flags.theirs ? 3 : flags.ours ? 2 : undefined;
    const found = await worktreePairs(repo, options, { stage, statOnly: true });
    let { pairs } = found;
    if (flags.unmergedOnly) pairs = pairs.filter(({ unmerged }) => unmerged);
    let combined: CombinedPath[] = [];
    if (flags.combined) options.combined = "combined";
    else if (flags.cc || options.formats.has("patch")) options.combined = "dense";
    if (stage === undefined && options.combined !== null && !flags.unmergedOnly) {
      ({ pairs, combined } = await unmergedCombined(repo, found, pairs));
    }
    if (combined.length > 0) {
      const out = openOutput(context, options);
      await writeCombined(out.write, repo, combined, options);
      await out.close();
    }
    return showDiff(context, repo, pairs, options, { changed: combined.length > 0 });
  },
});

function usage(): GitError {
  return new GitError("EUSAGE", "", { prefix: "", hint: usageText(diffFiles) });
}
