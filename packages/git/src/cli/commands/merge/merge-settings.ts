/** What options and configuration say of a merge: whether it may fast-forward, by which strategies, and how its message is made. */
import { GitError } from "../../../errors.ts";
import type { Cleanup } from "../../../porcelain/commit-message.ts";
import type { MergeOptions } from "../../../porcelain/merge/merge.ts";
import { STRATEGIES, type StrategyName } from "../../../porcelain/merge/run-strategy.ts";
import type { WorkRepository } from "../../../worktree/survey.ts";
import type { ParsedFlags } from "../../flag-table.ts";
import type { mergeFlags } from "../merge-flags.ts";

type Parsed = ParsedFlags<typeof mergeFlags>;

export function fastForwardOf(repo: WorkRepository, order: Parsed["order"]): MergeOptions["fastForward"] {
  const configured = repo.config.get("merge.ff")?.toLowerCase();
  let way: MergeOptions["fastForward"] =
    configured === "only"
      ? "only"
      : configured !== undefined && /^(?:false|no|off|0|)$/.test(configured)
        ? "never"
        : "allow";
  for (const { name, value } of order) {
    if (name === "ff") way = value === true ? "allow" : "never";
    if (name === "ffOnly") way = "only";
  }
  return way;
}

export function logOf({ config }: WorkRepository): number {
  const value = config.get("merge.log");
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value);
  return config.getBool("merge.log") ? 20 : 0;
}

export function strategiesOf(repo: WorkRepository, { strategy }: Parsed["flags"]): StrategyName[] {
  const words = strategy ?? repo.config.get("pull.twohead")?.split(/\s+/) ?? [];
  for (const word of words) {
    if ((STRATEGIES as readonly string[]).includes(word)) continue;
    const known = "octopus ours recursive resolve subtree";
    throw new GitError("EINVAL", `Could not find merge strategy '${word}'.\nAvailable strategies are: ${known}.`, {
      prefix: "",
      exitCode: 1,
    });
  }
  return strategy ? (words as StrategyName[]) : [];
}

export function cleanupOf({ cleanup, edit }: Parsed["flags"]): Cleanup {
  if (!cleanup || cleanup === "default") return edit ? "strip" : "whitespace";
  if (cleanup === "scissors") return edit ? "scissors" : "whitespace";
  if (cleanup === "verbatim" || cleanup === "whitespace" || cleanup === "strip") return cleanup;
  throw new GitError("EINVAL", `Invalid cleanup mode ${cleanup}`);
}
