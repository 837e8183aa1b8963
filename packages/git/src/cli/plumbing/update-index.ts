/** `git update-index`: handles options and paths in order; each path uses the options before it. */
import { GitError } from "../../errors.ts";
import { lockIndex } from "../../index/write-index.ts";
import { parseOid } from "../../object/oid.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { IndexUpdater, type UpdateIndexEvent } from "../../porcelain/update-index.ts";
import type { Repository } from "../../repository.ts";
import { unquotedLine } from "../../text/quote-path.ts";
import { pathInTree } from "../../text/relative-path.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const updateIndex = defineCommand({
  name: "update-index",
  usage: ["git update-index [<options>] [--] [<file>...]"],
  flags: {
    quiet: { short: "-q", help: "continue refresh even when index needs update" },
    ignoreSubmodules: { long: "--ignore-submodules", help: "refresh: ignore submodules" },
    add: { long: "--add", help: "do not ignore new files" },
    replace: { long: "--replace", help: "let files replace directories and vice-versa" },
    remove: { long: "--remove", help: "notice files missing from worktree" },
    unmerged: { long: "--unmerged", help: "refresh even if index contains unmerged entries" },
    refresh: { long: "--refresh", noNegation: true, help: "refresh stat information" },
    reallyRefresh: {
      long: "--really-refresh",

      noNegation: true,
      help: "like --refresh, but ignore assume-unchanged setting",
    },
    cacheinfo: {
      long: "--cacheinfo",
      value: "string",
      arg: "<mode>,<object>,<path>",
      help: "add the specified entry to the index",
    },
    chmod: { long: "--chmod", value: "string", arg: "(+|-)x", help: "override the executable bit of the listed files" },
    assumeUnchanged: { long: "--assume-unchanged", help: 'mark files as "not changing"' },
    skipWorktree: { long: "--skip-worktree", help: 'mark files as "index-only"' },
    ignoreSkipWorktree: {
      long: "--ignore-skip-worktree-entries",

      help: "do not touch index-only entries",
    },
    infoOnly: { long: "--info-only", help: "add to index only; do not add content to object database" },
    forceRemove: { long: "--force-remove", help: "remove named paths even if present in worktree" },
    nul: { short: "-z", help: "with --stdin: input lines are terminated by null bytes" },
    stdin: { long: "--stdin", help: "read list of paths to be updated from standard input" },
    indexInfo: { long: "--index-info", help: "add entries from standard input to the index" },
    unresolve: { long: "--unresolve", help: "repopulate stages #2 and #3 for the listed paths" },
    again: { short: "-g", long: "--again", help: "only update entries that differ from HEAD" },
    ignoreMissing: { long: "--ignore-missing", help: "ignore files missing from worktree" },
    verbose: { long: "--verbose", help: "report actions to standard output" },
    clearResolveUndo: {
      long: "--clear-resolve-undo",

      help: "(for porcelains) forget saved unresolved conflicts",
    },
    indexVersion: { long: "--index-version", value: "number", arg: "<n>", help: "write index in this format" },
    splitIndex: { long: "--split-index", help: "enable or disable split index" },
    untrackedCache: { long: "--untracked-cache", help: "enable/disable untracked cache" },
    testUntrackedCache: {
      long: "--test-untracked-cache",

      help: "test if the filesystem supports untracked cache",
    },
    forceUntrackedCache: {
      long: "--force-untracked-cache",

      help: "enable untracked cache without testing the filesystem",
    },
    forceWrite: {
      long: "--force-write-index",

      help: "write out the index even if is not flagged as changed",
    },
    fsmonitor: { long: "--fsmonitor", help: "enable or disable file system monitor" },
    fsmonitorValid: { long: "--fsmonitor-valid", help: "mark files as fsmonitor valid" },
  },
  unknownOption: (option) => {
    const name = option.replace(/^--?/, () => "");
    const what = option.startsWith("--") ? "option" : "switch";
    return new GitError("EUSAGE", `unknown ${what} '${name}'`, { hint: usageText({ usage: [USAGE], flags: {} }) });
  },
  async run(context, { flags, args, afterDashes, order }) {
    const repo = await context.workTree();
    if (flags.splitIndex) throw new GitError("EUNSUPPORTED", "a split index is not supported here");
    if (flags.unresolve)
      throw new GitError("EUNSUPPORTED", "git update-index --unresolve is not supported here; use 'git checkout -m'");
    const lock = await lockIndex(repo);
    try {
      const display = { verbose: false };
      let code = 0;
      const report = (event: UpdateIndexEvent) => {
        if (event.kind === "needs update" || event.kind === "needs merge") code = 1;
        if (event.kind === "ignored") context.err(`Ignoring path ${event.path}\n`);
        else context.out(eventText(event, display.verbose));
      };
      const updater = await IndexUpdater.open(repo, report);
      const paths = [...args, ...(afterDashes ?? [])];
      await replay(context, repo, updater, order, paths, display);
      await updater.commit(lock, flags.forceWrite ?? false);
      return code;
    } catch (error) {
      await lock.release();
      throw error;
    }
  },
});

function eventText(event: UpdateIndexEvent, verbose: boolean): string {
  switch (event.kind) {
    case "needs update":
    case "needs merge":
      return `${event.path}: ${event.kind}\n`;
    case "added":
      return verbose ? `add '${event.path}'\n` : "";
    case "removed":
      return verbose ? `remove '${event.path}'\n` : "";
    case "chmod":
      return verbose ? `chmod ${event.change} '${event.path}'\n` : "";
    default:
      return "";
  }
}

const USAGE = "git update-index [<options>] [--] [<file>...]";

async function replay(
  context: CommandContext,
  repo: Repository & { readonly workTree: string },
  updater: IndexUpdater,
  order: readonly { name: string; value: string | boolean; at: number }[],
  paths: readonly string[],
  display: { verbose: boolean },
): Promise<void> {
  let nextPath = 0;
  const takePaths = async (upTo: number) => {
    for (; nextPath < upTo; nextPath++) await updater.update(placed(repo, paths[nextPath] as string));
  };
  for (const [i, { name, value, at }] of order.entries()) {
    await takePaths(at);
    const isLast = i === order.length - 1 && paths.length === 0;
    if (name === "cacheinfo") nextPath += cacheInfo(updater, String(value), paths.slice(nextPath));
    else if (name === "stdin" || name === "indexInfo") {
      if (!isLast)
        throw new GitError("EUSAGE", `option '${name === "stdin" ? "stdin" : "index-info"}' must be the last argument`);
      const nul = order.some((one) => one.name === "nul" && one.value === true);
      for await (const line of context.stdin.lines(nul ? "\0" : "\n")) {
        if (name === "stdin") await updater.update(placed(repo, nul ? line : unquotedLine(line)));
        else updater.indexInfo(line, nul);
      }
    } else if (name === "again") {
      // git takes all later arguments as a pathspec.
      await updater.again(parsePathspec(repo, paths.slice(nextPath), { prefer: "cwd" }));
      nextPath = paths.length;
    } else if (name === "verbose") display.verbose = value === true;
    else await updater.option(name, value);
  }
  await takePaths(paths.length);
}

/** Returns the number of arguments used: the old form has separate object and path arguments. */
function cacheInfo(updater: IndexUpdater, value: string, following: readonly string[]): number {
  const [, mode, oid, path] = /^([0-7]+),([0-9a-fA-F]{40}),(.+)$/s.exec(value) ?? [];
  const whole = oid === undefined ? null : parseOid(oid);
  if (mode !== undefined && whole !== null && path !== undefined) {
    updater.cacheInfo(Number.parseInt(mode, 8), whole, path, 0);
    return 0;
  }
  const separate = parseOid(following[0] ?? "");
  if (!/^[0-7]+$/.test(value) || separate === null || following[1] === undefined) {
    throw new GitError("EUSAGE", "option 'cacheinfo' expects <mode>,<sha1>,<path>");
  }
  updater.cacheInfo(Number.parseInt(value, 8), separate, following[1], 0);
  return 2;
}

function placed(repo: Repository, path: string): string {
  const inside = pathInTree(repo, path);
  if (inside === null) throw new GitError("EINVAL", `'${path}' is outside repository at '${repo.workTree ?? ""}'`);
  return inside;
}
