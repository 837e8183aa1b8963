/** Parses the arguments of `git grep`: patterns, revisions, then paths. */

import { toLatin1 } from "../../../config/config-syntax.ts";
import { GitError } from "../../../errors.ts";
import type { GrepToken } from "../../../porcelain/grep/grep-expression.ts";
import type { GrepObject } from "../../../porcelain/grep/grep-files.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { ambiguousArgument } from "../../../revision/resolve-revision.ts";
import { decode, encode } from "../../../text/bytes.ts";
import type { CommandContext } from "../../framework/command.ts";

import type { GrepParsed } from "./grep-flags.ts";

/**
 * Splits the arguments at "--". Options end at the first argument that is not an option; a "--" after it separates the paths. A
 * "--" before it only ends the options.
 */
export function splitAtDashes(parsed: GrepParsed): GrepParsed {
  const words = parsed.args.length > 0 ? parsed.args : (parsed.afterDashes ?? []);
  const isPattern = parsed.flags.pattern === undefined && parsed.flags.file === undefined;
  if (parsed.args.length === 0 && !isPattern) return parsed;
  const dashes = words.indexOf("--");
  return dashes < 0
    ? { ...parsed, args: words, afterDashes: null }
    : { ...parsed, args: words.slice(0, dashes), afterDashes: words.slice(dashes + 1) };
}

/** Returns the pattern tokens and the arguments after them. Without `-e` or `-f`, the first argument is the pattern. */
export async function takePatterns(context: CommandContext, { order, args, flags: input }: GrepParsed) {
  const tokens: GrepToken[] = [];
  for (const { name, value } of order) {
    if (name === "pattern") tokens.push(...patternTokens(String(value), "-e option"));
    else if (name === "and" || name === "or" || name === "not") tokens.push({ kind: name });
    else if (name === "open") tokens.push({ kind: "(" });
    else if (name === "close") tokens.push({ kind: ")" });
    else if (name === "file") tokens.push(...(await patternsInFile(context, String(value))));
  }
  const hasPattern = input.pattern !== undefined || input.file !== undefined;
  if (hasPattern) return { tokens, rest: args };
  if (args.length === 0) throw new GitError("EINVAL", "no pattern given");
  return { tokens: [...tokens, ...patternTokens(args[0] as string)], rest: args.slice(1) };
}

/** Each line is a separate pattern. */
function patternTokens(text: string, origin?: string): GrepToken[] {
  return text
    .split("\n")
    .map((line) => ({ kind: "pattern", text: toLatin1(encode(line)), ...(origin ? { origin } : {}) }));
}

async function patternsInFile({ host, cwd, stdin }: CommandContext, name: string): Promise<GrepToken[]> {
  let bytes: Uint8Array | null = name === "-" ? await stdin.bytes() : null;
  if (bytes === null) [bytes = null] = await host.fs.readMany([name.startsWith("/") ? name : `${cwd}/${name}`]);
  if (bytes === null) throw new GitError("ENOTFOUND", `cannot open '${name}': No such file or directory`);
  const lines = decode(bytes)
    .replace(/\n$/, () => "")
    .split("\n");
  return lines.flatMap((line, at) => (line === "" ? [] : patternTokens(line, `In '${name}' at ${at + 1}`)));
}

/** Splits the remaining arguments: revisions come first, and the first argument that is not a revision starts the paths. */
export async function splitRevisionsAndPaths(
  repo: Repository | null,
  context: CommandContext,
  rest: readonly string[],
  afterDashes: readonly string[] | null,
  allowRevisions: boolean,
): Promise<{ objects: GrepObject[]; paths: string[] }> {
  const objects: GrepObject[] = [];
  if (!allowRevisions && afterDashes !== null && rest.length > 0)
    throw new GitError("EINVAL", "--no-index or --untracked cannot be used with revs");
  let at = 0;
  for (; repo !== null && allowRevisions && at < rest.length; at++) {
    const name = rest[at] as string;
    if (afterDashes === null && name.startsWith("-")) throw lateOption(name);
    const found = await findRevision(repo, name, {});
    if (found === null) {
      if (afterDashes !== null) throw new GitError("ENOTFOUND", `unable to resolve revision: ${name}`);
      break;
    }
    if (afterDashes === null && (await isFile(context, name))) {
      const hint = "both revision and filename";
      throw ambiguousArgument(name, hint);
    }
    objects.push({ name, oid: found.oid, path: found.path ?? null });
  }
  const words = rest.slice(at);
  if (afterDashes === null) {
    for (const [i, word] of words.entries()) {
      if (word.startsWith("-")) throw lateOption(word);
      if (/^:|[*?[\\]/.test(word) || (await isFile(context, word))) continue;
      throw i === 0 && allowRevisions ? ambiguousArgument(word) : noSuchPath(word);
    }
  }
  return { objects, paths: [...words, ...(afterDashes ?? [])] };
}

function lateOption(word: string): GitError {
  return new GitError("EINVAL", `option '${word}' must come before non-option arguments`);
}

function noSuchPath(word: string): GitError {
  const advice = "Use 'git <command> -- <path>...' to specify paths that do not exist locally.";
  return new GitError("ENOTFOUND", `${word}: no such path in the working tree.\n${advice}`);
}

async function isFile({ host, cwd }: CommandContext, name: string): Promise<boolean> {
  const path = name.startsWith("/") ? name : `${cwd}/${name}`;
  return host.fs.lstat(path).then(
    () => true,
    () => false,
  );
}
