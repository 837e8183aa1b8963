/** `stash apply`, `stash pop` and `stash branch`. */
import { GitError } from "../../../errors.ts";
import type { Oid } from "../../../object/oid.ts";
import { newBranchName } from "../../../porcelain/checkout/switch.ts";
import { applyStash } from "../../../porcelain/stash/apply-stash.ts";
import { NeedsMerge } from "../../../porcelain/stash/create-stash.ts";
import { findStash, refuseUnlisted, type StashEntry } from "../../../porcelain/stash/stash-entry.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import type { CommandContext } from "../../framework/command.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { switchTo } from "../checkout/switch-to.ts";
import { printStatus } from "../status/print-status.ts";
import { drop } from "./list.ts";

const flags = {
  quiet: { short: "-q", long: "--quiet", help: "be quiet, only report errors" },
  index: { long: "--index", help: "attempt to recreate the index" },
} as const;

export const applyTable = { usage: ["git stash apply [--index] [-q | --quiet] [<stash>]"], flags };
export const popTable = { usage: ["git stash pop [--index] [-q | --quiet] [<stash>]"], flags };

export async function applyCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  const input = parseFlags(applyTable, argv);
  const stash = await findStash(await context.repository(), [...input.args, ...(input.afterDashes ?? [])]);
  return apply(context, stash, input.flags);
}

export async function popCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  const input = parseFlags(popTable, argv);
  const repo = await context.workTree();
  const stash = await findStash(repo, [...input.args, ...(input.afterDashes ?? [])]);
  refuseUnlisted(stash);
  const failed = await apply(context, stash, input.flags).catch((error) => {
    if (!(error instanceof GitError)) throw error;
    if (error instanceof NeedsMerge) context.out(error.lines);
    else context.err(`${error.prefix === "" ? "" : `${error.prefix}: `}${error.message}\n${error.hint ?? ""}`);
    return 1;
  });
  if (failed === 0) return drop(context, repo, stash, input.flags.quiet ?? false);
  context.out("The stash entry is kept in case you need it again.\n");
  return 1;
}

async function apply(
  context: CommandContext,
  stash: StashEntry,
  { quiet = false, index = false }: { readonly quiet?: boolean; readonly index?: boolean },
): Promise<number> {
  const { clean, output, errors } = await applyStash(await context.workTree(), stash, { index });
  context.out(output);
  context.err(errors);
  if (!quiet) await printStatus(context, { flags: {}, args: [], afterDashes: null, order: [] });
  return clean ? 0 : 1;
}

export async function branchCommand(context: CommandContext, argv: readonly string[]): Promise<number> {
  const usage = ["git stash branch <branchname> [<stash>]"];
  const { args, afterDashes } = parseFlags({ usage, flags: {} }, argv);
  const [name, ...words] = [...args, ...(afterDashes ?? [])];
  if (name === undefined) throw new GitError("EINVAL", "No branch name specified", { prefix: "", exitCode: 1 });
  const repo = await context.workTree();
  const stash = await findStash(repo, words);
  await switchToNew(context, repo, name, stash.base).catch((error) => {
    if (!(error instanceof GitError)) throw error;
    const { code, message, prefix, hint } = error;
    throw new GitError(code, message, { exitCode: 1, prefix, cause: error, ...(hint === undefined ? {} : { hint }) });
  });
  const failed = await apply(context, stash, { index: true });
  return failed === 0 && stash.isListed ? drop(context, repo, stash, false) : failed;
}

/** As `checkout -b <name> <start>`. */
async function switchToNew(context: CommandContext, repo: WorkRepository, name: string, start: Oid): Promise<void> {
  const branch = await newBranchName(repo, name);
  const target = { branch, commit: start, name: branch };
  await switchTo(context, repo, { target, create: { name, start, force: false }, force: false, quiet: false });
}
