/** `git remote` and its subcommands. */
import { setLocalConfig } from "../../../config/write-config.ts";
import { GitError } from "../../../errors.ts";
import {
  addRemote,
  hasRemote,
  noSuchRemote,
  remoteNames,
  removeRemote,
  renameRemote,
} from "../../../porcelain/remote/change-remote.ts";
import { reflogIdentity } from "../../../repository/identity.ts";
import { openRepository } from "../../../repository/open-repository.ts";
import type { Repository } from "../../../repository.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { usageText } from "../../framework/usage-text.ts";
import { fetchAndPrint } from "../fetch/fetch-and-print.ts";
import { fetchArguments } from "../fetch/fetch-flags.ts";
import { pruneRemotes, pruneTable, setHeadAuto, updateRemotes, updateTable } from "./query.ts";
import { showRemote } from "./show.ts";
import { getUrl, getUrlTable, pushUrls, setUrl, setUrlTable, urlsOf } from "./urls.ts";

const addTable = {
  usage: ["git remote add [<options>] <name> <url>"],
  flags: {
    fetch: { short: "-f", long: "--fetch", help: "fetch the remote branches" },
    tags: { long: "--tags", help: "import all tags and associated objects when fetching" },
    track: { short: "-t", long: "--track", value: "list", arg: "<branch>", help: "branch(es) to track" },
    master: { short: "-m", long: "--master", value: "string", arg: "<branch>", help: "master branch" },
    mirror: {
      long: "--mirror",
      value: "optional",
      arg: "(push|fetch)",
      help: "set up remote as a mirror to push to or fetch from",
    },
  },
} as const;

const renameTable = {
  usage: ["git remote rename [--[no-]progress] <old> <new>"],
  flags: { progress: { long: "--progress", help: "force progress reporting" } },
} as const;

const removeTable = { usage: ["git remote remove <name>"], flags: {} } as const;

const setBranchesTable = {
  usage: ["git remote set-branches <name> <branch>...", "git remote set-branches --add <name> <branch>..."],
  flags: { add: { long: "--add", help: "add branch" } },
} as const;

const setHeadTable = {
  usage: ["git remote set-head <name> (-a | --auto | -d | --delete | <branch>)"],
  flags: {
    auto: { short: "-a", long: "--auto", help: "set refs/remotes/<name>/HEAD according to remote" },
    delete: { short: "-d", long: "--delete", help: "delete refs/remotes/<name>/HEAD" },
  },
} as const;

export const remote = defineCommand({
  name: "remote",
  usage: [
    "git remote [-v | --verbose]",
    "git remote add [-t <branch>] [-m <master>] [-f] [--tags | --no-tags] [--mirror=<fetch|push>] <name> <url>",
    "git remote rename [--[no-]progress] <old> <new>",
    "git remote remove <name>",
    "git remote set-head <name> (-a | --auto | -d | --delete | <branch>)",
    "git remote [-v | --verbose] show [-n] <name>",
    "git remote prune [-n | --dry-run] <name>",
    "git remote [-v | --verbose] update [-p | --prune] [(<group> | <remote>)...]",
    "git remote set-branches [--add] <name> <branch>...",
    "git remote get-url [--push] [--all] <name>",
    "git remote set-url [--push] <name> <newurl> [<oldurl>]",
    "git remote set-url --add <name> <newurl>",
    "git remote set-url --delete <name> <url>",
  ],
  flags: {
    verbose: { short: "-v", long: "--verbose", help: "be verbose; must be placed before a subcommand" },
  },
  subcommands: {
    add: addTable,
    rename: renameTable,
    remove: removeTable,
    "set-head": setHeadTable,
    "set-branches": setBranchesTable,
    prune: pruneTable,
    update: updateTable,
    "get-url": getUrlTable,
    "set-url": setUrlTable,
  },
  stopAtNonOption: true,
  async run(context, { flags, args, afterDashes }) {
    const argv = [...args, ...(afterDashes === null ? [] : ["--", ...afterDashes])];
    const [name, ...rest] = argv;
    const repo = await context.repository();
    if (name === undefined) return list(context, repo, flags.verbose ?? false);
    const task = tasks[name === "rm" ? "remove" : name];
    if (!task) throw new GitError("EUSAGE", `unknown subcommand: \`${name}'`, { hint: usageText(remote) });
    return task(context, repo, rest);
  },
});

type Task = (context: CommandContext, repo: Repository, argv: readonly string[]) => Promise<number>;

async function list(context: CommandContext, repo: Repository, verbose: boolean): Promise<number> {
  for (const name of remoteNames(repo)) {
    if (!verbose) {
      context.out(`${name}\n`);
      continue;
    }
    const filter = repo.config.get(`remote.${name}.partialclonefilter`);
    context.out(`${name}\t${urlsOf(repo, name)[0] ?? name} (fetch)${filter ? ` [${filter}]` : ""}\n`);
    for (const url of pushUrls(repo, name)) context.out(`${name}\t${url} (push)\n`);
  }
  return 0;
}

const tasks: Readonly<Record<string, Task>> = {
  add: async (context, repo, argv) => {
    const { flags, args, afterDashes } = parseFlags(addTable, argv);
    const words = [...args, ...(afterDashes ?? [])];
    if (words.length !== 2) throw remoteUsageError(addTable);
    const mirror =
      flags.mirror === true ? "both" : flags.mirror === "fetch" || flags.mirror === "push" ? flags.mirror : undefined;
    if (flags.mirror === true)
      context.err(
        "warning: --mirror is dangerous and deprecated; please\n\t use --mirror=fetch or --mirror=push instead\n",
      );
    if (flags.mirror && !mirror)
      throw new GitError("EUSAGE", `unknown mirror argument: ${flags.mirror}`, { hint: usageText(addTable) });
    if (mirror && flags.master) throw new GitError("EINVAL", "specifying a master branch makes no sense with --mirror");
    if (mirror === "push" && flags.track?.length)
      throw new GitError("EINVAL", "specifying branches to track makes sense only with fetch mirrors");
    await addRemote(repo, {
      name: words[0] as string,
      url: words[1] as string,
      track: flags.track,
      ...(flags.master ? { master: flags.master } : {}),
      ...(flags.tags === undefined ? {} : { tagOption: flags.tags ? "--tags" : "--no-tags" }),
      ...(mirror ? { mirror } : {}),
    });
    if (!flags.fetch) return 0;
    context.out(`Updating ${words[0]}\n`);
    // Reopened, so that it knows the new remote.
    const fresh = await openRepository(context.host, context.open);
    return fetchAndPrint(
      { ...context, repository: async () => fresh },
      parseFlags(fetchArguments, [words[0] as string]),
    );
  },
  rename: async (_context, repo, argv) => {
    const { args, afterDashes } = parseFlags(renameTable, argv);
    const [from, to, more] = [...args, ...(afterDashes ?? [])];
    if (from === undefined || to === undefined || more !== undefined) throw remoteUsageError(renameTable);
    await renameRemote(repo, from, to);
    return 0;
  },
  remove: async (context, repo, argv) => {
    const { args, afterDashes } = parseFlags(removeTable, argv);
    const [name, more] = [...args, ...(afterDashes ?? [])];
    if (name === undefined || more !== undefined) throw remoteUsageError(removeTable);
    const retained = await removeRemote(repo, name);
    const [what, it] =
      retained.length === 1
        ? ["A branch", "was not removed;\nto delete it"]
        : ["Some branches", "were not removed;\nto delete them"];
    if (retained.length > 0) context.err(`Note: ${what} outside the refs/remotes/ hierarchy ${it}, use:\n`);
    for (const branch of retained) context.err(`  git branch -d ${branch}\n`);
    return 0;
  },
  prune: pruneRemotes,
  update: updateRemotes,
  "get-url": getUrl,
  "set-url": setUrl,
  show: (context, repo, argv) => {
    if (argv.filter((word) => word !== "-n").length === 0) return list(context, repo, false);
    return showRemote(context, repo, argv);
  },
  "set-head": setHead,
  "set-branches": async (_context, repo, argv) => {
    const { flags, args, afterDashes } = parseFlags(setBranchesTable, argv);
    const [name, ...branches] = [...args, ...(afterDashes ?? [])];
    if (name === undefined) throw new GitError("EUSAGE", "no remote specified", { hint: usageText(setBranchesTable) });
    if (!hasRemote(repo, name)) throw noSuchRemote(name);
    const key = `remote.${name}.fetch`;
    if (!flags.add && repo.config.getAll(key).length === 0) return 1;
    const mirrors = repo.config.getBool(`remote.${name}.mirror`);
    const specs = branches.map((branch) => ({
      key,
      value: mirrors ? `+refs/${branch}:refs/${branch}` : `+refs/heads/${branch}:refs/remotes/${name}/${branch}`,
      add: true,
    }));
    await setLocalConfig(repo, [...(flags.add ? [] : [{ key, value: null }]), ...specs]);
    return 0;
  },
};

async function setHead(context: CommandContext, repo: Repository, argv: readonly string[]): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(setHeadTable, argv);
  const [name, branch, more] = [...args, ...(afterDashes ?? [])];
  const head = `refs/remotes/${name}/HEAD`;
  if (name === undefined || more !== undefined) throw remoteUsageError(setHeadTable);
  if (flags.auto && branch === undefined && !flags.delete) return setHeadAuto(context, repo, name);
  if (flags.delete && branch === undefined) {
    await repo.refs.update([{ name: head, to: null, noDeref: true }], reflogIdentity(repo));
    return 0;
  }
  if (flags.delete || branch === undefined) throw remoteUsageError(setHeadTable);
  const target = `refs/remotes/${name}/${branch}`;
  if (!(await repo.refs.resolve(target))?.oid) {
    throw new GitError("ENOTFOUND", `Not a valid ref: ${target}`, { prefix: "error", exitCode: 1 });
  }
  await repo.refs.update([{ name: head, to: { symbolic: target }, message: "remote set-head" }], reflogIdentity(repo));
  return 0;
}

function remoteUsageError(command: Parameters<typeof usageText>[0]): GitError {
  return new GitError("EUSAGE", "", { prefix: "", hint: usageText(command) });
}
