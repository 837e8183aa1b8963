/** Settings of a commit from requests and configuration: how its message is cleaned up, and its date. */
import type { GitConfig } from "../../config/git-config.ts";
import { approxidate } from "../../date/approxidate.ts";
import { localTime, zoneText } from "../../date/local-time.ts";
import { parseDate } from "../../date/parse-date.ts";
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import type { Cleanup } from "./commit-message.ts";

export function commitCleanup(config: GitConfig, requested: string | undefined, edit: boolean): Cleanup {
  const text = requested || config.get("commit.cleanup") || "default";
  switch (text) {
    case "default":
      return edit ? "strip" : "whitespace";
    case "scissors":
      return edit ? "scissors" : "whitespace";
    case "verbatim":
    case "whitespace":
    case "strip":
      return text;
    default:
      throw new GitError("EINVAL", `Invalid cleanup mode ${text}`);
  }
}

/** Parses an approximate or exact date. */
export function commitDate({ host, env }: Repository, text: string): string {
  const time = localTime(host, env);
  if (parseDate(text, time)) return text;
  const { seconds, understood } = approxidate(text, time);
  return understood ? `@${seconds} ${zoneText(time.offset(seconds))}` : text;
}
