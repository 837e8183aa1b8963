/** Shared by `git cherry-pick` and `git revert`. */

import { GitError } from "../../../errors.ts";
import { pickConflictText } from "../../../format/pick-text.ts";
import type { Oid } from "../../../object/oid.ts";
import { refuseSigning } from "../../../porcelain/commit/refuse-signing.ts";
import {
  actionName,
  type PickAction,
  type PickEvent,
  pickCommits,
  requireCleanIndex,
} from "../../../porcelain/sequencer/pick-commits.ts";
import {
  abortSequence,
  isStopped,
  noneInProgress,
  quitSequence,
  refuseSequence,
  skipOne,
} from "../../../porcelain/sequencer/resume-sequence.ts";
import { beginSequence, readSequence, type SequenceOptions } from "../../../porcelain/sequencer/sequence-state.ts";
import { commitSummary } from "../../../pretty/commit-summary.ts";
import { isNoOpEditor } from "../../../repository/editor.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { FlagTable, ParsedFlags } from "../../framework/flag-table.ts";
import { commitIndex } from "../commit/commit-and-print.ts";
import { pickedCommits } from "./picked-commits.ts";

export const pickFlags = {
  quit: { long: "--quit", help: "end revert or cherry-pick sequence", noNegation: true },
  continue: { long: "--continue", help: "resume revert or cherry-pick sequence", noNegation: true },
  abort: { long: "--abort", help: "cancel revert or cherry-pick sequence", noNegation: true },
  skip: { long: "--skip", help: "skip current commit and continue", noNegation: true },
  cleanup: {
    long: "--cleanup",
    value: "string",
    arg: "<mode>",
    help: "how to strip spaces and #comments from message",
  },
  noCommit: { short: "-n", long: "--no-commit", help: "don't automatically commit" },
  commit: { long: "--commit", help: "opposite of --no-commit", hidden: true },
  edit: { short: "-e", long: "--edit", help: "edit the commit message" },
  signoff: { short: "-s", long: "--signoff", help: "add a Signed-off-by trailer" },
  mainline: {
    short: "-m",
    long: "--mainline",
    value: "string",
    arg: "<parent-number>",
    help: "select mainline parent",
  },
  rerereAutoupdate: {
    long: "--rerere-autoupdate",

    help: "update the index with reused conflict resolution if possible",
  },
  strategy: { long: "--strategy", value: "string", arg: "<strategy>", help: "merge strategy" },
  strategyOption: {
    short: "-X",
    long: "--strategy-option",
    value: "list",
    arg: "<option>",
    help: "option for merge strategy",
  },
  gpgSign: { short: "-S", long: "--gpg-sign", value: "optional", arg: "<key-id>", help: "GPG sign commit" },
} as const satisfies FlagTable;

type PickArgs = ParsedFlags<typeof pickFlags>;

export async function runPick(
  context: CommandContext,
  usage: () => string,
  action: PickAction,
  parsed: PickArgs,
  more: SequenceOptions,
): Promise<number> {
  const { flags, args, afterDashes } = parsed;
  const repo = await context.workTree();
  const step = (["quit", "continue", "abort", "skip"] as const).find((name) => flags[name]);
  try {
    if (step !== undefined) return await resume(context, repo, action, step);
    const words = [...args, ...(afterDashes ?? [])];
    if (words[0] === "-") words[0] = "@{-1}";
    if (words.length === 0) throw new GitError("EUSAGE", "", { prefix: "", hint: usage() });
    refuseSigning(repo, flags.gpgSign);
    if (flags.strategy && !["ort", "recursive", "resolve"].includes(flags.strategy))
      throw new GitError("EUNSUPPORTED", `the strategy '${flags.strategy}' is not supported here`);
    if (flags.edit && !isNoOpEditor(repo))
      throw new GitError("EUNSUPPORTED", "an editor is not started here; use --no-edit, and 'git commit --amend -m'");
    const options: SequenceOptions = {
      ...more,
      ...(flags.noCommit || flags.commit === false ? { noCommit: true } : {}),
      ...(flags.signoff ? { signoff: true } : {}),
      ...(flags.mainline ? { mainline: mainlineOf(flags.mainline) } : {}),
      ...(flags.cleanup ? { cleanup: flags.cleanup } : {}),
      ...(flags.strategyOption ? { strategyOptions: flags.strategyOption } : {}),
    };
    const { todo, single } = await pickedCommits(context, repo, action, words, usage);
    if (todo.length === 0) throw new GitError("EINVAL", "empty commit set passed", { prefix: "error" });
    if (single) return await pick(context, repo, action, todo, options, false);
    await refuseSequence(repo);
    const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
    await beginSequence(repo, head, options);
    return await pick(context, repo, action, todo, options, true);
  } catch (error) {
    if (error instanceof GitError && error.prefix === "error" && error.code !== "EUSAGE") {
      // An error of git's library is fatal for the command.
      context.err(`error: ${error.message}\n${error.hint ?? ""}`);
      const fatal = error.message.includes("\nfatal: ") ? "" : `${actionName(action)} failed`;
      throw new GitError(error.code, fatal, fatal === "" ? { prefix: "", exitCode: 128 } : {});
    }
    throw error;
  }
}

async function pick(
  context: CommandContext,
  repo: WorkRepository,
  action: PickAction,
  todo: readonly Oid[],
  options: SequenceOptions,
  inSequence: boolean,
): Promise<number> {
  const report = async (event: PickEvent) => {
    if (event.kind === "merged") context.out(event.messages.map((line) => `${line}\n`).join(""));
    else context.out(await commitSummary(repo, event.oid, event.commit, { ...event, showDate: true }));
  };
  const end = await pickCommits(repo, action, todo, options, report, inSequence);
  if (end.kind === "conflict") context.err(pickConflictText(repo, action, end));
  // There is nothing to commit, and git commit says so.
  else if (end.kind === "empty") await commitIndex(context, repo);
  return end.kind === "done" ? 0 : 1;
}

function mainlineOf(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new GitError("EUSAGE", "option `mainline' expects a number greater than zero");
}

async function resume(
  context: CommandContext,
  repo: WorkRepository,
  action: PickAction,
  step: "quit" | "continue" | "abort" | "skip",
): Promise<number> {
  if (step === "quit") await quitSequence(repo);
  else if (step === "abort") await abortSequence(repo);
  if (step === "quit" || step === "abort") return 0;
  if (step === "skip") await skipOne(repo, action);
  const sequence = await readSequence(repo);
  const stopped = await isStopped(repo);
  if (step === "continue") {
    if (sequence === null && !stopped) throw noneInProgress();
    if (stopped) {
      const code = await commitIndex(context, repo, { edit: false, cleanup: "strip" });
      if (code !== 0 || sequence === null) return code;
    }
  }
  if (sequence === null) return 0;
  const { broken } = sequence;
  if (broken !== "") throw new GitError("ESTATE", broken, { prefix: "error" });
  if (sequence.action !== action)
    throw new GitError("ESTATE", `cannot ${actionName(action)} during a ${actionName(sequence.action)}.`, {
      prefix: "error",
    });
  await requireCleanIndex(repo, action, (await repo.refs.resolve("HEAD"))?.oid ?? null);
  return pick(context, repo, sequence.action, sequence.todo.slice(1), sequence.options, true);
}
