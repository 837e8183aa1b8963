/** Expands `alias.<name>` from the configuration into words before the arguments. Refuses an alias that would start a shell. */
import { createConfig } from "../../config/create-config.ts";
import type { GitConfig } from "../../config/git-config.ts";
import { loadConfig } from "../../config/load-config.ts";
import { GitError } from "../../errors.ts";
import { defaultGitLimits } from "../../limits.ts";
import type { CommandContext } from "./command.ts";

const MAX = 32;

/** Returns null if there is no alias of that name. `seen` holds the names expanded so far, to detect a loop. */
export async function expandAlias(context: CommandContext, name: string, seen: string[]): Promise<string[] | null> {
  const config = await configOf(context);
  const value = config.get(`alias.${name.toLowerCase()}`);
  if (value === undefined) return null;
  if (value.startsWith("!"))
    throw new GitError("EUNSUPPORTED", `alias '${name}' runs a shell command, which is never done here`);
  if (seen.includes(name) || seen.length >= MAX) throw loop(name, seen);
  seen.push(name);
  const words = splitWords(value, name);
  if (words.length === 0) {
    const reported = `expansion of alias '${name}' failed; '' is not a git command`;
    throw new GitError("EINVAL", reported, { prefix: "", exitCode: 1 });
  }
  if (words[0] === name) throw new GitError("EINVAL", `recursive alias: ${name}`);
  return words;
}

/** Outside a repository: the user's own configuration. */
async function configOf({ host, env, open, repository }: CommandContext): Promise<GitConfig> {
  try {
    return (await repository()).config;
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== "ENOREPO") throw error;
    const limits = { ...defaultGitLimits, ...host.limits };
    return createConfig(await loadConfig({ fs: host.fs, limits, env, command: open.config }));
  }
}

function loop(name: string, seen: readonly string[]): GitError {
  const lines = seen.map((one, at) => {
    const mark = one === name ? " <==" : at === seen.length - 1 ? " ==>" : "";
    return `\n  ${one}${mark}`;
  });
  return new GitError("EINVAL", `alias loop detected: expansion of '${seen[0]}' does not terminate:${lines.join("")}`);
}

/** Handles quotes and backslashes as a shell does, nothing else. */
function splitWords(text: string, alias: string): string[] {
  const bad = (why: string) => new GitError("EINVAL", `bad alias.${alias} string: ${why}`);
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (quote === "" && /\s/.test(letter)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (quote === "" && (letter === "'" || letter === '"')) {
      quote = letter;
      word ??= "";
    } else if (letter === quote) quote = "";
    else if (letter === "\\" && quote !== "'") {
      if (++at >= text.length) throw bad("cmdline ends with \\");
      word = (word ?? "") + text[at];
    } else word = (word ?? "") + letter;
  }
  if (quote !== "") throw bad("unclosed quote");
  if (word !== null) words.push(word);
  return words;
}
