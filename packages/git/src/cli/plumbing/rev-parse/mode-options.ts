/** Options that change how later arguments are printed. */
import { approximateSeconds } from "../../../date/approxidate.ts";
import { localTime } from "../../../date/local-time.ts";
import { GitError } from "../../../errors.ts";
import type { Repository } from "../../../repository.ts";
import type { RevParseOutput } from "./output.ts";

/** Returns true if the word is such an option. */
export function applyMode(output: RevParseOutput, word: string, words: string[]): boolean {
  const [name = "", value] = split(word);
  const next = (what: string): string => {
    const following = words.shift();
    if (following === undefined) throw new GitError("EINVAL", `${what} requires an argument`);
    return following;
  };
  const onlyRevisions = () => {
    output.showsFlags = false;
    output.showsOthers = false;
    output.verify = true;
  };
  switch (name) {
    case "-n": {
      const count = next("-n");
      if (output.showsFlags && output.showsRevisions) {
        output.show("-n");
        output.show(count);
      }
      return true;
    }
    case "--default":
      output.byDefault = next("--default");
      return true;
    case "--prefix":
      output.prefix = next("--prefix");
      return true;
    case "--revs-only":
      output.showsOthers = false;
      return true;
    case "--no-revs":
      output.showsRevisions = false;
      return true;
    case "--flags":
      output.showsNonFlags = false;
      return true;
    case "--no-flags":
      output.showsFlags = false;
      return true;
    case "--verify":
      onlyRevisions();
      return true;
    case "--quiet":
    case "-q":
      output.quiet = true;
      return true;
    case "--short":
      onlyRevisions();
      output.abbrev = value === undefined ? 0 : Math.min(40, Math.max(4, Number.parseInt(value, 10) || 0));
      return true;
    case "--sq":
      output.quoted = true;
      return true;
    case "--not":
      output.reversed = !output.reversed;
      return true;
    case "--symbolic":
      output.symbolic = "as-is";
      return true;
    case "--symbolic-full-name":
      output.symbolic = "full";
      return true;
    case "--abbrev-ref":
      if (value !== undefined && value !== "strict" && value !== "loose") {
        throw new GitError("EINVAL", `unknown mode for --abbrev-ref: ${value}`);
      }
      output.abbreviatedRef = value ?? "strict";
      return true;
    case "--path-format":
      if (value !== "absolute" && value !== "relative") {
        throw new GitError("EINVAL", `unknown argument to --path-format: ${value}`);
      }
      output.pathFormat = value;
      return true;
    default:
      return false;
  }
}

/** Converts `--since=…` to the option that git's plumbing takes. */
export function ageOption(repo: Pick<Repository, "host" | "env">, word: string): string | null {
  const [name = "", value = ""] = split(word);
  const option = { "--since": "max", "--after": "max", "--until": "min", "--before": "min" }[name];
  if (option === undefined) return null;
  return `--${option}-age=${approximateSeconds(value, localTime(repo.host, repo.env))}`;
}

export function split(word: string): [string, string | undefined] {
  const equals = word.indexOf("=");
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}
