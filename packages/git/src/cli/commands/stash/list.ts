/** Subcommands that read or change the list of stashes: `stash list`, `show`, `drop`, `clear` and `store`. */

import { GitError } from "../../../errors.ts";
import { NO_STAT } from "../../../index/compare-stat.ts";
import { IndexEditor } from "../../../index/index-editor.ts";
import { indexFromColumns, readColumnarIndex } from "../../../index/read-index.ts";
import { walkTree } from "../../../index/read-tree.ts";
import { writeTree } from "../../../index/write-tree.ts";
import { EMPTY_TREE, type Oid } from "../../../object/oid.ts";
import { findStash, refuseUnlisted, STASH, type StashEntry } from "../../../porcelain/stash/stash-entry.ts";
import { clearStashes, dropStash, storeStash } from "../../../porcelain/stash/stash-list.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { peelTo } from "../../../revision/peel.ts";
import { logOutputEncoding, reencode, UTF8 } from "../../../text/encodings.ts";
import type { CommandContext } from "../../framework/command.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { diffAndPrint, diffArguments } from "../diff/diff-and-print.ts";
import { logTable, printLog } from "../log/run-log.ts";

export async function listCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  const repo = await context.repository();
  if ((await repo.refs.resolve(STASH))?.oid == null) return 0;
  // The common case, without options, needs no commits.
  if (argv.length === 0) {
    const entries = (await repo.refs.reflog(STASH)).reverse();
    const encoding = logOutputEncoding(repo.config);
    const displayed = (text: string) => reencode(text, UTF8, encoding) ?? text;
    context.out(entries.map(({ message }, at) => `stash@{${at}}: ${displayed(message)}\n`).join(""));
    return 0;
  }
  const words = ["--format=%gd: %gs", "-g", "--first-parent", "-m", ...argv, STASH, "--"];
  return printLog(context, parseFlags(logTable, words));
}

/** Options are those of diff; any other argument names the stash. */
export async function showCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  let untracked: "no" | "also" | "only" | undefined;
  const options: string[] = [];
  const words: string[] = [];
  for (const word of argv) {
    if (word === "-u" || word === "--include-untracked") untracked = "also";
    else if (word === "--no-include-untracked") untracked = "no";
    else if (word === "--only-untracked") untracked = "only";
    else if (word.startsWith("-") && word !== "--") options.push(word);
    else if (word !== "--") words.push(word);
  }
  const repo = await context.repository();
  const stash = await findStash(repo, words);
  untracked ??= repo.config.getBool("stash.showincludeuntracked") ? "also" : "no";
  if (options.length === 0) {
    if (repo.config.getBool("stash.showstat") ?? true) options.push("--stat");
    if (repo.config.getBool("stash.showpatch")) options.push("-p");
    if (options.length === 0) return 0;
  }
  const [from, to] = await sides(repo, stash, untracked);
  return diffAndPrint(context, parseFlags(diffArguments, [...options, from, to, "--"]));
}

async function sides(
  repo: Repository,
  { baseTree, workTree, untrackedTree }: StashEntry,
  untracked: "no" | "also" | "only",
): Promise<[Oid, Oid]> {
  if (untracked === "only") return [EMPTY_TREE, untrackedTree ?? EMPTY_TREE];
  if (untracked === "no" || untrackedTree === null) return [baseTree, workTree];
  const index = indexFromColumns(await readColumnarIndex(repo));
  const editor = new IndexEditor({ ...index, entries: [], tree: null, extensions: [] });
  for (const tree of [workTree, untrackedTree])
    for await (const file of walkTree(repo.odb, tree, { limits: repo.limits }))
      editor.set({ ...file, stage: 0, stat: NO_STAT });
  return [baseTree, (await writeTree(repo.odb, editor.finish())).oid];
}

const quietFlag = {
  quiet: { short: "-q", long: "--quiet", help: "be quiet, only report errors" },
} as const;

export const dropTable = { usage: ["git stash drop [-q | --quiet] [<stash>]"], flags: quietFlag };

export const storeTable = {
  usage: ["git stash store [(-m | --message) <message>] [-q | --quiet] <commit>"],
  flags: {
    ...quietFlag,
    message: { short: "-m", long: "--message", value: "string", arg: "message", help: "stash message" },
  },
} as const;

export async function dropCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(dropTable, argv);
  const repo = await context.repository();
  const stash = await findStash(repo, [...args, ...(afterDashes ?? [])]);
  refuseUnlisted(stash);
  return drop(context, repo, stash, flags.quiet ?? false);
}

export async function drop(
  context: CommandContext,
  repo: Repository,
  { name, oid }: StashEntry,
  quiet: boolean,
): Promise<number> {
  await dropStash(repo, name);
  if (!quiet) context.out(`Dropped ${name} (${oid})\n`);
  return 0;
}

export async function clearCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  const { args, afterDashes } = parseFlags({ usage: ["git stash clear"], flags: {} }, argv);
  if (args.length + (afterDashes?.length ?? 0) > 0)
    throw new GitError("EINVAL", "git stash clear with arguments is unimplemented", { prefix: "error", exitCode: 1 });
  await clearStashes(await context.repository());
  return 0;
}

export async function storeCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(storeTable, argv);
  const words = [...args, ...(afterDashes ?? [])];
  const refuse = (text: string, prefix: "" | "error" = "") => new GitError("EINVAL", text, { prefix, exitCode: 1 });
  if (words.length !== 1) throw refuse('"git stash store" requires one <commit> argument');
  const repo = await context.repository();
  const found = await findRevision({ ...repo, warn: undefined }, words[0] as string);
  const oid = found && (await peelTo(repo, found.oid, "commit"));
  if (!oid) throw refuse(`Cannot update ${STASH} with ${words[0]}`);
  await storeStash(repo, oid, flags.message || 'Created via "git stash store".');
  return 0;
}
