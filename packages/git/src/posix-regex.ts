/** Patterns as git's options take them, with git's error for a bad one: POSIX basic or extended, plain text, or Perl's. */
import { GitError } from "./errors.ts";
import { compileRegex } from "./regex/compile-regex.ts";

export interface PosixOptions {
  /** "perl" is JavaScript's own, which is near enough; it alone may take long for a bad pattern. */
  readonly syntax: "basic" | "extended" | "fixed" | "perl";
  readonly ignoreCase?: boolean;
}

export interface Pattern {
  test(text: string): boolean;
  /** The first match at or after `from`. */
  find(text: string, from?: number): { readonly index: number; readonly end: number } | null;
}

export function compilePosix(pattern: string, { syntax, ignoreCase = false }: PosixOptions): Pattern {
  try {
    if (syntax === "perl") return perlPattern(new RegExp(pattern, ignoreCase ? "giu" : "gu"));
    const regex = compileRegex(pattern, { syntax, ignoreCase });
    return {
      test: (text) => regex.test(text),
      find(text, from = 0) {
        const found = regex.exec(text, from);
        return found && { index: found.start, end: found.end };
      },
    };
  } catch (error) {
    throw new GitError("EINVAL", `command line, '${pattern}': ${(error as Error).message}`, { cause: error });
  }
}

function perlPattern(regex: RegExp): Pattern {
  const find = (text: string, from = 0) => {
    regex.lastIndex = from;
    const match = regex.exec(text);
    return match && { index: match.index, end: match.index + match[0].length };
  };
  return { test: (text) => find(text) !== null, find };
}
