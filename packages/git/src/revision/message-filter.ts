/** `--grep`, `--author`, `--committer`: filters commits, matching line by line as git does. */
import type { Commit } from "../object/commit.ts";
import { compilePosix, type Pattern, type PosixOptions } from "../regex/posix-regex.ts";

export interface MessageFilterOptions {
  readonly grep?: readonly string[];
  readonly author?: readonly string[];
  readonly committer?: readonly string[];
  readonly grepReflog?: readonly string[];
  readonly ignoreCase?: boolean;
  /** The encoding in which messages are matched. */
  readonly encoding?: string;
  readonly syntax?: PosixOptions["syntax"];
  /** Every `--grep` must match, not just one. */
  readonly allMatch?: boolean;
  /** No `--grep` may match; author and committer still must. */
  readonly invert?: boolean;
}

/** `displayed` are names as shown: with .mailmap, if it is enabled. */
type MessageFilter = (commit: Commit, displayed?: { author?: string; committer?: string; reflog?: string }) => boolean;

/** Null: everything passes. */
export function messageFilter(options: MessageFilterOptions): MessageFilter | null {
  const { ignoreCase = false, syntax = "basic", allMatch = false, invert = false } = options;
  const compile = (texts: readonly string[] = []) => texts.map((text) => compilePosix(text, { syntax, ignoreCase }));
  const grep = compile(options.grep);
  const author = compile(options.author);
  const committer = compile(options.committer);
  const reflog = compile(options.grepReflog);
  if (grep.length + author.length + committer.length + reflog.length === 0) return null;
  return (commit, displayed = {}) => {
    const people = [
      [author, displayed.author ?? who(commit.author)],
      [committer, displayed.committer ?? who(commit.committer)],
      [reflog, displayed.reflog ?? ""],
    ] as const;
    for (const [patterns, text] of people) {
      if (patterns.length > 0 && !patterns.some((pattern) => pattern.test(text))) return false;
    }
    return grep.length === 0 || matchesMessage(grep, commit.message, allMatch) !== invert;
  };
}

function who({ name, email }: { name: string; email: string }): string {
  return `${name} <${email}>`;
}

function matchesMessage(patterns: readonly Pattern[], message: string, all: boolean): boolean {
  const lines = message.split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  const matches = (pattern: Pattern) => lines.some((line) => pattern.test(line));
  return all ? patterns.every(matches) : patterns.some(matches);
}
