/** Options that `git status` and `git commit --dry-run` share, with the configuration behind them. */
import type { GitConfig } from "../../config/git-config.ts";
import { GitError } from "../../errors.ts";

export type StatusFormat = "unset" | "long" | "short" | "v1" | "v2";

export function untrackedMode(config: GitConfig, flag: string | boolean | undefined): "no" | "normal" | "all" {
  if (flag === true) return "all";
  if (typeof flag === "string") {
    if (flag === "no" || flag === "normal" || flag === "all") return flag;
    throw new GitError("EINVAL", `Invalid untracked files mode '${flag}'`);
  }
  const configured = config.get("status.showuntrackedfiles");
  if (configured === undefined) return "normal";
  if (configured === "no" || configured === "normal" || configured === "all") return configured;
  throw new GitError("EINVAL", `Invalid untracked files mode '${configured}'`);
}

export function ignoredMode(flag: string | boolean | undefined): "no" | "traditional" | "matching" {
  if (flag === undefined || flag === false) return "no";
  if (flag === true) return "traditional";
  if (flag === "no" || flag === "traditional" || flag === "matching") return flag;
  throw new GitError("EINVAL", `Invalid ignored mode '${flag}'`);
}
