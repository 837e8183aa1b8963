/** Settings of a merge from options and configuration: fast-forward, strategies, and the message. */
import { GitError } from "../../errors.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import type { Cleanup } from "../commit/commit-message.ts";
import type { MergeOptions } from "./merge.ts";
import { STRATEGIES, type StrategyName } from "./run-strategy.ts";

/** `order`: the options `--ff` and `--ff-only`, as given. */
export function fastForwardOf(
  repo: WorkRepository,
  order: readonly { readonly name: string; readonly value: string | boolean }[] = [],
): MergeOptions["fastForward"] {
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

export function mergeLogLimit({ config }: WorkRepository): number {
  const value = config.get("merge.log");
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value);
  return config.getBool("merge.log") ? 20 : 0;
}

/** Strategies as typed, or as configured for one head or for several. */
export function strategiesOf(
  { config }: WorkRepository,
  { strategy }: { readonly strategy?: readonly string[] } = {},
): Pick<MergeOptions, "strategies" | "byDefault"> {
  const configured = (key: string) => known(config.get(key)?.split(/\s+/).filter(Boolean) ?? []);
  const byDefault = { one: configured("pull.twohead"), many: configured("pull.octopus") };
  return { strategies: known(strategy ?? []), byDefault };
}

function known(words: readonly string[]): readonly StrategyName[] {
  for (const word of words) {
    if ((STRATEGIES as readonly string[]).includes(word)) continue;
    const names = "octopus ours recursive resolve subtree";
    throw new GitError("EINVAL", `Could not find merge strategy '${word}'.\nAvailable strategies are: ${names}.`, {
      prefix: "",
      exitCode: 1,
    });
  }
  return words as StrategyName[];
}

export function mergeCleanup({
  cleanup,
  edit,
}: {
  readonly cleanup?: string | false;
  readonly edit?: boolean;
} = {}): Cleanup {
  if (!cleanup || cleanup === "default") return edit ? "strip" : "whitespace";
  if (cleanup === "scissors") return edit ? "scissors" : "whitespace";
  if (cleanup === "verbatim" || cleanup === "whitespace" || cleanup === "strip") return cleanup;
  throw new GitError("EINVAL", `Invalid cleanup mode ${cleanup}`);
}
