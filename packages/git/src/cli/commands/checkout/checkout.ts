/** `git checkout`: switches to a branch or commit, or restores paths. */
import { GitError } from "../../../errors.ts";
import { parsePathspec } from "../../../pathspec/pathspec.ts";
import { checkedBranchName, currentBranch } from "../../../porcelain/branch/branch-names.ts";
import { findTarget, guessRemoteBranch, guessWanted } from "../../../porcelain/checkout/find-target.ts";
import { restorePaths } from "../../../porcelain/checkout/restore-paths.ts";
import { newBranchName } from "../../../porcelain/checkout/switch.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { peelTo } from "../../../revision/peel.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import {
  chosenSide,
  conflictFlags,
  conflictStyle,
  incompatible,
  refuseMixture,
  sparseFlag,
  trackedName,
  trackOf,
} from "../../flags/conflict-flags.ts";
import { pathspecArguments, pathspecFlags } from "../../flags/pathspec-arguments.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { switchTo } from "./switch-to.ts";

export const checkout = defineCommand({
  name: "checkout",
  usage: ["git checkout [<options>] <branch>", "git checkout [<options>] [<branch>] -- <file>..."],
  flags: {
    create: { short: "-b", value: "string", arg: "<branch>", help: "create and checkout a new branch" },
    forceCreate: { short: "-B", value: "string", arg: "<branch>", help: "create/reset and checkout a branch" },
    reflog: { short: "-l", help: "create reflog for new branch" },
    guess: { long: "--guess", help: "second guess 'git checkout <no-such-branch>' (default)" },
    overlay: { long: "--overlay", help: "use overlay mode (default)" },
    quiet: { short: "-q", long: "--quiet", help: "suppress progress reporting" },
    progress: { long: "--progress", help: "force progress reporting" },
    detach: { short: "-d", long: "--detach", help: "detach HEAD at named commit" },
    track: {
      short: "-t",
      long: "--track",
      value: "optional",
      arg: "(direct|inherit)",
      help: "set branch tracking configuration",
    },
    force: { short: "-f", long: "--force", help: "force checkout (throw away local modifications)" },
    orphan: { long: "--orphan", value: "string", arg: "<new-branch>", help: "new unparented branch" },
    overwriteIgnore: { long: "--overwrite-ignore", help: "update ignored files (default)" },
    ignoreOtherWorktrees: {
      long: "--ignore-other-worktrees",

      help: "do not check if another worktree is holding the given ref",
    },
    ours: { short: "-2", long: "--ours", help: "checkout our version for unmerged files" },
    theirs: { short: "-3", long: "--theirs", help: "checkout their version for unmerged files" },
    patch: { short: "-p", long: "--patch", help: "select hunks interactively" },
    ...conflictFlags,
    ...sparseFlag,
    ...pathspecFlags,
  },
  async run(context, { flags, args, afterDashes, order }) {
    refuseMixture(flags, { create: "-b", forceCreate: "-B" });
    if (flags.patch) throw new GitError("EUNSUPPORTED", "interactive selection is not supported here: name the files");
    const repo = await context.workTree();
    const quiet = flags.quiet ?? false;
    const merge = conflictStyle(flags);
    const force = flags.force ?? false;
    const shared = {
      quiet,
      force,
      ...(merge === undefined ? {} : { merge }),
      ignoreOtherWorktrees: flags.ignoreOtherWorktrees,
      ...(flags.overwriteIgnore === undefined ? {} : { overwriteIgnored: flags.overwriteIgnore }),
    };
    const words = [...args];
    const fromFile = flags.pathspecFromFile ? await pathspecArguments(context, flags, []) : [];
    const paths = [...(afterDashes ?? []), ...fromFile];
    if (flags.pathspecFromFile && flags.detach)
      throw new GitError("EINVAL", "options '--pathspec-from-file' and '--detach' cannot be used together");
    if (afterDashes !== null && words.length > 1)
      throw new GitError("EINVAL", `only one reference expected, ${words.length} given.`);
    const created = flags.create || flags.forceCreate || flags.orphan;
    const makes = created || (flags.track ? trackedName(words[0], "b") : undefined);
    const side = chosenSide(order);
    const switching = makes !== undefined || (words.length === 0 && paths.length === 0);
    if (switching) refusePathFlags(flags);

    if (flags.orphan) {
      const branch = await newBranchName(repo, flags.orphan);
      const [word] = [...words, ...paths];
      const start = await findTarget(repo, word ?? "HEAD");
      if (word !== undefined && start === null) throw notCommit(flags.orphan, word);
      if (words.length + paths.length > 1)
        throw new GitError("EINVAL", `Cannot update paths and switch to branch '${flags.orphan}' at the same time.`);
      const files = start === null ? {} : { filesOf: start.commit };
      return switchTo(context, repo, { ...shared, ...files, target: { branch, commit: null, name: branch } });
    }
    if (makes) {
      const name = makes;
      const branch = flags.forceCreate ? await checkedBranchName(repo, name) : await newBranchName(repo, name);
      const [start, ...others] = words;
      const rest = [...others, ...paths];
      if (rest.length > 0 && flags.track !== undefined)
        throw new GitError("EINVAL", "'--track' cannot be used with updating paths");
      const found = await findTarget(repo, start ?? "HEAD");
      if (found === null && start !== undefined) throw notCommit(name, start);
      if (rest.length > 0)
        throw new GitError("EINVAL", `Cannot update paths and switch to branch '${name}' at the same time.`);
      const track = trackOf(flags.track);
      const create = {
        name,
        force: Boolean(flags.forceCreate),
        createReflog: flags.reflog,
        ...(start === undefined ? {} : { start: start === "-" ? "@{-1}" : start }),
        ...(track ? { track } : {}),
      };
      const target = { branch, commit: found?.commit ?? null, name: branch };
      // git treats `checkout -b <name>` without further options as `switch -c`.
      const keepsFiles = start === undefined && order.length === 1 && order[0]?.text === "-b";
      return switchTo(context, repo, { ...shared, target, keepsFiles, ...(found === null ? {} : { create }) });
    }
    const [first, ...rest] = words;
    if (first === undefined && paths.length === 0) return stay(context, repo, shared, flags.detach ?? false);
    const found = first === undefined ? null : await findTarget(repo, first);
    if (first !== undefined && rest.length === 0 && paths.length === 0) {
      const maybeFile = afterDashes === null && (await isFile(repo, first));
      if (found !== null) {
        refusePathFlags(flags);
        // HEAD is the current position already: a branch that is checked out stays so.
        if (first === "HEAD" && !flags.detach) return stay(context, repo, shared, false);
        const target = flags.detach ? { ...found, branch: null } : found;
        return switchTo(context, repo, { ...shared, target, explicitDetach: flags.detach ?? false });
      }
      const guesses = guessWanted(repo, flags.guess) && (afterDashes !== null || !/[*?[\\]/.test(first));
      const remote = guesses ? await guessRemoteBranch(repo, first) : null;
      if (remote !== null && maybeFile) throw fileOrBranch(first);
      if (remote !== null) {
        const target = { branch: first, commit: remote.commit, name: first };
        return switchTo(context, repo, {
          ...shared,
          target,
          create: { name: first, start: remote.name, force: false, track: "explicit" },
        });
      }
    }
    // Paths come from a tree if the first argument is one and the second is not, else all from the index.
    const tree = first === undefined ? null : await resolveTree(repo, first);
    const all = tree === null ? [...words, ...paths] : [...rest, ...paths];
    if (tree !== null && afterDashes === null && first !== undefined && (await isFile(repo, first)))
      throw ambiguous(first);
    if (fromFile.length > 0 && all.length > fromFile.length)
      throw new GitError("EINVAL", "'--pathspec-from-file' and pathspec arguments cannot be used together");
    if (tree === null && afterDashes !== null && first !== undefined)
      throw new GitError("ENOTFOUND", `invalid reference: ${first}`);
    if (flags.detach) throw new GitError("EINVAL", `git checkout: --detach does not take a path argument '${all[0]}'`);
    if (flags.reflog) throw new GitError("EINVAL", "'-l' cannot be used with updating paths");
    const ways = [side !== undefined, force, merge !== undefined].filter(Boolean).length;
    if (tree === null && ways > 1) throw incompatible();
    const { count, recreated, unmerged } = await restorePaths(repo, {
      pathspec: parsePathspec(repo, all, { prefer: "cwd" }),
      source: tree,
      staged: tree !== null,
      worktree: true,
      overlay: flags.overlay ?? true,
      ...(side === undefined || tree !== null ? {} : { side }),
      ...(merge === undefined ? {} : { remerge: merge }),
      ignoreUnmerged: force,
    });
    if (force && !quiet) for (const path of unmerged) context.err(`warning: path '${path}' is unmerged\n`);
    if (quiet || afterDashes !== null) return 0;
    if (recreated > 0) context.err(`Recreated ${recreated} merge ${recreated === 1 ? "conflict" : "conflicts"}\n`);
    if (recreated === 0 || count > 0) {
      const what = tree === null ? "the index" : await repo.odb.abbreviate(tree);
      context.err(`Updated ${count} ${count === 1 ? "path" : "paths"} from ${what}\n`);
    }
    return 0;
  },
});

/** Rejects flags that have no meaning for a branch. */
function refusePathFlags(flags: {
  ours?: boolean;
  theirs?: boolean;
  overlay?: boolean;
  force?: boolean;
  merge?: boolean;
  conflict?: string | false;
}): void {
  const named = (what: string) => new GitError("EINVAL", `'${what}' cannot be used with switching branches`);
  if (flags.overlay !== undefined) throw named("--[no]-overlay");
  if (flags.ours || flags.theirs) throw named("--ours/--theirs");
  if (flags.force && (flags.merge || flags.conflict)) throw new GitError("EINVAL", "'-f' cannot be used with '-m'");
}

/** Without a target: HEAD stays, and local changes are listed; `-f` discards them, `--detach` detaches HEAD from the branch. */
async function stay(
  context: CommandContext,
  repo: WorkRepository,
  shared: { quiet: boolean; force: boolean },
  detach: boolean,
): Promise<number> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  const branch = await currentBranch(repo);
  if (head === null) throw new GitError("ESTATE", "You are on a branch yet to be born");
  if (detach)
    return switchTo(context, repo, {
      ...shared,
      target: { branch: null, commit: head, name: "HEAD" },
      explicitDetach: true,
    });
  if (branch === null)
    return switchTo(context, repo, { ...shared, quiet: true, target: { branch: null, commit: head, name: "HEAD" } });
  return switchTo(context, repo, { ...shared, staysHere: true, target: { branch, commit: head, name: branch } });
}

async function resolveTree(repo: WorkRepository, word: string) {
  const found = await findRevision(repo, word === "-" ? "@{-1}" : word, { wanted: "treeish" });
  return found && peelTo(repo, found.oid, "tree");
}

async function isFile({ fs, workTree, prefix }: WorkRepository, word: string): Promise<boolean> {
  return (await fs.lstat(word.startsWith("/") ? word : `${workTree}/${prefix}${word}`).catch(() => null)) !== null;
}

function notCommit(branch: string, start: string): GitError {
  return new GitError("ENOTFOUND", `'${start}' is not a commit and a branch '${branch}' cannot be created from it`);
}

function fileOrBranch(word: string): GitError {
  return new GitError(
    "EAMBIGUOUS",
    `'${word}' could be both a local file and a tracking branch.\nPlease use -- (and optionally --no-guess) to disambiguate`,
  );
}

function ambiguous(word: string): GitError {
  return new GitError(
    "EAMBIGUOUS",
    `ambiguous argument '${word}': both revision and filename\nUse '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
  );
}
