/** `git blame` and `git annotate`. */
import { defaultFunctionName, splitLines } from "@workspace/text";
import { approximateSeconds } from "../../../date/approxidate.ts";
import { parseDateMode } from "../../../date/format-date.ts";
import { localTime } from "../../../date/local-time.ts";
import { openDiffDrivers } from "../../../diff/diff-drivers.ts";
import { useIndex } from "../../../diff/staged-files.ts";
import { GitError } from "../../../errors.ts";
import { type BlameStyle, writeBlame, writeIncremental, writePorcelain } from "../../../format/blame-text.ts";
import type { Oid } from "../../../object/oid.ts";
import { ancestorsOf } from "../../../porcelain/blame/ancestors.ts";
import { type BlameOptions, type BlameStart, blame as findBlame } from "../../../porcelain/blame/blame.ts";
import { type BlameDirection, reverseDirection } from "../../../porcelain/blame/blame-reverse.ts";
import { type BlameBlock, describeBlame } from "../../../porcelain/blame/describe-blame.ts";
import { findBlameStart } from "../../../porcelain/blame/find-start.ts";
import { readIgnoredRevisions } from "../../../porcelain/blame/ignored-revisions.ts";
import { joinRanges, parseRange } from "../../../porcelain/blame/line-range.ts";
import type { Repository } from "../../../repository.ts";
import { absolutePath } from "../../../text/absolute-path.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { usageText } from "../../framework/usage-text.ts";
import { readBlameArguments } from "./blame-arguments.ts";

const flags = {
  incremental: { long: "--incremental", help: "show blame entries as we find them, incrementally" },
  blank: { short: "-b", help: "do not show object names of boundary commits (Default: off)" },
  root: { long: "--root", help: "do not treat root commits as boundaries (Default: off)" },
  showStats: { long: "--show-stats", help: "show work cost statistics", unsupported: "" },
  scoreDebug: {
    long: "--score-debug",

    help: "show output score for blame entries",
    unsupported: "",
  },
  reverse: { long: "--reverse", help: "walk history forward", noNegation: true },
  ignoreRev: {
    long: "--ignore-rev",
    value: "list",
    arg: "<rev>",
    help: "ignore <rev> when blaming",
  },
  ignoreRevsFile: {
    long: "--ignore-revs-file",
    value: "list",
    arg: "<file>",
    help: "ignore revisions from <file>",
  },
  colorLines: {
    long: "--color-lines",

    help: "color redundant metadata from previous line differently",
    unsupported: "",
  },
  colorByAge: { long: "--color-by-age", help: "color lines by age", unsupported: "" },
  progress: { long: "--progress", help: "force progress reporting" },
  showName: { short: "-f", long: "--show-name", help: "show original filename (Default: auto)" },
  showNumber: { short: "-n", long: "--show-number", help: "show original linenumber (Default: off)" },
  porcelain: {
    short: "-p",
    long: "--porcelain",

    help: "show in a format designed for machine consumption",
  },
  linePorcelain: {
    long: "--line-porcelain",

    help: "show porcelain format with per-line commit information",
  },
  annotate: { short: "-c", help: "use the same output mode as git-annotate (Default: off)" },
  rawTime: { short: "-t", help: "show raw timestamp (Default: off)" },
  long: { short: "-l", help: "show long commit SHA1 (Default: off)" },
  noAuthor: { short: "-s", help: "suppress author name and timestamp (Default: off)" },
  email: { short: "-e", long: "--show-email", help: "show author email instead of name (Default: off)" },
  ignoreSpace: { short: "-w", help: "ignore whitespace differences" },
  minimal: { long: "--minimal", help: "spend extra cycles to find better match" },
  indentHeuristic: {
    long: "--indent-heuristic",

    help: "heuristic to shift diff hunk boundaries for easy reading",
    hidden: true,
  },
  contents: { long: "--contents", value: "string", arg: "<file>", help: "use <file>'s contents as the final image" },
  copies: { short: "-C", value: "optional", arg: "<score>", help: "find line copies within and across files" },
  moves: { short: "-M", value: "optional", arg: "<score>", help: "find line movements within and across files" },
  range: {
    short: "-L",
    value: "list",
    arg: "<range>",
    help: "process only line range <start>,<end> or function :<funcname>",
  },
  encoding: { long: "--encoding", value: "string", arg: "<encoding>", help: "encoding of names", hidden: true },
  abbrev: { long: "--abbrev", value: "optional", arg: "<n>", help: "use <n> digits to display object names" },
  date: { long: "--date", value: "string", arg: "<format>", help: "how to show dates", hidden: true },
  since: { long: "--since", value: "string", arg: "<date>", help: "not older than a date", hidden: true },
  firstParent: { long: "--first-parent", help: "follow only the first parent of a merge", hidden: true },
} as const;

type BlameArgs = ParsedFlags<typeof flags>;
const USAGE = "[<options>] [<rev-opts>] [<rev>] [--] <file>";

export const blame = defineCommand({
  name: "blame",
  usage: [`git blame ${USAGE}`],
  flags,
  unknownOption: (option) => new GitError("EUSAGE", `unknown option \`${option}'`, { hint: blameUsage("blame") }),
  run: (context, parsed) => run(context, parsed, parsed.flags.annotate ?? false),
});

export const annotate = defineCommand({
  name: "annotate",
  usage: [`git annotate ${USAGE}`],
  flags,
  unknownOption: (option) => new GitError("EUSAGE", `unknown option \`${option}'`, { hint: blameUsage("annotate") }),
  run: (context, parsed) => run(context, parsed, true),
});

function blameUsage(name: string): string {
  return usageText({ usage: [`git ${name} ${USAGE}`], flags });
}

async function run(context: CommandContext, parsed: BlameArgs, isAnnotate: boolean): Promise<number> {
  const repo = await context.repository();
  const { path, revisions } = await readBlameArguments(context, repo, parsed, usage);
  if (parsed.flags.reverse && parsed.flags.contents)
    throw new GitError("EINVAL", "--contents and --reverse do not blend well.");
  const direction = parsed.flags.reverse
    ? await reverseDirection(repo, revisions, parsed.flags.firstParent ?? false)
    : { tips: revisions.tips };
  const start = await findBlameStart(repo, path, direction.tips, contentsOf(context, parsed.flags.contents));
  const options = await readOptions(repo, context.cwd, start, direction, parsed);
  const found = await findBlame(repo, start, options);
  const { flags: input } = parsed;
  const displayed = input.incremental ? { ...found, entries: found.asFound } : found;
  const blocks = await describeBlame(repo, start, displayed, input.encoding);
  if (input.incremental) writeIncremental(context.out, blocks);
  else if (input.porcelain || input.linePorcelain) {
    writePorcelain(context.out, found.final, blocks, { everyLine: input.linePorcelain ?? false });
  } else writeBlame(context.out, found.final, blocks, await blameStyle(repo, start, blocks, parsed, isAnnotate));
  return 0;
}

function contentsOf({ stdin, host, cwd }: CommandContext, file: string | false | undefined) {
  if (!file) return null;
  return () => (file === "-" ? stdin.bytes() : host.fs.readFile(absolutePath(file, cwd)));
}

function usage(): GitError {
  return new GitError("EUSAGE", "", { prefix: "", hint: blameUsage("blame") });
}

async function readOptions(
  repo: Repository,
  cwd: string,
  start: BlameStart,
  { tips, children }: BlameDirection,
  { flags: input, order }: BlameArgs,
): Promise<BlameOptions> {
  const { config } = repo;
  const time = localTime(repo.host, repo.env);
  const since = typeof input.since === "string" ? approximateSeconds(input.since, time) : null;
  const excluded = await ancestorsOf(
    repo,
    tips.filter(({ uninteresting }) => uninteresting).map(({ oid }) => oid),
  );
  const score = (value: string | boolean | undefined) =>
    typeof value === "string" ? Number.parseInt(value, 10) || 0 : 0;
  const copies = order.filter(({ name }) => name === "copies");
  const isOn = (value: unknown) => value !== undefined && value !== false;
  return {
    diff: {
      algorithm: input.minimal ? "minimal" : "myers",
      whitespace: input.ignoreSpace ? "all" : "none",
      indentHeuristic: input.indentHeuristic ?? config.getBool("diff.indentheuristic") ?? true,
    },
    moves: isOn(input.moves) || copies.length > 0 ? score(input.moves) || 20 : null,
    copies: copies.length > 0 ? score(input.copies) || 40 : null,
    copyEffort: Math.min(Math.max(copies.length, 1), 3) as 1 | 2 | 3,
    firstParent: input.firstParent ?? false,
    root: input.root ?? config.getBool("blame.showroot") ?? false,
    isBoundary: ({ oid, seconds }) => excluded.has(oid) || (since !== null && seconds < since),
    ranges: await rangesOf(repo, start, input.range ?? []),
    ignored: await readIgnoredRevisions(repo, cwd, {
      ...(input.ignoreRev ? { revisions: input.ignoreRev } : {}),
      ...(input.ignoreRevsFile ? { files: input.ignoreRevsFile } : {}),
    }),
    ...(children ? { children } : {}),
  };
}

async function rangesOf(repo: Repository, { path, content }: BlameStart, input: readonly string[]) {
  const lines = splitLines(content);
  if (input.length === 0) return [[0, lines.count]] as const;
  await useIndex(repo);
  const drivers = await openDiffDrivers(repo);
  await drivers.prepare([path]);
  const functionName = drivers.of(path).functionName ?? defaultFunctionName;
  const ranges: [number, number][] = [];
  let anchor = 1;
  for (const text of input) {
    const range = parseRange(text, { lines, path, functionName }, anchor);
    if (range === null) throw usage();
    anchor = range[1] + 1;
    ranges.push(range);
  }
  return joinRanges(ranges);
}

const DATE_WIDTHS: Readonly<Record<string, number>> = {
  rfc2822: 31,
  "iso8601-strict": 25,
  iso8601: 25,
  raw: 16,
  unix: 10,
  short: 10,
  relative: 22,
  human: 15,
  normal: 30,
};

async function blameStyle(
  repo: Repository,
  start: BlameStart,
  blocks: readonly BlameBlock[],
  { flags: input }: BlameArgs,
  isAnnotate: boolean,
): Promise<BlameStyle> {
  const { config } = repo;
  const mode = parseDateMode(input.date || config.get("blame.date") || "iso");
  return {
    long: input.long ?? false,
    blankBoundary: input.blank ?? config.getBool("blame.blankboundary") ?? false,
    noAuthor: input.noAuthor ?? false,
    email: input.email ?? config.getBool("blame.showemail") ?? false,
    rawTime: input.rawTime ?? false,
    showName: input.showName || blocks.some(({ path }) => path !== start.path),
    showNumber: input.showNumber ?? false,
    annotate: isAnnotate,
    markIgnored: config.getBool("blame.markignoredlines") ?? false,
    markUnblamable: config.getBool("blame.markunblamablelines") ?? false,
    abbrev: await abbrevOf(repo, blocks, input.abbrev),
    date: mode,
    dateWidth: mode.kind === "strftime" ? 0 : (DATE_WIDTHS[mode.kind] ?? 0),
    time: localTime(repo.host, repo.env),
  };
}

/** One digit more than needed, for the boundary mark. */
async function abbrevOf(repo: Repository, blocks: readonly BlameBlock[], input: string | boolean | undefined) {
  if (input === false) return 40;
  if (typeof input === "string") return Math.min(Math.max(Number.parseInt(input, 10) || 0, 4) + 1, 40);
  let longest = 0;
  for (const oid of new Set(blocks.map(({ commit }) => commit.oid))) {
    const displayed = await repo.odb.abbreviate(oid ?? ("0".repeat(40) as Oid));
    longest = Math.max(longest, displayed.length);
  }
  return longest + 1;
}
