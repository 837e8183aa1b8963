/** Checks which options of rebase may be combined, and rejects unsupported ones. */
import { GitError } from "../../../errors.ts";
import { refuseSigning } from "../../../porcelain/commit/refuse-signing.ts";
import { checkExec } from "../../../porcelain/rebase/run-exec.ts";
import type { WorkRepository } from "../../../worktree/work-tree-stats.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { usageText } from "../../framework/usage-text.ts";
import { rebaseFlags } from "./rebase-flags.ts";

type RebaseFlags = ParsedFlags<typeof rebaseFlags>["flags"];

export const rebaseUsage = [
  "git rebase [-i] [options] [--exec <cmd>] [--onto <newbase> | --keep-base] [<upstream> [<branch>]]",
  "git rebase [-i] [options] [--exec <cmd>] [--onto <newbase>] --root [<branch>]",
  "git rebase --continue | --abort | --skip | --edit-todo",
];

const STEPS = ["continue", "skip", "abort", "quit", "editTodo", "showCurrentPatch"] as const;

type RebaseStep = (typeof STEPS)[number];

/** `--continue` and the like allow no other option. `words`: the number of arguments. */
export function rebaseStep(order: ParsedFlags<typeof rebaseFlags>["order"], words: number): RebaseStep | undefined {
  const [step, other] = order.flatMap(({ name }) => STEPS.find((one) => one === name) ?? []);
  if (step !== undefined && other !== undefined && other !== step)
    throw new GitError("EUSAGE", `option \`${stepName(other)}' is incompatible with --${stepName(step)}`);
  if (step !== undefined && order.length + words > 1) throw usageError();
  return step;
}

function stepName(step: RebaseStep): string {
  return rebaseFlags[step].long.slice(2);
}

export function usageError(): GitError {
  return new GitError("EUSAGE", "", { prefix: "", hint: usageText({ usage: rebaseUsage, flags: rebaseFlags }) });
}

export function refuseUnsupported(repo: WorkRepository, flags: RebaseFlags): void {
  const refuse = (text: string) => new GitError("EUNSUPPORTED", text);
  checkExec(repo, flags.exec ?? []);
  refuseSigning(repo, flags.gpgSign);
  const cannot = (a: string, b: string) => new GitError("EINVAL", `options '${a}' and '${b}' cannot be used together`);
  if (flags.keepBase && flags.onto) throw cannot("--keep-base", "--onto");
  if (flags.keepBase && flags.root) throw cannot("--keep-base", "--root");
  if (flags.root && flags.forkPoint) throw cannot("--root", "--fork-point");
  if (flags.empty && !["drop", "keep", "ask"].includes(flags.empty)) {
    const known = 'valid values are "drop", "keep", and "ask".';
    throw new GitError("EINVAL", `unrecognized empty type '${flags.empty}'; ${known}`);
  }
  if (flags.apply) throw refuse("--apply is not supported here; leave it out");
  if (flags.strategy && flags.strategy !== "ort" && flags.strategy !== "recursive")
    throw refuse(`the strategy '${flags.strategy}' is not supported here`);
}

/** Null: does not recreate merges. */
export function mergesMode({ rebaseMerges }: RebaseFlags): boolean | null {
  if (rebaseMerges === undefined || rebaseMerges === false) return null;
  if (rebaseMerges === true || rebaseMerges === "" || rebaseMerges === "no-rebase-cousins") return false;
  if (rebaseMerges === "rebase-cousins") return true;
  throw new GitError("EINVAL", `Unknown mode: ${rebaseMerges}`);
}
