/** Patterns of git's options, with git's error for an invalid one: POSIX basic or extended, fixed strings, or Perl's. */
import { GitError } from "../errors.ts";
import { compileRegex } from "./compile-regex.ts";

export interface PosixOptions {
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
