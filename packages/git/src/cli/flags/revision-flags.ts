/**
 * Interprets the options that select commits, for `log`, `show`, `shortlog`, `rev-list` and others. git reads them one by one in
 * command-line order: names are never abbreviated, `--not` and `--exclude` affect later options, and after the first path
 * everything is a path.
 */

import { approximateSeconds } from "../../date/approxidate.ts";
import { localTime } from "../../date/local-time.ts";
import { GitError } from "../../errors.ts";
import { readIndex } from "../../index/read-index.ts";
import type { Oid } from "../../object/oid.ts";
import { type Pathspec, parsePathspec } from "../../pathspec/pathspec.ts";
import { addDefaultRevision, commitFilter, pathLimit, patternSyntax } from "../../porcelain/log/select-commits.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import type { MessageFilterOptions } from "../../revision/message-filter.ts";
import { peelTo } from "../../revision/peel.ts";
import { RevisionArguments } from "../../revision/revision-arguments.ts";
import type { WalkOptions } from "../../revision/walk-options.ts";
import { logOutputEncoding } from "../../text/encodings.ts";
import type { CommandContext } from "../framework/command.ts";
import type { ParsedFlagSubset } from "../framework/flag-table.ts";
import { RevisionArgumentParser } from "./revision-argument-parser.ts";
import type { RevisionFlags } from "./revision-flag-table.ts";

type RevisionArgs = ParsedFlagSubset<RevisionFlags>;

export interface Revisions {
  readonly arguments: RevisionArguments;
  /** Does not contain the tips yet: see `arguments.tips`. */
  readonly walk: Omit<WalkOptions, "tips">;
  readonly pathspec: Pathspec;
  /** The pathspec if it limits anything, else null. */
  readonly limitedTo: Pathspec | null;
  readonly message: MessageFilterOptions;
}

export interface ReadRevisionsOptions {
  /** The revision to use if none is named; null: none. */
  readonly fallback?: string | null;
  /** Rewrites parents to the commits that are shown, as for a graph. */
  readonly rewriting?: boolean;
  /** Matches name patterns against names after the mailmap. */
  readonly mailmap?: boolean;
}

export async function readRevisions(
  context: CommandContext,
  repo: Repository,
  parsed: RevisionArgs,
  { fallback = "HEAD", rewriting = false, mailmap = false }: ReadRevisionsOptions = {},
): Promise<Revisions> {
  const { flags } = parsed;
  const named = new RevisionArguments(repo, {
    ignoreMissing: flags.ignoreMissing,
    singleWorktree: flags.singleWorktree,
  });
  const paths = await new RevisionArgumentParser(context, repo, parsed, named).read();
  const touching = flags.merge ? await takeMerge(repo, named) : [];
  if (!named.input && fallback !== null) await addDefaultRevision(repo, named, fallback);
  const pathspec = parsePathspec(repo, [...paths, ...touching]);
  const message = messageOptions(repo, parsed);
  const ancestryPath = await ancestryOf(repo, parsed, named);
  return {
    arguments: named,
    pathspec,
    limitedTo: pathspec.isEmpty ? null : pathspec,
    message,
    walk: {
      ...walkOptions(repo, parsed, pathspec, { message, rewriting, mailmap }),
      // git determines sides only if a revision is excluded.
      ...(named.tips.some(({ uninteresting }) => uninteresting) ? {} : { leftOnly: false }),
      ...(ancestryPath === null ? {} : { ancestryPath }),
    },
  };
}

/** Null: not requested. */
async function ancestryOf(
  repo: Repository,
  { order }: RevisionArgs,
  named: RevisionArguments,
): Promise<true | Oid[] | null> {
  const requested = order.filter(({ name }) => name === "ancestryPath");
  if (requested.length === 0) return null;
  const commits: Oid[] = [];
  for (const { value } of requested) {
    if (typeof value !== "string") continue;
    const found = await findRevision(repo, value, { wanted: "committish" });
    const commit = found && (await peelTo(repo, found.oid, "commit"));
    if (!commit)
      throw new GitError("ENOTFOUND", `could not get commit for ancestry-path argument ${value}`, { prefix: "error" });
    commits.push(commit);
  }
  if (commits.length > 0) return commits;
  if (named.tips.some(({ uninteresting }) => uninteresting)) return true;
  throw new GitError("EINVAL", "--ancestry-path given but there are no bottom commits");
}

/** `--merge`: the changes of both sides of a stopped merge to the paths in conflict. */
async function takeMerge(repo: Repository, named: RevisionArguments): Promise<string[]> {
  const [head, other] = [(await repo.refs.resolve("HEAD"))?.oid, (await repo.refs.resolve("MERGE_HEAD"))?.oid];
  if (!head) throw new GitError("ESTATE", "--merge without HEAD?");
  if (!other) throw new GitError("ESTATE", "--merge without MERGE_HEAD?");
  for (const text of ["HEAD", "MERGE_HEAD"]) await named.revision(text);
  for (const base of await mergeBases(repo, head, [other])) await named.revision(`^${base}`);
  const paths = (await readIndex(repo)).entries.filter(({ stage }) => stage !== 0).map(({ path }) => path);
  return [...new Set(paths)].map((path) => `:(top,literal)${path}`);
}

function messageOptions({ config }: Repository, { flags, order }: RevisionArgs): MessageFilterOptions {
  const last = order.findLast(({ name }) => /^(basic|extended|perl)Regexp$|^fixedStrings$/.test(name))?.name;
  return {
    ...(flags.grep ? { grep: flags.grep } : {}),
    ...(flags.author ? { author: flags.author } : {}),
    ...(flags.committer ? { committer: flags.committer } : {}),
    ...(flags.grepReflog ? { grepReflog: flags.grepReflog } : {}),
    ignoreCase: flags.ignoreCase === true,
    syntax: patternSyntax(
      config,
      last?.replace(/(Regexp|Strings)$/, () => ""),
    ),
    encoding: logOutputEncoding(config, order.findLast(({ name }) => name === "encoding")?.value),
    allMatch: flags.allMatch === true,
    invert: flags.invertGrep === true,
  };
}

function walkOptions(
  repo: Repository,
  parsed: RevisionArgs,
  pathspec: Pathspec,
  { message, rewriting, mailmap }: { message: MessageFilterOptions; rewriting: boolean; mailmap: boolean },
): Omit<WalkOptions, "tips"> {
  const { flags } = parsed;
  const time = localTime(repo.host, repo.env);
  const date = (text: string | false | undefined) => (text ? approximateSeconds(text, time) : undefined);
  const filter = commitFilter(repo, message, mailmap);
  const cherry = flags.cherry || flags.cherryMark ? "mark" : flags.cherryPick ? "pick" : undefined;
  const since = date(flags.since ?? flags.after) ?? parseCount(flags.maxAge);
  const until = date(flags.until ?? flags.before) ?? parseCount(flags.minAge);
  const rewriteParents = rewriting || flags.parents === true || flags.simplifyMerges === true;
  if (flags.children && (rewriteParents || flags.simplifyByDecoration))
    throw new GitError("EINVAL", "options '--parents' and '--children' cannot be used together");
  return {
    ...defined({
      noWalk: noWalkOf(parsed),
      maxCount: maxCount(parsed),
      skip: parseCount(flags.skip),
      since,
      until,
      sinceAsFilter: date(flags.sinceAsFilter),
      ...parentBounds(parsed),
      filter,
      cherry,
      paths: pathspec.isEmpty ? undefined : pathLimit(pathspec),
    } satisfies Loose<WalkOptions>),
    order: walkOrder(parsed),
    reverse: flags.reverse === true,
    firstParent: flags.firstParent === true,
    excludeFirstParentOnly: flags.excludeFirstParentOnly === true,
    boundary: flags.boundary === true,
    leftRight: flags.leftRight === true,
    leftOnly: flags.leftOnly === true,
    rightOnly: flags.rightOnly === true || flags.cherry === true,
    simplify: flags.simplifyMerges ? "merges" : flags.fullHistory ? "full" : "default",
    sparse: flags.sparse === true,
    showPulls: flags.showPulls === true,
    rewriteParents,
    children: flags.children === true,
    ignoreMissing: flags.ignoreMissing === true,
  };
}

type Loose<T> = { [K in keyof T]?: T[K] | undefined | null };

function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const retained = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(retained) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** As C's atoi. */
function parseCount(text: string | false | undefined): number | undefined {
  if (text === undefined || text === false) return undefined;
  return Number.parseInt(text, 10) || 0;
}

function maxCount({ order }: RevisionArgs): number | undefined {
  const last = order.findLast(({ name }) => name === "maxCount" || name === "maxCountNumber");
  const count = last === undefined ? undefined : parseCount(String(last.value));
  return count !== undefined && count < 0 ? undefined : count;
}

function parentBounds({ flags, order }: RevisionArgs): {
  minParents: number | undefined;
  maxParents: number | undefined;
} {
  let [minParents, maxParents]: (number | undefined)[] = [undefined, flags.cherry ? 1 : undefined];
  for (const { name, value } of order) {
    if (name === "merges" && value) minParents = 2;
    else if (name === "merges") maxParents = 1;
    else if (name === "minParents") minParents = boundOf(value);
    else if (name === "maxParents") maxParents = boundOf(value);
  }
  return { minParents, maxParents };
}

/** `--no-min-parents` and `--max-parents=-1` remove the limit. */
function boundOf(value: string | boolean | undefined): number | undefined {
  if (typeof value !== "string") return undefined;
  const bound = Number.parseInt(value, 10) || 0;
  return bound < 0 ? undefined : bound;
}

function noWalkOf({ order }: RevisionArgs): WalkOptions["noWalk"] {
  // A commit count implies a walk, so a later one overrides `--no-walk`.
  const last = order.findLast(({ name }) => /^(noWalk|doWalk|maxCount|maxCountNumber)$/.test(name));
  if (last?.name !== "noWalk") return undefined;
  if (last.value === true || last.value === "sorted") return true;
  if (last.value === "unsorted") return "unsorted";
  throw new GitError("EINVAL", "invalid argument to --no-walk", { prefix: "error" });
}

function walkOrder({ order }: RevisionArgs): WalkOptions["order"] {
  const last = order.findLast(({ name }) => name.endsWith("Order"))?.name;
  return last === "dateOrder"
    ? "date"
    : last === "authorDateOrder"
      ? "author-date"
      : last === "topoOrder"
        ? "topo"
        : "default";
}

/** git's error for an option that none of its parsers knows. */
export function unrecognized(option: string): GitError {
  return new GitError("EINVAL", `unrecognized argument: ${option}`);
}

export function missingRevisionValue(option: string): GitError {
  if (/^-[SGLO]$/.test(option)) return new GitError("EUSAGE", `switch \`${option.slice(1)}' requires a value`);
  if (/^-[a-zA-Z]$/.test(option)) return new GitError("EINVAL", `${option} requires an argument`, { prefix: "error" });
  return new GitError("EINVAL", `Option '${option}' requires a value`);
}
