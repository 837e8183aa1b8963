/** Options that `git status` and `git commit --dry-run` share, with the configuration behind them. */
import type { GitConfig } from "../../config/git-config.ts";
import { GitError } from "../../errors.ts";
import type { RenameSettings } from "../../porcelain/status/collect-status.ts";
import type { Repository } from "../../repository.ts";

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

interface RenameFlags {
  readonly renames?: boolean;
  readonly findRenames?: string | boolean;
}

const DEFAULT_LIMIT = 1000;

/** Null: no rename detection. */
export function renameSettings({ config }: Repository, { renames, findRenames }: RenameFlags): RenameSettings | null {
  const limit = config.getInt("status.renamelimit") ?? config.getInt("diff.renamelimit") ?? DEFAULT_LIMIT;
  if (renames === true) return null;
  const configured = config.get("status.renames") !== undefined ? "status.renames" : "diff.renames";
  const text = config.get(configured)?.toLowerCase();
  const isCopies = text === "copies" || text === "copy";
  if (findRenames !== undefined && findRenames !== false) {
    const score = findRenames === true ? 0 : similarity(findRenames.replace(/^=/, () => ""));
    return { renames: isCopies ? "copies" : "renames", score, limit };
  }
  if (renames === false) return { renames: "renames", score: 0, limit };
  if (isCopies) return { renames: "copies", score: 0, limit };
  return (config.getBool(configured) ?? true) ? { renames: "renames", score: 0, limit } : null;
}

/** "50%", "50" or "5": a fraction of ten, a hundred, … unless it ends with a percent sign. */
function similarity(text: string): number {
  const [, digits = "0", sign] = /^(\d+(?:\.\d*)?)(%?)$/.exec(text) ?? [];
  const fraction = sign === "%" ? Number(digits) / 100 : Number(`0.${digits.replace(".", () => "")}`);
  return Math.min(60_000, Math.floor(fraction * 60_000));
}
