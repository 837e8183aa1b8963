/** `git grep`. */
import { wantColor } from "../../../config/color.ts";
import { fromLatin1, toLatin1 } from "../../../config/config-syntax.ts";
import { createConfig } from "../../../config/create-config.ts";
import type { GitConfig } from "../../../config/git-config.ts";
import { GitError } from "../../../errors.ts";
import { GrepPrinter } from "../../../format/grep-printer.ts";
import { GrepExpression, type GrepToken } from "../../../porcelain/grep/grep-expression.ts";
import {
  type GrepFile,
  type GrepObject,
  type GrepQuery,
  type GrepScope,
  grepFiles,
} from "../../../porcelain/grep/grep-files.ts";
import { patternSyntax } from "../../../porcelain/log/select-commits.ts";
import type { Repository } from "../../../repository.ts";
import { encode } from "../../../text/bytes.ts";
import { quotePath, quotesFully } from "../../../text/quote-path.ts";
import { relativePath } from "../../../text/relative-path.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { splitAtDashes, splitRevisionsAndPaths, takePatterns } from "./grep-arguments.ts";
import { type GrepParsed, grepFlags } from "./grep-flags.ts";

const NO_CONFIG = createConfig([]);

export const grep = defineCommand({
  name: "grep",
  usage: ["git grep [<options>] [-e] <pattern> [<rev>...] [[--] <path>...]"],
  flags: grepFlags,
  stopAtNonOption: true,
  async run(context, input) {
    const parsed = splitAtDashes(input);
    const { flags } = parsed;
    const inRepository = flags.index !== true;
    const repo = inRepository ? await context.repository() : await context.repository().catch(() => null);
    const config = repo?.config ?? NO_CONFIG;
    const { tokens, rest } = await takePatterns(context, parsed);
    const query = readQuery(config, parsed, tokens);
    const allowRevisions = inRepository && !flags.untracked;
    const { objects, paths } = await splitRevisionsAndPaths(repo, context, rest, parsed.afterDashes, allowRevisions);
    const scope = readScope(context, flags, objects);
    const printer = createPrinter(config, parsed, query);
    let isHit = false;
    for await (const file of grepFiles(repo, scope, { ...query, paths })) {
      if (flags.filesWithout && file.hits > 0) continue;
      isHit = true;
      if (flags.quiet) break;
      context.out(fromLatin1(fileText(printer, flags, file, displayName(repo, flags, file))));
    }
    return isHit ? 0 : 1;
  },
});

type GrepFlags = GrepParsed["flags"];

function readQuery(config: GitConfig, parsed: GrepParsed, tokens: readonly GrepToken[]): Omit<GrepQuery, "paths"> {
  const { flags: input, order } = parsed;
  const color = wantColor(config, "color.grep", input.color);
  const around = input.contextNumber || input.context || 0;
  const syntax = order.findLast(({ name }) => ["extended", "basic", "fixed", "perl"].includes(name))?.name;
  const expression = new GrepExpression(tokens, {
    syntax: patternSyntax(config, syntax),
    exactEnds: color || input.onlyMatching === true || input.word === true,
    ignoreCase: input.ignoreCase === true,
    word: input.word === true,
    allMatch: input.allMatch === true,
  });
  return {
    expression,
    maxDepth: typeof input.maxDepth === "number" ? input.maxDepth : input.recursive === false ? 0 : -1,
    lines: {
      before: Number(input.before ?? around),
      after: Number(input.after ?? around),
      functionLine: input.showFunction === true,
      functionBody: input.functionContext === true,
      invert: input.invert === true,
      ...(typeof input.maxCount === "number" && input.maxCount >= 0 ? { maxCount: input.maxCount } : {}),
      firstOnly: input.quiet === true || namesOnly(input) || input.filesWithout === true,
      countOnly: input.count === true,
      ranges: color || input.onlyMatching === true,
    },
    withoutMatch: input.filesWithout === true,
    binary: input.text ? "text" : input.noBinary ? "skip" : input.count ? "count" : "first",
  };
}

function readScope({ cwd, env, host }: CommandContext, flags: GrepFlags, objects: readonly GrepObject[]): GrepScope {
  const { untracked, index, cached, excludeStandard } = flags;
  if (index && (untracked || cached))
    throw new GitError(
      "EINVAL",
      `options '--no-index' and '${untracked ? "--untracked" : "--cached"}' cannot be used together`,
    );
  if (untracked && cached) throw new GitError("EINVAL", "options '--untracked' and '--cached' cannot be used together");
  if (index) return { kind: "directory", ignoring: excludeStandard === true, host, cwd, env };
  if (untracked) return { kind: "untracked", ignoring: excludeStandard !== false };
  if (excludeStandard !== undefined)
    throw new GitError("EINVAL", "--[no-]exclude-standard cannot be used for tracked contents");
  if (objects.length > 0) return { kind: "objects", objects };
  return { kind: cached ? "index" : "worktree" };
}

function createPrinter(config: GitConfig, { flags: input, order }: GrepParsed, { lines }: Omit<GrepQuery, "paths">) {
  const names = order.findLast(({ name }) => name === "noName" || name === "withName")?.name;
  return new GrepPrinter(config, {
    names: names !== "noName",
    lineNumbers: input.lineNumber ?? config.getBool("grep.linenumber") ?? false,
    columns: input.column ?? config.getBool("grep.column") ?? false,
    onlyMatching: input.onlyMatching === true,
    heading: input.heading === true,
    fileBreak: input.fileBreak === true,
    nul: input.nul === true,
    separated: (lines.before ?? 0) > 0 || (lines.after ?? 0) > 0 || input.functionContext === true,
    color: wantColor(config, "color.grep", input.color),
  });
}

function namesOnly({ filesWith, nameOnly }: GrepFlags): boolean {
  return filesWith === true || nameOnly === true;
}

function fileText(printer: GrepPrinter, flags: GrepFlags, file: GrepFile, name: string): string {
  if (flags.filesWithout || namesOnly(flags)) return printer.name(name);
  if (flags.count) return printer.count(name, file.hits);
  return file.binary ? printer.binary(name) : printer.lines(name, file);
}

/** One character per byte, as the matches. */
function displayName(repo: Repository | null, flags: GrepFlags, { path, tree }: GrepFile): string {
  const config = repo?.config ?? NO_CONFIG;
  const isFull = flags.fullName ?? config.getBool("grep.fullname") ?? false;
  const displayed = isFull ? path : relativePath(path, repo?.prefix ?? "");
  const quoted = flags.nul ? displayed : quotePath(displayed, { full: quotesFully(config) });
  return toLatin1(encode((tree === null ? "" : `${tree}:`) + quoted));
}
