/** `git reset`. */

import { GitError } from "../../errors.ts";
import { autostashEndText } from "../../format/autostash-text.ts";
import { commitSubject } from "../../message/commit-message.ts";
import { parseCommit } from "../../object/commit.ts";
import { EMPTY_TREE } from "../../object/oid.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { type ResetMode, resetIndex, reset as resetTo } from "../../porcelain/reset.ts";
import { findResetTarget, refreshAfterReset } from "../../porcelain/reset-settings.ts";
import { endAutostash, mergeAutostash } from "../../porcelain/stash/autostash.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { ambiguousArgument } from "../../revision/resolve-revision.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { logOutputEncoding } from "../../text/encodings.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { pathspecArguments, pathspecFlags } from "../flags/pathspec-arguments.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";

const MODES = ["soft", "mixed", "hard", "merge", "keep"] as const;

export const reset = defineCommand({
  name: "reset",
  usage: [
    "git reset [--mixed | --soft | --hard | --merge | --keep] [-q] [<commit>]",
    "git reset [-q] [<tree-ish>] [--] <pathspec>...",
    "git reset [-q] [--pathspec-from-file [--pathspec-file-nul]] [<tree-ish>]",
    "git reset --patch [<tree-ish>] [--] [<pathspec>...]",
  ],
  flags: {
    quiet: { short: "-q", long: "--quiet", help: "be quiet, only report errors" },
    noRefresh: { long: "--no-refresh", help: "skip refreshing the index after reset" },
    mixed: { long: "--mixed", help: "reset HEAD and index" },
    soft: { long: "--soft", help: "reset only HEAD" },
    hard: { long: "--hard", help: "reset HEAD, index and working tree" },
    merge: { long: "--merge", help: "reset HEAD, index and working tree" },
    keep: { long: "--keep", help: "reset HEAD but keep local changes" },
    patch: { short: "-p", long: "--patch", help: "select hunks interactively" },
    intentToAdd: {
      short: "-N",
      long: "--intent-to-add",

      help: "record only the fact that removed paths will be added later",
    },
    recurseSubmodules: {
      long: "--recurse-submodules",
      value: "optional",
      arg: "<reset>",
      help: "control recursive updating of submodules",
    },
    ...pathspecFlags,
  },
  async run(context, { flags, args, afterDashes, order }) {
    if (flags.patch) throw new GitError("EUNSUPPORTED", "interactive selection is not supported here: name the files");
    const requested = order
      .filter(({ name, value }) => value !== false && (MODES as readonly string[]).includes(name))
      .at(-1)?.name as ResetMode | undefined;
    const repo = await context.repository();
    const { word, paths } = await split(context, repo, args, afterDashes, flags);
    const tree = paths.length > 0;
    const oid = await findResetTarget(repo, word, tree);
    if (tree) {
      if (requested !== undefined && requested !== "mixed")
        throw new GitError("EINVAL", `Cannot do ${requested} reset with paths.`);
      if (requested === "mixed")
        context.err("warning: --mixed with paths is deprecated; use 'git reset -- <paths>' instead.\n");
      const work = await context.workTree();
      await resetIndex(work, oid ?? EMPTY_TREE, parsePathspec(repo, paths), flags.intentToAdd ?? false);
      if (!flags.noRefresh) await printUnstaged(context, work, flags.quiet);
      return 0;
    }
    const mode = requested ?? "mixed";
    if (flags.intentToAdd && mode !== "mixed") throw new GitError("EINVAL", "the option '-N' requires '--mixed'");
    await resetTo(repo, { mode, to: oid, name: word ?? "HEAD", intentToAdd: flags.intentToAdd ?? false });
    // The merge that the autostash belongs to has ended.
    if (mode !== "soft")
      context.err(autostashEndText(await endAutostash(repo as WorkRepository, mergeAutostash(repo), true)));
    if (mode === "hard" && oid !== null && !flags.quiet) {
      const { message } = parseCommit((await repo.odb.need(oid, "commit")).body, logOutputEncoding(repo.config));
      context.out(`HEAD is now at ${await repo.odb.abbreviate(oid)} ${commitSubject(message)}\n`);
    }
    if (mode === "mixed" && repo.workTree !== null && !flags.noRefresh)
      await printUnstaged(context, repo as WorkRepository, flags.quiet);
    return 0;
  },
});

/** The first argument is a revision unless it is only a path. */
async function split(
  context: CommandContext,
  repo: Repository,
  args: readonly string[],
  afterDashes: readonly string[] | null,
  flags: Parameters<typeof pathspecArguments>[1],
): Promise<{ word: string | undefined; paths: readonly string[] }> {
  const [first, ...rest] = args;
  if (first === undefined)
    return { word: undefined, paths: await pathspecArguments(context, flags, afterDashes ?? []) };
  const isRevision = (await findRevision(repo, first, { wanted: "treeish" })) !== null;
  if (afterDashes !== null) {
    if (rest.length > 0) throw ambiguousArgument(rest[0] as string);
    return { word: first, paths: await pathspecArguments(context, flags, afterDashes) };
  }
  const isFile =
    repo.workTree !== null &&
    (await repo.fs.lstat(absolutePath(first, `${repo.workTree}/${repo.prefix}`)).catch(() => null)) !== null;
  if (isRevision && isFile) throw ambiguousArgument(first, "both revision and filename");
  if (isRevision) return { word: first, paths: await pathspecArguments(context, flags, rest) };
  const known = isFile || /[*?[:]/.test(first);
  if (!known) throw ambiguousArgument(first);
  return { word: undefined, paths: await pathspecArguments(context, flags, args) };
}

async function printUnstaged(context: CommandContext, repo: WorkRepository, quiet = false): Promise<void> {
  const comparison = await refreshAfterReset(repo);
  if (quiet) {
    for (const path of comparison.unmerged.keys()) context.out(`${path}: needs merge\n`);
    return;
  }
  // Paths are not quoted here.
  const lines = comparison.changes.map(({ path, kind }) => {
    const letter = kind === "deleted" ? "D" : kind === "type" ? "T" : kind === "added" ? "A" : "M";
    return `${letter}\t${path}\n`;
  });
  const unmerged = [...comparison.unmerged.keys()].map((path) => `U\t${path}\n`);
  if (lines.length + unmerged.length > 0)
    context.out(`Unstaged changes after reset:\n${[...lines, ...unmerged].join("")}`);
}
