/** A tree and questions about it that are known to go wrong. */
import type { Query, Tree } from "../question.ts";

export interface HardCase {
  name: string;
  tree: Tree;
  queries: readonly Query[];
}

/** One file, many patterns. */
export function patterns(name: string, text: string | { bytes: string }, ...queries: (string | Query)[]): HardCase {
  const entry = typeof text === "string" ? { path: "file.txt", text } : { path: "file.txt", ...text };
  return { name, tree: [entry], queries: queries.map(regex) };
}

/** A bare string is a regex without flags. */
function regex(query: string | Query): Query {
  return typeof query === "string" ? { pattern: query, regex: true } : query;
}

/** Patterns as they are, without a string's escapes; between them a line's end or two blanks. */
export function list({ raw }: TemplateStringsArray): string[] {
  return raw
    .join("")
    .trim()
    .split(/\s{2,}/);
}

/** The same patterns with the same flags. */
export function each(flags: Omit<Query, "pattern">, ...list: string[]): Query[] {
  return list.map((pattern) => ({ pattern, regex: true, ...flags }));
}

/** Lists what would be searched: every file that is not empty, text and not ignored. */
export const EVERYTHING: Query = { pattern: "", mode: "files" };
