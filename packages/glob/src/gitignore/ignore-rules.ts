/**
 * One compiled ignore file: finds the last rule that matches a path. Its rules share one automaton for names and one for paths
 * (more if the file is very long), so a file of 200 rules costs no more than one of two.
 */
import { Matcher } from "../automaton/matcher.ts";
import { ACCEPT, ACCEPT_DIRECTORY, Nfa } from "../automaton/nfa.ts";
import { MAX_IGNORE_STATES } from "../limits.ts";
import { type IgnoreRule, type ParsedIgnore, parseIgnoreLines } from "./parse-ignore.ts";
import { buildWildmatch } from "./wildmatch.ts";

export interface IgnoreRules extends ParsedIgnore {
  /** The source of the rules, such as "src/.gitignore". */
  readonly source: string;
  /** The last rule that matches. `path` is a byte string, the file's directory ends before `from`, the name starts at `name`. */
  last(path: string, from: number, name: number, isDirectory: boolean): IgnoreRule | null;
}

/** Git's rules in `content`. Never throws: a line over the limit is in `skipped`. */
export function parseIgnore(content: string | Uint8Array, source = ".gitignore"): IgnoreRules {
  const parsed = parseIgnoreLines(content);
  const names = compileRules(parsed.rules, "name");
  const paths = compileRules(parsed.rules, "path");
  return {
    ...parsed,
    source,
    last: (path, from, name, isDirectory) => {
      const byName = lastMatch(names, path, name, isDirectory);
      const byPath = lastMatch(paths, path, from, isDirectory);
      return parsed.rules[Math.max(byName, byPath)] ?? null;
    },
  };
}

interface RuleChunk {
  readonly matcher: Matcher;
  /** Of the automaton's rules: their index among all. */
  readonly indexes: readonly number[];
}

function compileRules(rules: readonly IgnoreRule[], subject: IgnoreRule["subject"]): RuleChunk[] {
  const chunks: { nfa: Nfa; indexes: number[] }[] = [];
  rules.forEach((rule, index) => {
    if (rule.subject !== subject) return;
    let chunk = chunks.at(-1);
    if (!chunk || chunk.nfa.states.length + rule.glob.length > MAX_IGNORE_STATES) {
      chunk = { nfa: new Nfa(rule.pattern), indexes: [] };
      chunks.push(chunk);
    }
    const accept = rule.directoriesOnly ? ACCEPT_DIRECTORY : ACCEPT;
    chunk.nfa.starts.push(buildWildmatch(chunk.nfa, rule.glob, subject, accept));
    chunk.indexes.push(index);
  });
  return chunks.map(({ nfa, indexes }) => ({ matcher: new Matcher(nfa), indexes }));
}

function lastMatch(chunks: readonly RuleChunk[], path: string, from: number, isDirectory: boolean): number {
  for (let i = chunks.length - 1; i >= 0; i--) {
    const { matcher, indexes } = chunks[i]!;
    const rule = matcher.match(path, isDirectory, from);
    if (rule >= 0) return indexes[rule]!;
  }
  return -1;
}
