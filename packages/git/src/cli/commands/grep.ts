/** `git grep`. */
import { decode, encode } from "../../bytes.ts";
import { colorWanted } from "../../color.ts";
import { fromBinary, toBinary } from "../../config/config-syntax.ts";
import { createConfig } from "../../config/create-config.ts";
import { GitError } from "../../errors.ts";
import type { Oid } from "../../oid.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { GrepExpression, type GrepToken } from "../../porcelain/grep/grep-expression.ts";
import { type GrepFileOptions, grepFile } from "../../porcelain/grep/grep-file.ts";
import {
  directorySources,
  type GrepSource,
  indexSources,
  readBlob,
  treeSources,
} from "../../porcelain/grep/grep-sources.ts";
import { quotePath, quotesFully } from "../../quote-path.ts";
import { relativePath } from "../../relative-path.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTags, peelTo } from "../../revision/peel.ts";
import { ambiguousArgument } from "../../revision/resolve-revision.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import type { ParsedFlags } from "../flag-table.ts";
import { GrepPrinter, type GrepPrintOptions } from "./grep-printer.ts";

const flags = {
  cached: { long: "--cached", value: "none", help: "search in index instead of in the work tree" },
  index: { long: "--no-index", value: "none", help: "find in contents not managed by git" },
  untracked: { long: "--untracked", value: "none", help: "search in both tracked and untracked files" },
  excludeStandard: { long: "--exclude-standard", value: "none", help: "ignore files specified via '.gitignore'" },
  recurseSubmodules: { long: "--recurse-submodules", value: "none", help: "recursively search in each submodule" },
  invert: { long: "--invert-match", short: "-v", value: "none", help: "show non-matching lines" },
  ignoreCase: { long: "--ignore-case", short: "-i", value: "none", help: "case insensitive matching" },
  word: { long: "--word-regexp", short: "-w", value: "none", help: "match patterns only at word boundaries" },
  text: { long: "--text", short: "-a", value: "none", help: "process binary files as text" },
  noBinary: { short: "-I", value: "none", help: "don't match patterns in binary files" },
  textconv: { long: "--textconv", value: "none", help: "process binary files with textconv filters" },
  recursive: { long: "--recursive", short: "-r", value: "none", help: "search in subdirectories (default)" },
  maxDepth: { long: "--max-depth", value: "number", arg: "<depth>", help: "descend at most <depth> levels" },
  extended: { long: "--extended-regexp", short: "-E", value: "none", help: "use extended POSIX regular expressions" },
  basic: { long: "--basic-regexp", short: "-G", value: "none", help: "use basic POSIX regular expressions (default)" },
  fixed: { long: "--fixed-strings", short: "-F", value: "none", help: "interpret patterns as fixed strings" },
  perl: { long: "--perl-regexp", short: "-P", value: "none", help: "use Perl-compatible regular expressions" },
  lineNumber: { long: "--line-number", short: "-n", value: "none", help: "show line numbers" },
  column: { long: "--column", value: "none", help: "show column number of first match" },
  noName: { short: "-h", value: "none", help: "don't show filenames" },
  withName: { short: "-H", value: "none", help: "show filenames" },
  fullName: { long: "--full-name", value: "none", help: "show filenames relative to top directory" },
  filesWith: {
    long: "--files-with-matches",
    short: "-l",
    value: "none",
    help: "show only filenames instead of matching lines",
  },
  nameOnly: { long: "--name-only", value: "none", help: "synonym for --files-with-matches" },
  filesWithout: {
    long: "--files-without-match",
    short: "-L",
    value: "none",
    help: "show only the names of files without match",
  },
  nul: { long: "--null", short: "-z", value: "none", help: "print NUL after filenames" },
  onlyMatching: { long: "--only-matching", short: "-o", value: "none", help: "show only matching parts of a line" },
  count: { long: "--count", short: "-c", value: "none", help: "show the number of matches instead of matching lines" },
  color: { long: "--color", value: "optional", arg: "<when>", help: "highlight matches" },
  fileBreak: { long: "--break", value: "none", help: "print empty line between matches from different files" },
  heading: { long: "--heading", value: "none", help: "show filename only once above matches from same file" },
  context: {
    long: "--context",
    short: "-C",
    value: "number",
    arg: "<n>",
    help: "show <n> context lines before and after matches",
  },
  before: {
    long: "--before-context",
    short: "-B",
    value: "number",
    arg: "<n>",
    help: "show <n> context lines before matches",
  },
  after: {
    long: "--after-context",
    short: "-A",
    value: "number",
    arg: "<n>",
    help: "show <n> context lines after matches",
  },
  threads: { long: "--threads", value: "number", arg: "<n>", help: "use <n> worker threads" },
  contextNumber: { short: "-NUM", value: "number", help: "shortcut for -C NUM" },
  showFunction: {
    long: "--show-function",
    short: "-p",
    value: "none",
    help: "show a line with the function name before matches",
  },
  functionContext: { long: "--function-context", short: "-W", value: "none", help: "show the surrounding function" },
  file: { short: "-f", value: "list", arg: "<file>", help: "read patterns from file" },
  pattern: { short: "-e", value: "list", arg: "<pattern>", help: "match <pattern>" },
  and: { long: "--and", value: "none", help: "combine patterns specified with -e", noNegation: true },
  or: { long: "--or", value: "none", help: "", noNegation: true },
  not: { long: "--not", value: "none", help: "", noNegation: true },
  open: { short: "(", value: "none", help: "" },
  close: { short: ")", value: "none", help: "" },
  quiet: { long: "--quiet", short: "-q", value: "none", help: "indicate hit with exit status without output" },
  allMatch: { long: "--all-match", value: "none", help: "show only matches from files that match all patterns" },
  maxCount: {
    long: "--max-count",
    short: "-m",
    value: "number",
    arg: "<n>",
    help: "maximum number of results per file",
  },
  pager: {
    long: "--open-files-in-pager",
    short: "-O",
    value: "optional",
    arg: "<pager>",
    help: "show matching files in the pager",
  },
} as const;

type Parsed = ParsedFlags<typeof flags>;

export const grep = defineCommand({
  name: "grep",
  usage: ["git grep [<options>] [-e] <pattern> [<rev>...] [[--] <path>...]"],
  flags,
  stopsAtFirst: true,
  async run(context, given) {
    const parsed = withDashes(given);
    const useIndex = parsed.flags.index !== true;
    const repo = useIndex ? await context.repository() : await context.repository().catch(() => null);
    const { tokens, rest } = await patternsOf(context, parsed);
    const search = new GrepRun(context, repo, parsed, tokens);
    const allowRevisions = useIndex && !parsed.flags.untracked;
    const { objects, paths } = await splitRest(repo, context, rest, parsed.afterDashes, allowRevisions);
    return (await search.run(objects, paths)) ? 0 : 1;
  },
});

/** Options end with the first word that is none; what follows may still have "--" before its paths. A first "--" ends options only. */
function withDashes(parsed: Parsed): Parsed {
  const words = parsed.args.length > 0 ? parsed.args : (parsed.afterDashes ?? []);
  const isPattern = parsed.flags.pattern === undefined && parsed.flags.file === undefined;
  if (parsed.args.length === 0 && !isPattern) return parsed;
  const dashes = words.indexOf("--");
  return dashes < 0
    ? { ...parsed, args: words, afterDashes: null }
    : { ...parsed, args: words.slice(0, dashes), afterDashes: words.slice(dashes + 1) };
}

async function patternsOf(context: CommandContext, { order, args, flags: given }: Parsed) {
  const tokens: GrepToken[] = [];
  for (const { name, value } of order) {
    if (name === "pattern") tokens.push(...patternTokens(String(value), "-e option"));
    else if (name === "and" || name === "or" || name === "not") tokens.push({ kind: name });
    else if (name === "open") tokens.push({ kind: "(" });
    else if (name === "close") tokens.push({ kind: ")" });
    else if (name === "file") tokens.push(...(await patternsInFile(context, String(value))));
  }
  const hasPattern = given.pattern !== undefined || given.file !== undefined;
  if (hasPattern) return { tokens, rest: args };
  if (args.length === 0) throw new GitError("EINVAL", "no pattern given");
  return { tokens: [...tokens, ...patternTokens(args[0] as string)], rest: args.slice(1) };
}

/** Lines are patterns of their own. */
function patternTokens(text: string, origin?: string): GrepToken[] {
  return text
    .split("\n")
    .map((line) => ({ kind: "pattern", text: toBinary(encode(line)), ...(origin ? { origin } : {}) }));
}

async function patternsInFile({ host, cwd, stdin }: CommandContext, name: string): Promise<GrepToken[]> {
  let bytes: Uint8Array | null = name === "-" ? stdin : null;
  if (bytes === null) [bytes = null] = await host.fs.readMany([name.startsWith("/") ? name : `${cwd}/${name}`]);
  if (bytes === null) throw new GitError("ENOTFOUND", `cannot open '${name}': No such file or directory`);
  const lines = decode(bytes)
    .replace(/\n$/, () => "")
    .split("\n");
  return lines.flatMap((line, at) => patternTokens(line, `In '${name}' at ${at + 1}`));
}

interface NamedObject {
  readonly name: string;
  readonly oid: Oid;
}

/** Revisions come first; the first word that is none begins the paths. */
async function splitRest(
  repo: Repository | null,
  context: CommandContext,
  rest: readonly string[],
  afterDashes: readonly string[] | null,
  allowRevisions: boolean,
): Promise<{ objects: NamedObject[]; paths: string[] }> {
  const objects: NamedObject[] = [];
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
    objects.push({ name, oid: found.oid });
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

const NO_CONFIG = createConfig([]);

class GrepRun {
  readonly #flags: Parsed["flags"];
  readonly #expression: GrepExpression;
  readonly #printer: GrepPrinter;
  readonly #options: GrepFileOptions;
  readonly #needle: Uint8Array | null;
  #hit = false;

  constructor(
    private readonly context: CommandContext,
    private readonly repo: Repository | null,
    parsed: Parsed,
    tokens: readonly GrepToken[],
  ) {
    const { flags: given } = parsed;
    this.#flags = given;
    const config = repo?.config ?? NO_CONFIG;
    const color = colorWanted(config, "color.grep", given.color);
    const around = given.contextNumber || given.context || 0;
    const before = Number(given.before ?? around);
    const after = Number(given.after ?? around);
    this.#expression = new GrepExpression(tokens, {
      syntax: this.#syntax(parsed),
      exactEnds: color || given.onlyMatching === true || given.word === true,
      ignoreCase: given.ignoreCase === true,
      word: given.word === true,
      allMatch: given.allMatch === true,
    });
    const literal = given.invert || given.filesWithout ? "" : this.#expression.literal;
    this.#needle = literal === "" ? null : fromBinary(literal);
    const print: GrepPrintOptions = {
      names: !this.#lastOf(parsed, "noName", "withName"),
      lineNumbers: given.lineNumber ?? config.getBool("grep.linenumber") ?? false,
      columns: given.column ?? config.getBool("grep.column") ?? false,
      onlyMatching: given.onlyMatching === true,
      heading: given.heading === true,
      fileBreak: given.fileBreak === true,
      nul: given.nul === true,
      separated: before > 0 || after > 0 || given.functionContext === true,
      color,
    };
    this.#printer = new GrepPrinter(config, print);
    this.#options = {
      before,
      after,
      functionLine: given.showFunction === true,
      functionBody: given.functionContext === true,
      invert: given.invert === true,
      ...(typeof given.maxCount === "number" && given.maxCount >= 0 ? { maxCount: given.maxCount } : {}),
      firstOnly: given.quiet === true || this.#namesOnly || given.filesWithout === true,
      countOnly: given.count === true,
      ranges: color || given.onlyMatching === true,
    };
  }

  get #namesOnly(): boolean {
    return this.#flags.filesWith === true || this.#flags.nameOnly === true;
  }

  /** True when the last of the two that was given is the first. */
  #lastOf({ order }: Parsed, first: string, second: string): boolean {
    return order.findLast(({ name }) => name === first || name === second)?.name === first;
  }

  #syntax({ order }: Parsed): "basic" | "extended" | "fixed" | "perl" {
    const config = this.repo?.config ?? NO_CONFIG;
    const last = order.findLast(({ name }) => ["extended", "basic", "fixed", "perl"].includes(name))?.name;
    const configured = config.get("grep.patterntype")?.toLowerCase();
    const name = last ?? (configured && configured !== "default" ? configured : undefined);
    if (name === "perl" || name === "extended" || name === "fixed" || name === "basic") return name;
    return config.getBool("grep.extendedregexp") ? "extended" : "basic";
  }

  async run(objects: readonly NamedObject[], paths: readonly string[]): Promise<boolean> {
    const { untracked, index, cached } = this.#flags;
    if (index && (untracked || cached))
      throw new GitError(
        "EINVAL",
        `options '--no-index' and '${untracked ? "--untracked" : "--cached"}' cannot be used together`,
      );
    if (untracked && cached)
      throw new GitError("EINVAL", "options '--untracked' and '--cached' cannot be used together");
    if (index) return this.#searchDirectory(paths);
    const repo = this.repo as Repository;
    if (objects.length > 0) {
      for (const object of objects) await this.#searchObject(repo, object, paths);
      return this.#hit;
    }
    if (!cached && repo.workTree === null) throw new GitError("ESTATE", "this operation must be run in a work tree");
    const spec = parsePathspec(repo, paths, { prefer: "cwd" });
    const wanted = (path: string) =>
      spec.matches(path) &&
      this.#isNear(
        path,
        spec.items.map(({ match }) => match),
      );
    const sources = untracked
      ? directorySources(
          { fs: repo.fs, top: repo.workTree as string },
          wanted,
          this.#flags.excludeStandard === false ? null : repo,
        )
      : indexSources(repo, cached === true, wanted);
    for await (const source of sources) if (await this.#search(source, this.#shown(source.path))) break;
    return this.#hit;
  }

  async #searchDirectory(paths: readonly string[]): Promise<boolean> {
    const { cwd, host, env } = this.context;
    const spec = parsePathspec({ prefix: "", workTree: cwd, env }, paths);
    const wanted = (path: string) =>
      spec.matches(path) &&
      this.#isNear(
        path,
        spec.items.map(({ match }) => match),
      );
    const repo = this.#flags.excludeStandard === true ? this.repo : null;
    for await (const source of directorySources({ fs: host.fs, top: cwd }, wanted, repo)) {
      if (await this.#search(source, this.#quoted(source.path))) break;
    }
    return this.#hit;
  }

  async #searchObject(repo: Repository, { name, oid }: NamedObject, paths: readonly string[]): Promise<void> {
    const peeled = await peelTags(repo, oid);
    if (peeled?.type === "blob") {
      await this.#search({ path: name, read: () => readBlob(repo, peeled.oid) }, toBinary(encode(name)));
      return;
    }
    const tree = await peelTo(repo, oid, "tree");
    if (tree === null) throw new GitError("EINVAL", `unable to grep from object of type ${peeled?.type ?? "unknown"}`);
    const spec = parsePathspec(repo, paths, { prefer: "cwd" });
    const wanted = (path: string) =>
      spec.matches(path) &&
      this.#isNear(
        path,
        spec.items.map(({ match }) => match),
      );
    const start = toBinary(encode(`${name}:`));
    for await (const source of treeSources(repo, tree, spec, wanted)) {
      const shown = start + this.#shown(source.path);
      if (await this.#search(source, shown)) break;
    }
  }

  /** Within `--max-depth` of the pathspec that names it. */
  #isNear(path: string, matches: readonly string[]): boolean {
    const asked = this.#flags.maxDepth;
    const depth = typeof asked === "number" ? asked : this.#flags.recursive === false ? 0 : -1;
    if (depth < 0) return true;
    const levels = (text: string) => text.split("/").length - 1;
    if (matches.length === 0) return levels(path) <= depth;
    return matches.some((match) => {
      if (path === match) return true;
      const base = match === "" || match.endsWith("/") ? match : `${match}/`;
      return path.startsWith(base)
        ? levels(path.slice(base.length)) <= depth
        : /[*?[]/.test(match) && levels(path) <= depth;
    });
  }

  #shown(path: string): string {
    const repo = this.repo as Repository;
    const full = this.#flags.fullName ?? repo.config.getBool("grep.fullname") ?? false;
    return this.#quoted(full ? path : relativePath(path, repo.prefix));
  }

  #quoted(path: string): string {
    const config = this.repo?.config ?? NO_CONFIG;
    return toBinary(encode(this.#flags.nul ? path : quotePath(path, { full: quotesFully(config) })));
  }

  /** True: what there is to know is known. */
  async #search({ read }: GrepSource, name: string): Promise<boolean> {
    const { text, noBinary, count, quiet, filesWithout } = this.#flags;
    const bytes = await read();
    if (bytes === null) return false;
    if (this.#needle !== null && !holds(bytes, this.#needle)) return false;
    const binary = !text && bytes.subarray(0, 8000).includes(0);
    if (binary && noBinary) return false;
    const options = binary && !count ? { ...this.#options, firstOnly: true } : this.#options;
    const result = grepFile(toBinary(bytes), this.#expression, options);
    if (filesWithout) {
      if (result.hits > 0) return false;
      this.#hit = true;
      if (!quiet) this.#write(this.#printer.name(name));
      return quiet === true;
    }
    if (result.hits === 0) return false;
    this.#hit = true;
    if (quiet) return true;
    if (this.#namesOnly) this.#write(this.#printer.name(name));
    else if (count) this.#write(this.#printer.count(name, result.hits));
    else if (binary) this.#write(this.#printer.binary(name));
    else this.#write(this.#printer.lines(name, result));
    return false;
  }

  #write(text: string): void {
    this.context.out(fromBinary(text));
  }
}

function holds(bytes: Uint8Array, needle: Uint8Array): boolean {
  const first = needle[0] as number;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let i = 1;
    while (i < needle.length && bytes[at + i] === needle[i]) i++;
    if (i === needle.length) return true;
  }
  return false;
}
