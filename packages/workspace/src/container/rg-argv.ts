/** A query as ripgrep's command line: only the flags that decide which lines match. The sink limits their number. */
import type { GrepQuery } from "@workspace/protocol";

const ALWAYS = ["--no-config", "--sort=path", "--color=never", "--json", "--no-messages"];

export interface RgPlace {
  /** The argument that names where to search, relative to the base of globs. */
  target: string;
  /** Otherwise `.gitignore` still applies, as in a workspace. */
  inRepository: boolean;
}

export function rgArgv(query: GrepQuery, { target, inRepository }: RgPlace): string[] {
  const argv = ["rg", ...ALWAYS, ...(inRepository ? [] : ["--no-require-git"])];
  const flag = (on: unknown, name: string) => {
    if (on) argv.push(name);
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
  flag(query.hidden, "--hidden");
  flag(!query.ignore, "--no-ignore");
  flag(query.maxDepth !== null, `--max-depth=${query.maxDepth}`);
  flag(query.before, `--before-context=${query.before}`);
  flag(query.after, `--after-context=${query.after}`);
  flag(query.maxPerFile < Number.MAX_SAFE_INTEGER, `--max-count=${query.maxPerFile}`);
  flag(true, `--max-filesize=${query.maxFileBytes}`);
  for (const { glob, ignoreCase } of query.globs) argv.push(`--${ignoreCase ? "iglob" : "glob"}=${glob}`);
  for (const { type, exclude } of query.types) argv.push(`--type${exclude ? "-not" : ""}=${type}`);
  for (const pattern of query.patterns) argv.push(`--regexp=${pattern}`);
  return [...argv, "--", target];
}
