/** Resolves the settings of rename detection for `git status`: from the request, else from the configuration. */
import type { Repository } from "../../repository.ts";
import type { RenameSettings } from "./collect-status.ts";

export interface RenameRequest {
  /** `--no-renames`; false cancels it. */
  readonly renames?: boolean;
  /** `--find-renames`, with its similarity. */
  readonly findRenames?: string | boolean;
}

const DEFAULT_LIMIT = 1000;

/** Null: no rename detection. */
export function renameSettings(
  { config }: Repository,
  { renames, findRenames }: RenameRequest = {},
): RenameSettings | null {
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
