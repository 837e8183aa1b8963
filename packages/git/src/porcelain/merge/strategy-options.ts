/** Parses `-X <option>` of merge, cherry-pick, revert and rebase. */
import { MAX_SCORE } from "../../diff/file-pair.ts";
import { GitError } from "../../errors.ts";
import type { StrategyOptions } from "../../merge/merge-context.ts";
import type { Repository } from "../../repository.ts";

const WHITESPACE = {
  "ignore-space-change": "change",
  "ignore-all-space": "all",
  "ignore-space-at-eol": "at-eol",
  "ignore-cr-at-eol": "cr-at-eol",
} as const;
/** `ort` always uses histogram, as in git 2.39. */
const ALGORITHMS = new Set(["patience", "histogram", "diff-algorithm=patience", "diff-algorithm=minimal"]);

export function strategyOptions(
  { config }: Pick<Repository, "config">,
  words: readonly string[] = [],
): StrategyOptions {
  const configured = config.get("merge.renames") ?? config.get("diff.renames");
  const isOff = configured !== undefined && /^(false|no|off|0)$/i.test(configured);
  let options: StrategyOptions = {
    ...(isOff ? { renames: false } : {}),
    ...(config.getBool("merge.renormalize") ? { renormalize: true } : {}),
  };
  for (const input of words) {
    const word = input.replace(/^--/, () => "");
    const [name = "", value] = [
      word.split("=", 1)[0],
      word.includes("=") ? word.slice(word.indexOf("=") + 1) : undefined,
    ];
    if (word === "ours" || word === "theirs") options = { ...options, favor: word };
    else if (word in WHITESPACE) options = { ...options, whitespace: WHITESPACE[word as keyof typeof WHITESPACE] };
    else if (word === "renormalize") options = { ...options, renormalize: true };
    else if (word === "no-renormalize") options = { ...options, renormalize: false };
    else if (word === "no-renames") options = { ...options, renames: false };
    else if (word === "find-renames") options = { ...options, renames: true, renameScore: MAX_SCORE / 2 };
    else if (name === "find-renames" || name === "rename-threshold")
      options = { ...options, renames: true, renameScore: parseSimilarity(value ?? "", word) };
    else if (name === "subtree")
      throw new GitError("EUNSUPPORTED", "the strategy option 'subtree' is not supported here");
    else if (!ALGORITHMS.has(word) && name !== "diff-algorithm")
      throw new GitError("EINVAL", `unknown strategy option: -X${input}`);
  }
  return options;
}

/** "50%", or a fraction without its point: "5" and "50" mean a half. */
function parseSimilarity(text: string, word: string): number {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? [];
  if (digits === undefined) throw new GitError("EINVAL", `unknown strategy option: -X${word}`);
  if (percent === "%") return Math.min(MAX_SCORE, Math.floor((Number(digits) * MAX_SCORE) / 100));
  if (digits.includes(".")) return Math.min(MAX_SCORE, Math.floor(Number(digits) * MAX_SCORE));
  return Math.floor((Number(digits) * MAX_SCORE) / 10 ** digits.length);
}
