/** `git grep` as data: the matching lines of tracked files, or of a revision. */
import { fromLatin1, toLatin1 } from "../../config/config-syntax.ts";
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { decode, encode } from "../../text/bytes.ts";
import { patternSyntax } from "../log/select-commits.ts";
import { GrepExpression } from "./grep-expression.ts";
import { type GrepScope, grepFiles } from "./grep-files.ts";

export interface GrepRequest {
  /** Each of its lines is a pattern. */
  readonly pattern: string;
  /** Default "basic" regular expressions. */
  readonly syntax?: "basic" | "extended" | "fixed";
  readonly ignoreCase?: boolean;
  readonly word?: boolean;
  readonly revision?: string;
  readonly paths?: readonly string[];
}

export interface GrepMatch {
  /** From the top of the work tree. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Of the first match, from 1, in bytes. */
  readonly column: number;
  readonly text: string;
  /** All matches in the line: [start, end) from 0, in bytes. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** Binary files are skipped. */
export async function* grep(repo: Repository, request: GrepRequest): AsyncGenerator<GrepMatch> {
  const { pattern, syntax = "basic", ignoreCase = false, word = false, paths = [] } = request;
  const tokens = pattern.split("\n").map((line) => ({ kind: "pattern" as const, text: toLatin1(encode(line)) }));
  const query = {
    expression: new GrepExpression(tokens, {
      syntax: patternSyntax(repo.config, syntax),
      exactEnds: true,
      ignoreCase,
      word,
    }),
    paths,
    maxDepth: -1,
    lines: { ranges: true },
    withoutMatch: false,
    binary: "skip" as const,
  };
  for await (const { path, displayed } of grepFiles(repo, await findScope(repo, request), query)) {
    for (const { line, column, text, ranges } of displayed)
      yield {
        path,
        line,
        column,
        text: decode(fromLatin1(text)),
        ranges: ranges.map(({ start, end }) => ({ start, end })),
      };
  }
}

async function findScope(repo: Repository, { revision }: GrepRequest): Promise<GrepScope> {
  if (revision === undefined) return { kind: "worktree" };
  const found = await findRevision(repo, revision, {});
  if (found === null) throw new GitError("ENOTFOUND", `unable to resolve revision: ${revision}`);
  return { kind: "objects", objects: [{ name: revision, oid: found.oid, path: found.path ?? null }] };
}
