/** `git apply`. */

import { createConfig } from "../../config/create-config.ts";
import { loadConfig } from "../../config/load-config.ts";
import { GitError } from "../../errors.ts";
import { applyNumstat, applyStat, applySummary } from "../../format/apply-stat.ts";
import { defaultGitLimits } from "../../limits.ts";
import { errnoText } from "../../lock-file.ts";
import type { ApplyOptions, WhitespaceAction } from "../../porcelain/apply/apply-options.ts";
import { applyPatches, type PatchInput } from "../../porcelain/apply/apply-patches.ts";
import type { Repository } from "../../repository.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";
import type { ParsedFlags } from "../framework/flag-table.ts";

const flags = {
  exclude: { long: "--exclude", value: "list", arg: "<path>", help: "don't apply changes matching the given path" },
  include: { long: "--include", value: "list", arg: "<path>", help: "apply changes matching the given path" },
  strip: {
    short: "-p",
    value: "string",
    arg: "<num>",
    help: "remove <num> leading slashes from traditional diff paths",
  },
  noAdd: { long: "--no-add", help: "ignore additions made by the patch" },
  stat: { long: "--stat", help: "instead of applying the patch, output diffstat for the input" },
  allowBinaryReplacement: { long: "--allow-binary-replacement", help: "does nothing", hidden: true },
  binary: { long: "--binary", help: "does nothing", hidden: true },
  numstat: { long: "--numstat", help: "show number of added and deleted lines in decimal notation" },
  summary: { long: "--summary", help: "instead of applying the patch, output a summary for the input" },
  check: { long: "--check", help: "instead of applying the patch, see if the patch is applicable" },
  index: { long: "--index", help: "make sure the patch is applicable to the current index" },
  intentToAdd: {
    short: "-N",
    long: "--intent-to-add",

    help: "mark new files with `git add --intent-to-add`",
  },
  cached: { long: "--cached", help: "apply a patch without touching the working tree" },
  unsafePaths: { long: "--unsafe-paths", help: "accept a patch that touches outside the working area" },
  apply: { long: "--apply", help: "also apply the patch (use with --stat/--summary/--check)" },
  threeWay: {
    short: "-3",
    long: "--3way",

    help: "attempt three-way merge, fall back on normal patch if that fails",
  },
  nul: { short: "-z", help: "paths are separated with NUL character" },
  context: { short: "-C", value: "number", arg: "<n>", help: "ensure at least <n> lines of context match" },
  whitespace: {
    long: "--whitespace",
    value: "string",
    arg: "<action>",
    help: "detect new or modified lines that have whitespace errors",
  },
  ignoreSpaceChange: {
    long: "--ignore-space-change",

    help: "ignore changes in whitespace when finding context",
  },
  ignoreWhitespace: {
    long: "--ignore-whitespace",

    help: "ignore changes in whitespace when finding context",
  },
  reverse: { short: "-R", long: "--reverse", help: "apply the patch in reverse" },
  unidiffZero: { long: "--unidiff-zero", help: "don't expect at least one line of context" },
  reject: { long: "--reject", help: "leave the rejected hunks in corresponding *.rej files" },
  allowOverlap: { long: "--allow-overlap", help: "allow overlapping hunks" },
  verbose: { short: "-v", long: "--verbose", value: "count", help: "be more verbose" },
  quiet: { short: "-q", long: "--quiet", value: "count", help: "be more quiet" },
  inaccurateEof: {
    long: "--inaccurate-eof",

    help: "tolerate incorrectly detected missing new-line at the end of file",
  },
  recount: { long: "--recount", help: "do not trust the line counts in the hunk headers" },
  directory: { long: "--directory", value: "string", arg: "<root>", help: "prepend <root> to all filenames" },
  allowEmpty: { long: "--allow-empty", help: "don't return error for empty patches" },
} as const;

export const apply = defineCommand({
  name: "apply",
  usage: ["git apply [<options>] [<patch>...]"],
  flags,
  async run(context, parsed) {
    const repo = await repositoryOrNull(context);
    const options = await readOptions(context, repo, parsed);
    const inputs = await readInputs(context, repo?.prefix ?? "", [...parsed.args, ...(parsed.afterDashes ?? [])]);
    const prefix = repo?.prefix ?? "";
    const position = {
      fs: context.host.fs,
      root: repo?.workTree ?? context.cwd,
      prefix,
      guess: { prefix, root: options.directory, strip: 1, isKnown: false },
      repo,
      print: options.verbosity === "quiet" ? () => {} : context.err,
    };
    const { exitCode, patches } = await applyPatches(position, inputs, options).catch((error) => {
      if (options.verbosity !== "quiet" || !(error instanceof GitError)) throw error;
      return { exitCode: error.exitCode, patches: [] };
    });
    if (exitCode === 128 || (exitCode !== 0 && patches.length === 0)) return exitCode;
    if (options.verbosity !== "quiet" && exitCode === 0) {
      if (parsed.flags.stat) context.out(applyStat(patches));
      if (parsed.flags.numstat) context.out(applyNumstat(patches, parsed.flags.nul ?? false));
      if (parsed.flags.summary) context.out(applySummary(patches));
    }
    return exitCode;
  },
});

type ApplyArgs = ParsedFlags<typeof flags>;

async function repositoryOrNull(context: CommandContext): Promise<Repository | null> {
  try {
    return await context.repository();
  } catch (error) {
    if (error instanceof GitError && error.code === "ENOREPO") return null;
    throw error;
  }
}

async function readOptions(
  context: CommandContext,
  repo: Repository | null,
  { flags: input, order }: ApplyArgs,
): Promise<ApplyOptions> {
  const { host, env, open } = context;
  const config =
    repo?.config ??
    createConfig(await loadConfig({ fs: host.fs, limits: defaultGitLimits, env, command: open.config }));
  if (input.reject && input.threeWay) {
    throw new GitError("EINVAL", "options '--reject' and '--3way' cannot be used together", { prefix: "error" });
  }
  const outside = (what: string) => new GitError("ENOREPO", `'${what}' outside a repository`, { prefix: "error" });
  if (repo === null) {
    if (input.threeWay) throw outside("--3way");
    if (input.index) throw outside("--index");
    if (input.cached) throw outside("--cached");
  }
  if (input.intentToAdd)
    throw new GitError("EUNSUPPORTED", "git apply --intent-to-add is not supported; use git add -N");
  const onlyLooks = input.stat || input.numstat || input.summary || input.check;
  const ignoring = config.get("apply.ignorewhitespace");
  return {
    apply: input.apply || !onlyLooks,
    check: input.check ?? false,
    target: input.cached ? "cached" : input.index || input.threeWay ? "index" : "worktree",
    threeWay: input.threeWay ?? false,
    reverse: input.reverse ?? false,
    reject: input.reject ?? false,
    strip: parseStrip(input.strip),
    recount: input.recount ?? false,
    unidiffZero: input.unidiffZero ?? false,
    allowOverlap: input.allowOverlap ?? false,
    allowEmpty: input.allowEmpty ?? false,
    unsafePaths: (input.unsafePaths ?? false) && !input.index && !input.cached && !input.threeWay,
    noAdd: input.noAdd ?? false,
    ignoreSpaceChange: input.ignoreSpaceChange ?? input.ignoreWhitespace ?? ignoring === "change",
    whitespace: whitespaceAction(input.whitespace || config.get("apply.whitespace"), input.apply || !onlyLooks),
    context: typeof input.context === "number" ? input.context : undefined,
    directory: directoryPrefix(input.directory),
    limits: order
      .filter(({ name }) => name === "include" || name === "exclude")
      .map(({ name, value }) => ({ pattern: String(value), include: name === "include" })),
    verbosity: verbosityOf((input.verbose ?? 0) - (input.quiet ?? 0), input.reject ?? false),
    intentToAdd: false,
  };
}

function verbosityOf(level: number, reject: boolean): ApplyOptions["verbosity"] {
  return level < 0 ? "quiet" : level > 0 || reject ? "verbose" : "normal";
}

function parseStrip(value: string | false | undefined): number | undefined {
  if (value === undefined || value === false) return undefined;
  // Anything but a number is zero, as in C.
  return Math.max(0, Number.parseInt(value, 10) || 0);
}

function directoryPrefix(value: string | false | undefined): string {
  if (!value) return "";
  const names = value.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes(".."))
    throw new GitError("EINVAL", `unable to normalize directory: '${value}'`, { prefix: "error" });
  return names.length === 0 ? "" : `${names.join("/")}/`;
}

function whitespaceAction(value: string | undefined, applies: boolean): WhitespaceAction {
  switch (value) {
    case undefined:
      return applies ? "warn" : "nowarn";
    case "strip":
      return "fix";
    case "nowarn":
    case "warn":
    case "fix":
    case "error":
    case "error-all":
      return value;
    default:
      throw new GitError("EUSAGE", `unrecognized whitespace option '${value}'`);
  }
}

/** Messages name a file relative to the top of the work tree. */
async function readInputs(context: CommandContext, prefix: string, names: readonly string[]): Promise<PatchInput[]> {
  const inputs: PatchInput[] = [];
  for (const input of names.length === 0 ? ["-"] : names) {
    if (input === "-") {
      inputs.push({ name: "<stdin>", content: await context.stdin.bytes() });
      continue;
    }
    const name = input.startsWith("/") ? input : prefix + input;
    try {
      inputs.push({ name, content: await context.host.fs.readFile(absolutePath(input, context.cwd)) });
    } catch (cause) {
      const reason = errnoText((cause as { code?: string }).code);
      throw new GitError("ENOTFOUND", `can't open patch '${name}': ${reason}`, { prefix: "error", cause });
    }
  }
  return inputs;
}
