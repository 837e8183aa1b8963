/** Whether a pull merges or rebases, and whether it must or must not fast-forward: from options, then configuration. */
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";

export interface PullStrategy {
  readonly rebase: boolean | "merges";
  /** Neither an option nor the configuration decides. */
  readonly isUnspecified: boolean;
  /** Null: unspecified. */
  readonly fastForward: "allow" | "only" | "never" | null;
}

type StrategySource = Pick<Repository, "config">;

export function rebaseWay(
  { config }: StrategySource,
  input: string | boolean | undefined,
  branch: string | null,
): Pick<PullStrategy, "rebase" | "isUnspecified"> {
  if (typeof input === "boolean") return { rebase: input, isUnspecified: false };
  const refuse = (key: string, value: string): GitError =>
    key === "--rebase"
      ? new GitError("EUSAGE", `invalid value for '${key}': '${value}'`)
      : new GitError("EINVAL", `invalid value for '${key}': '${value}'`);
  if (input !== undefined) return { rebase: wantsRebase("--rebase", input, undefined, refuse), isUnspecified: false };
  for (const key of [...(branch === null ? [] : [`branch.${branch}.rebase`]), "pull.rebase"]) {
    const value = config.get(key);
    if (value !== undefined)
      return { rebase: wantsRebase(key, value, () => config.getBool(key), refuse), isUnspecified: false };
  }
  return { rebase: false, isUnspecified: true };
}

function wantsRebase(
  key: string,
  value: string,
  asBool: (() => boolean | undefined) | undefined,
  refuse: (key: string, value: string) => GitError,
): PullStrategy["rebase"] {
  if (/^(true|yes|on|1)$/i.test(value)) return true;
  if (/^(false|no|off|0|)$/i.test(value)) return asBool?.() ?? false;
  if (/^(merges|m)$/.test(value)) return "merges";
  if (/^(interactive|i)$/.test(value))
    throw new GitError("EUNSUPPORTED", `pull --rebase=${value} is not supported here; use --rebase`);
  throw refuse(key, value);
}

export function fastForwardWay(
  { config }: StrategySource,
  order: readonly { readonly name: string; readonly value: string | boolean }[],
  saysRebase: boolean,
): PullStrategy["fastForward"] {
  let way: PullStrategy["fastForward"] = null;
  for (const { name, value } of order) {
    if (name === "ff") way = value === false ? "never" : "allow";
    if (name === "ffOnly") way = "only";
  }
  const configured = config.get("pull.ff");
  if (way !== null || configured === undefined) return way;
  // `--[no-]rebase` overrides `pull.ff=only`.
  if (configured === "only") return saysRebase ? "allow" : "only";
  if (/^(true|yes|on|1)$/i.test(configured)) return "allow";
  if (/^(false|no|off|0|)$/i.test(configured)) return "never";
  throw new GitError("EINVAL", `invalid value for 'pull.ff': '${configured}'`);
}
