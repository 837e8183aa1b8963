/** Shared by `log`, `show`, `whatchanged` and `reflog show`: from parsed flags to commits on stdout. */
import { parseColor } from "../../../config/color.ts";
import { GitError } from "../../../errors.ts";
import type { Oid } from "../../../object/oid.ts";
import { LineLog } from "../../../porcelain/log/trace-lines.ts";
import { Graph, graphColors } from "../../../pretty/graph.ts";
import { LogPrinter } from "../../../pretty/log-printer.ts";
import type { Repository } from "../../../repository.ts";
import { readLineRanges } from "../../flags/line-range-arguments.ts";
import { type LogFlags, logFlags } from "../../flags/log-flags.ts";
import { type Presentation, type PresentationOptions, readPresentation } from "../../flags/pretty-flags.ts";
import {
  missingRevisionValue,
  type ReadRevisionsOptions,
  type Revisions,
  readRevisions,
  unrecognized,
} from "../../flags/revision-flags.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { ParsedFlagSubset } from "../../framework/flag-table.ts";
import { follows, LogDiff, type LogDiffDefaults } from "./log-diff.ts";
import { type LogWalkCommit, walkLog, walkReflogs } from "./log-walk.ts";

export type LogParsed = ParsedFlagSubset<LogFlags>;

/** The argument table of `log`, `show` and `stash list`. */
export const logTable = {
  usage: ["git log [<options>] [<revision-range>] [[--] <path>...]", "git show [<options>] <object>..."],
  flags: logFlags,
  noAbbrev: true,
  unknownOption: unrecognized,
  missingValue: missingRevisionValue,
} as const;

export async function printLog(context: CommandContext, parsed: LogParsed): Promise<number> {
  await showAll(await setUpLog(context, parsed), parsed);
  return 0;
}

export interface LogSetup {
  readonly repo: Repository;
  readonly revisions: Revisions;
  readonly presentation: Presentation;
  readonly printer: LogPrinter;
  readonly graph: Graph | null;
  readonly diff: LogDiff;
  /** Commits count when shown, since a search omits some. */
  readonly maxDisplayed: number;
}

interface LogDefaults extends PresentationOptions, ReadRevisionsOptions {
  /** Shows only the named commits without a walk, unless a range is among them. */
  readonly noWalk?: boolean;
  readonly diff?: LogDiffDefaults;
  /** Follows all parents, as with `--full-history`. */
  readonly fullHistory?: boolean;
}

export async function setUpLog(
  context: CommandContext,
  parsed: LogParsed,
  defaults: LogDefaults = {},
): Promise<LogSetup> {
  const repo = await context.repository();
  const { flags } = parsed;
  if (flags.graph && flags.reverse) throw together("--reverse", "--graph");
  if (flags.graph && flags.walkReflogs) throw together("--walk-reflogs", "--graph");
  if (flags.graph && flags.showLinearBreak) throw together("--show-linear-break", "--graph");
  if (flags.grepReflog && !flags.walkReflogs)
    throw new GitError("EINVAL", "the option '--grep-reflog' requires '--walk-reflogs'");
  if (flags.reverse && flags.walkReflogs) throw together("--reverse", "--walk-reflogs");
  const read = await readRevisions(context, repo, parsed, {
    ...defaults,
    rewriting: flags.graph === true,
    mailmap: flags.mailmap ?? flags.useMailmap ?? repo.config.getBool("log.mailmap") ?? true,
  });
  const diff = await LogDiff.read(context, repo, parsed, read.pathspec, defaults.diff);
  const { abbrev, linePrefix, nul } = diff.options;
  const presentation = await readPresentation(repo, parsed, {
    ...defaults,
    showSource: flags.source === true,
    ...(flags.color === undefined ? {} : { color: flags.color }),
    ...(flags.abbrev === undefined ? {} : { abbrev: abbrev === 0 ? 40 : abbrev }),
  });
  const order = read.walk.order === "default" && flags.graph ? "topo" : read.walk.order;
  const isRange = read.arguments.objects.some(({ uninteresting }) => uninteresting);
  const walks = !defaults.noWalk || isRange || flags.doWalk || read.walk.maxCount !== undefined;
  const noWalk = read.walk.noWalk ?? (walks ? undefined : true);
  if (noWalk && flags.graph) throw together("--no-walk", "--graph");
  const decorations = flags.simplifyByDecoration ? await presentation.context.decorations() : null;
  const following = follows(repo, parsed, read.pathspec);
  const lines = flags.lineRange?.length ? await traced(repo, flags.lineRange, read, diff) : null;
  diff.lines = lines;
  const counts = diff.leavesOut && !flags.reverse;
  const { maxCount, ...uncounted } = read.walk;
  const maxDisplayed = (counts ? maxCount : undefined) ?? Number.POSITIVE_INFINITY;
  const revisions: Revisions = {
    ...read,
    walk: {
      ...(counts ? uncounted : read.walk),
      // `--follow` changes the paths during the walk, so they cannot exclude commits.
      ...(following ? { paths: undefined } : {}),
      ...(lines === null ? {} : { lines }),
      order,
      ...(noWalk === undefined ? {} : { noWalk }),
      ...((diff.needsMerges || defaults.fullHistory) && read.walk.simplify === "default" ? { simplify: "full" } : {}),
      ...(decorations
        ? { decorated: (oid) => decorations.of(oid).length > 0, simplify: "merges", rewriteParents: true }
        : {}),
    },
  };
  const graph = flags.graph ? new Graph(presentation.context.color ? graphColorsOf(repo) : []) : null;
  const printer = new LogPrinter(presentation.context, {
    out: context.out,
    end: nul ? "\0" : "\n",
    abbrevCommit: presentation.abbrevCommit,
    decorate: presentation.decorate,
    graph,
    notes: presentation.notes,
    logSize: flags.logSize === true,
    ...(linePrefix === "" ? {} : { linePrefix }),
  });
  return { repo, revisions, presentation, printer, graph, diff, maxDisplayed };
}

async function traced(
  repo: Repository,
  ranges: readonly string[],
  { arguments: { tips }, pathspec }: Revisions,
  { options }: LogDiff,
): Promise<LineLog> {
  if (!pathspec.isEmpty) throw new GitError("EINVAL", "-L<range>:<file> cannot be used with pathspec");
  for (const format of options.formats)
    if (format !== "patch" && format !== "none")
      throw new GitError("EINVAL", "-L does not yet support diff formats besides -p and -s");
  const { tip, files } = await readLineRanges(repo, ranges, tips);
  return new LineLog(repo, options, tip, files);
}

function together(first: string, second: string): GitError {
  return new GitError("EINVAL", `options '${first}' and '${second}' cannot be used together`);
}

function graphColorsOf({ config, warn }: Repository): readonly string[] {
  const names = config.get("log.graphcolors");
  if (names === undefined) return graphColors;
  return names.split(",").flatMap((name) => {
    const color = parseColor(name);
    if (color !== null) return color;
    warn?.(`invalid color value: ${name}`, "error");
    warn?.(`ignored invalid color '${name}' in log.graphColors`);
    return [];
  });
}

function walkCommits(
  { repo, revisions, presentation }: LogSetup,
  parsed: LogParsed,
  tips?: Revisions["arguments"]["tips"],
): AsyncGenerator<LogWalkCommit> {
  const { flags } = parsed;
  if (flags.walkReflogs) return walkReflogs(repo, revisions, presentation);
  const options = {
    graph: flags.graph === true,
    leftRight: flags.leftRight === true,
    cherryMark: flags.cherryMark === true || flags.cherry === true,
    showParents: flags.parents === true,
    showChildren: flags.children === true,
    fullDiff: flags.fullDiff === true,
    source: flags.source === true,
    pretty: presentation.context,
  };
  return walkLog(repo, revisions, options, tips);
}

/** Separates commits that are not connected. */
const DEFAULT_BAR = "                    ..........";

/** Shows all commits in order; `tips` replaces the named revisions. */
export async function showAll(
  setup: LogSetup,
  parsed: LogParsed,
  tips?: Revisions["arguments"]["tips"],
): Promise<void> {
  const { graph, diff, printer } = setup;
  let left = setup.maxDisplayed;
  if (left <= 0) return;
  const { showLinearBreak, reverse } = parsed.flags;
  const bar = showLinearBreak === true ? DEFAULT_BAR : showLinearBreak || null;
  let before: LogWalkCommit | null = null;
  for await (const commit of walkCommits(setup, parsed, tips)) {
    if (commit.graphCommit) graph?.update(commit.graphCommit);
    const [child, parent] = reverse ? [commit, before] : [before, commit];
    const breaks = bar !== null && before !== null && !child?.parents.includes(parent?.oid as Oid);
    if (breaks) printer.break(bar);
    if ((await diff.show(printer, commit, graph)) && --left <= 0) return;
    before = commit;
  }
}
