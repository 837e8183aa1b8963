/** A query as ripgrep's command line. Includes come before excludes: the last glob that matches wins. */
import type { Query } from "./question.ts";

const ALWAYS = ["--no-config", "--sort=path", "--color=never"];

export interface RgPlace {
  /** The argument that says where to search. */
  target: string;
  /** Else `.gitignore` is respected all the same, as in a workspace; but then inner repositories have no border. */
  inRepository: boolean;
}

export function rgArgv(query: Query, { target, inRepository }: RgPlace): string[] {
  const argv = [...ALWAYS, ...outputFlags(query), ...(inRepository ? [] : ["--no-require-git"])];
  const flag = (on: unknown, ...names: string[]) => {
    if (on) argv.push(...names);
  };
  flag(!query.regex, "--fixed-strings");
  flag(query.ignoreCase, "--ignore-case");
  flag(query.smartCase && !query.ignoreCase, "--smart-case");
  flag(query.word && !query.line, "--word-regexp");
  flag(query.line, "--line-regexp");
  flag(query.invert, "--invert-match");
  flag(query.multiline, "--multiline");
  flag(query.dotAll, "--multiline-dotall");
  flag(query.binary, "--text");
  flag(query.maxDepth !== undefined, `--max-depth=${query.maxDepth}`);
  flag(query.hidden, "--hidden");
  flag(query.ignore === false, "--no-ignore");
  for (const glob of query.include ?? []) argv.push(`--glob=${glob}`);
  for (const glob of query.exclude ?? []) argv.push(`--glob=!${glob}`);
  for (const type of query.types ?? [])
    argv.push(type.startsWith("!") ? `--type-not=${type.slice(1)}` : `--type=${type}`);
  const before = query.before ?? query.context;
  const after = query.after ?? query.context;
  flag(before, `--before-context=${before}`);
  flag(after, `--after-context=${after}`);
  flag(query.maxPerFile !== undefined, `--max-count=${query.maxPerFile}`);
  for (const pattern of query.mode === "names" ? [] : [query.pattern].flat()) argv.push(`--regexp=${pattern}`);
  return [...argv, "--", target];
}

function outputFlags({ mode = "lines" }: Query): string[] {
  switch (mode) {
    case "lines":
      return ["--json"];
    case "files":
      return ["--files-with-matches", "--null"];
    case "count":
      return ["--count", "--null", "--with-filename"];
    case "names":
      return ["--files", "--null"];
    default:
      return mode satisfies never;
  }
}
