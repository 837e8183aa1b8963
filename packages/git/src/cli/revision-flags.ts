/**
 * The options that say which commits, for `log`, `show`, `shortlog`, `rev-list` and others, and what they mean. git reads them one
 * by one in the order they stand: names are never abbreviated, `--not` and `--exclude` change what follows, and after the first
 * path everything is a path.
 */

import { decode } from "../bytes.ts";
import { approximateSeconds } from "../date/approxidate.ts";
import { localTime } from "../date/local-time.ts";
import { GitError } from "../errors.ts";
import { loadMailmap, type Mailmap } from "../format/mailmap.ts";
import { parseCommit } from "../object/commit.ts";
import { type Pathspec, parsePathspec } from "../pathspec/pathspec.ts";
import type { Repository } from "../repository.ts";
import type { PathLimit } from "../revision/compare-trees.ts";
import { mergeBases } from "../revision/merge-base.ts";
import { type MessageFilterOptions, messageFilter } from "../revision/message-filter.ts";
import { ambiguousArgument } from "../revision/resolve-revision.ts";
import { type RefGroup, RevisionArguments } from "../revision/revision-arguments.ts";
import { verifyFile } from "../revision/verify-argument.ts";
import type { WalkOptions } from "../revision/walk-options.ts";
import { readIndex } from "../staging/read-index.ts";
import type { CommandContext } from "./command.ts";
import type { FlagTable, PartlyParsed } from "./flag-table.ts";

export const revisionFlags = {
  maxCount: { long: "--max-count", short: "-n", value: "string", arg: "<number>", help: "limit the number of commits" },
  maxCountNumber: { short: "-NUM", value: "number", help: "limit the number of commits", hidden: true },
  skip: { long: "--skip", value: "string", arg: "<number>", help: "skip so many commits" },
  since: { long: "--since", value: "string", arg: "<date>", help: "commits more recent than a date" },
  after: { long: "--after", value: "string", arg: "<date>", help: "synonym for --since", hidden: true },
  sinceAsFilter: { long: "--since-as-filter", value: "string", arg: "<date>", help: "visit all, show the more recent" },
  until: { long: "--until", value: "string", arg: "<date>", help: "commits older than a date" },
  before: { long: "--before", value: "string", arg: "<date>", help: "synonym for --until", hidden: true },
  maxAge: { long: "--max-age", value: "string", arg: "<seconds>", help: "not older than a time" },
  minAge: { long: "--min-age", value: "string", arg: "<seconds>", help: "not younger than a time" },
  author: { long: "--author", value: "list", arg: "<pattern>", help: "commits whose author matches" },
  committer: { long: "--committer", value: "list", arg: "<pattern>", help: "commits whose committer matches" },
  grepReflog: { long: "--grep-reflog", value: "list", arg: "<pattern>", help: "with -g: reflog entries that match" },
  grep: { long: "--grep", value: "list", arg: "<pattern>", help: "commits whose message matches" },
  allMatch: { long: "--all-match", value: "none", help: "every --grep must match" },
  invertGrep: { long: "--invert-grep", value: "none", help: "commits whose message does not match" },
  ignoreCase: { long: "--regexp-ignore-case", short: "-i", value: "none", help: "never mind case in patterns" },
  basicRegexp: { long: "--basic-regexp", value: "none", help: "patterns are basic regular expressions (default)" },
  extendedRegexp: {
    long: "--extended-regexp",
    short: "-E",
    value: "none",
    help: "patterns are extended regular expressions",
  },
  fixedStrings: { long: "--fixed-strings", short: "-F", value: "none", help: "patterns are plain text" },
  perlRegexp: { long: "--perl-regexp", short: "-P", value: "none", help: "patterns are Perl's regular expressions" },
  removeEmpty: { long: "--remove-empty", value: "none", help: "stop when a path disappears", noNegation: true },
  merges: { long: "--merges", value: "none", help: "only merges" },
  minParents: { long: "--min-parents", value: "optional", arg: "<number>", help: "at least so many parents" },
  maxParents: { long: "--max-parents", value: "optional", arg: "<number>", help: "at most so many parents" },
  firstParent: {
    long: "--first-parent",
    value: "none",
    help: "follow only the first parent of a merge",
    noNegation: true,
  },
  not: { long: "--not", value: "none", help: "turn around the meaning of ^ for what follows", noNegation: true },
  all: { long: "--all", value: "none", help: "all refs, and HEAD", noNegation: true },
  branches: { long: "--branches", value: "optional", arg: "<pattern>", help: "all branches", noNegation: true },
  tags: { long: "--tags", value: "optional", arg: "<pattern>", help: "all tags", noNegation: true },
  remotes: {
    long: "--remotes",
    value: "optional",
    arg: "<pattern>",
    help: "all remote-tracking branches",
    noNegation: true,
  },
  glob: { long: "--glob", value: "list", arg: "<pattern>", help: "refs that match", noNegation: true },
  exclude: {
    long: "--exclude",
    value: "list",
    arg: "<pattern>",
    help: "leave refs out of the next option",
    noNegation: true,
  },
  reflog: { long: "--reflog", value: "none", help: "all that reflogs speak of", noNegation: true },
  alternateRefs: { long: "--alternate-refs", value: "none", help: "tips of alternates", noNegation: true },
  singleWorktree: { long: "--single-worktree", value: "none", help: "this work tree only", noNegation: true },
  ignoreMissing: {
    long: "--ignore-missing",
    value: "none",
    help: "pretend that what is missing was not given",
    noNegation: true,
  },
  stdin: { long: "--stdin", value: "none", help: "read more from standard input", noNegation: true },
  cherryMark: { long: "--cherry-mark", value: "none", help: "mark equal changes with =", noNegation: true },
  cherryPick: {
    long: "--cherry-pick",
    value: "none",
    help: "leave out equal changes of the other side",
    noNegation: true,
  },
  leftOnly: { long: "--left-only", value: "none", help: "only the left side of a...b", noNegation: true },
  rightOnly: { long: "--right-only", value: "none", help: "only the right side of a...b", noNegation: true },
  cherry: { long: "--cherry", value: "none", help: "--right-only --cherry-mark --no-merges", noNegation: true },
  walkReflogs: { long: "--walk-reflogs", short: "-g", value: "none", help: "walk reflog entries", noNegation: true },
  merge: { long: "--merge", value: "none", help: "after a failed merge: refs that touch conflicts", noNegation: true },
  boundary: { long: "--boundary", value: "none", help: "show the edge too", noNegation: true },
  simplifyByDecoration: {
    long: "--simplify-by-decoration",
    value: "none",
    help: "only commits that refs point at",
    noNegation: true,
  },
  showPulls: { long: "--show-pulls", value: "none", help: "show merges that brought a change in", noNegation: true },
  fullHistory: { long: "--full-history", value: "none", help: "do not prune history", noNegation: true },
  dense: { long: "--dense", value: "none", help: "only the selected commits", noNegation: true },
  sparse: { long: "--sparse", value: "none", help: "all commits of the simplified history", noNegation: true },
  simplifyMerges: { long: "--simplify-merges", value: "none", help: "remove needless merges", noNegation: true },
  ancestryPath: {
    long: "--ancestry-path",
    value: "optional",
    arg: "<commit>",
    help: "only what lies between",
    noNegation: true,
  },
  dateOrder: {
    long: "--date-order",
    value: "none",
    help: "no parent before its children, else by time",
    noNegation: true,
  },
  authorDateOrder: {
    long: "--author-date-order",
    value: "none",
    help: "as --date-order, by the author's time",
    noNegation: true,
  },
  topoOrder: {
    long: "--topo-order",
    value: "none",
    help: "no parent before its children, lines not mixed",
    noNegation: true,
  },
  reverse: { long: "--reverse", value: "none", help: "oldest first", noNegation: true },
  noWalk: {
    long: "--no-walk",
    value: "optional",
    arg: "sorted|unsorted",
    help: "show what is given, follow nothing",
    noNegation: true,
  },
  doWalk: { long: "--do-walk", value: "none", help: "undo --no-walk", noNegation: true },
  parents: { long: "--parents", value: "none", help: "show the parents too", noNegation: true },
  children: { long: "--children", value: "none", help: "show the children too", noNegation: true },
  leftRight: { long: "--left-right", value: "none", help: "mark the sides of a...b", noNegation: true },
} as const satisfies FlagTable;

export type RevisionFlags = typeof revisionFlags;
type Parsed = PartlyParsed<RevisionFlags>;

export interface Revisions {
  readonly arguments: RevisionArguments;
  /** Tips are not among them yet: `arguments.tips`. */
  readonly walk: Omit<WalkOptions, "tips">;
  readonly pathspec: Pathspec;
  readonly message: MessageFilterOptions;
}

export interface ReadRevisionsOptions {
  /** Taken when nothing is named; null: nothing is. */
  readonly fallback?: string | null;
  /** Parents are rewritten to those that are shown, as for a graph. */
  readonly rewriting?: boolean;
  /** Patterns of names are looked for in the names people want to be known by. */
  readonly mailmap?: boolean;
}

export async function readRevisions(
  context: CommandContext,
  repo: Repository,
  parsed: Parsed,
  { fallback = "HEAD", rewriting = false, mailmap = false }: ReadRevisionsOptions = {},
): Promise<Revisions> {
  const { flags } = parsed;
  const named = new RevisionArguments(repo, { ignoreMissing: flags.ignoreMissing });
  const paths = await new ArgumentReader(context, repo, parsed, named).read();
  const touching = flags.merge ? await takeMerge(repo, named) : [];
  if (!named.given && fallback !== null) await takeDefault(repo, named, fallback);
  const pathspec = parsePathspec(repo, [...paths, ...touching]);
  const message = messageOptions(repo, parsed);
  return {
    arguments: named,
    pathspec,
    message,
    walk: walkOptions(repo, parsed, pathspec, { message, rewriting, mailmap }),
  };
}

async function takeDefault(repo: Repository, named: RevisionArguments, fallback: string): Promise<void> {
  if (await named.revision(fallback)) return;
  const head = await repo.refs.read("HEAD");
  if (fallback === "HEAD" && head?.kind === "symbolic" && head.target.startsWith("refs/heads/")) {
    const branch = head.target.slice("refs/heads/".length);
    throw new GitError("ENOTFOUND", `your current branch '${branch}' does not have any commits yet`);
  }
  throw new GitError("ENOTFOUND", `bad default revision '${fallback}'`);
}

/** `--merge`: what both sides of a merge that stopped have done to the paths in conflict. */
async function takeMerge(repo: Repository, named: RevisionArguments): Promise<string[]> {
  const [head, other] = [(await repo.refs.resolve("HEAD"))?.oid, (await repo.refs.resolve("MERGE_HEAD"))?.oid];
  if (!head) throw new GitError("ESTATE", "--merge without HEAD?");
  if (!other) throw new GitError("ESTATE", "--merge without MERGE_HEAD?");
  for (const text of ["HEAD", "MERGE_HEAD"]) await named.revision(text);
  for (const base of await mergeBases(repo, head, [other])) await named.revision(`^${base}`);
  const paths = (await readIndex(repo)).entries.filter(({ stage }) => stage !== 0).map(({ path }) => path);
  return [...new Set(paths)].map((path) => `:(top,literal)${path}`);
}

const GROUPS: Readonly<Record<string, RefGroup>> = {
  branches: "branches",
  tags: "tags",
  remotes: "remotes",
  glob: "glob",
};

/** Revisions and the options among them, in order; what is left are paths. */
class ArgumentReader {
  #at = 0;

  constructor(
    private readonly context: CommandContext,
    private readonly repo: Repository,
    private readonly parsed: Parsed,
    private readonly named: RevisionArguments,
  ) {}

  async read(): Promise<string[]> {
    const { args, afterDashes, order } = this.parsed;
    for (const [index, text] of args.entries()) {
      await this.#optionsBefore(index);
      if (await this.named.revision(text)) {
        if (afterDashes === null && !text.startsWith("^") && !text.includes("..")) await this.#refuseFile(text);
        continue;
      }
      if (this.parsed.flags.ignoreMissing) continue;
      if (afterDashes !== null || text.startsWith("^")) throw new GitError("ENOTFOUND", `bad revision '${text}'`);
      const late = order.slice(this.#at).find(({ at }) => at > index);
      for (const [i, path] of args.slice(index).entries()) await this.#needFile(path, i === 0);
      if (late !== undefined)
        throw new GitError("EINVAL", `option '${late.text}' must come before non-option arguments`);
      return [...args.slice(index)];
    }
    await this.#optionsBefore(args.length);
    return [...(afterDashes ?? [])];
  }

  async #optionsBefore(index: number): Promise<void> {
    const { order } = this.parsed;
    for (; this.#at < order.length && (order[this.#at]?.at ?? 0) <= index; this.#at++) {
      const { name, value } = order[this.#at] as (typeof order)[number];
      const group = GROUPS[name];
      if (name === "not") this.named.not();
      else if (name === "exclude") this.named.exclude(String(value));
      else if (name === "all") await this.named.refs("all");
      else if (name === "reflog") await this.named.reflogs();
      else if (name === "stdin") await this.#fromStdin();
      else if (group !== undefined) await this.named.refs(group, typeof value === "string" ? value : undefined);
    }
  }

  async #fromStdin(): Promise<void> {
    for (const line of decode(this.context.stdin).split("\n")) {
      if (line === "--") return;
      if (line !== "" && !(await this.named.revision(line))) throw new GitError("ENOTFOUND", `bad revision '${line}'`);
    }
  }

  async #exists(name: string): Promise<boolean> {
    const { host, cwd } = this.context;
    return host.fs.lstat(name.startsWith("/") ? name : `${cwd}/${name}`).then(
      () => true,
      () => false,
    );
  }

  async #refuseFile(text: string): Promise<void> {
    if (this.repo.workTree === null || /[:*?[]/.test(text) || !(await this.#exists(text))) return;
    throw ambiguousArgument(text, "both revision and filename");
  }

  async #needFile(path: string, first: boolean): Promise<void> {
    await verifyFile(this.repo, path, first);
  }
}

function messageOptions({ config }: Repository, { flags, order }: Parsed): MessageFilterOptions {
  const last = order.findLast(({ name }) => /^(basic|extended|perl)Regexp$|^fixedStrings$/.test(name))?.name;
  const configured = config.get("grep.patterntype")?.toLowerCase();
  const word = last?.replace(/(Regexp|Strings)$/, () => "") ?? configured;
  const syntax =
    word === "extended" || word === "fixed" || word === "perl" || word === "basic"
      ? word
      : config.getBool("grep.extendedregexp")
        ? "extended"
        : "basic";
  return {
    ...(flags.grep ? { grep: flags.grep } : {}),
    ...(flags.author ? { author: flags.author } : {}),
    ...(flags.committer ? { committer: flags.committer } : {}),
    ...(flags.grepReflog ? { grepReflog: flags.grepReflog } : {}),
    ignoreCase: flags.ignoreCase === true,
    syntax,
    allMatch: flags.allMatch === true,
    invert: flags.invertGrep === true,
  };
}

function walkOptions(
  repo: Repository,
  parsed: Parsed,
  pathspec: Pathspec,
  { message, rewriting, mailmap }: { message: MessageFilterOptions; rewriting: boolean; mailmap: boolean },
): Omit<WalkOptions, "tips"> {
  const { flags } = parsed;
  const time = localTime(repo.host, repo.env);
  const date = (text: string | false | undefined) => (text ? approximateSeconds(text, time) : undefined);
  const filter = commitFilter(repo, message, mailmap);
  const cherry = flags.cherry || flags.cherryMark ? "mark" : flags.cherryPick ? "pick" : undefined;
  const since = date(flags.since ?? flags.after) ?? numberOf(flags.maxAge);
  const until = date(flags.until ?? flags.before) ?? numberOf(flags.minAge);
  return {
    ...defined({
      noWalk: noWalkOf(parsed),
      maxCount: countOf(parsed),
      skip: numberOf(flags.skip),
      since,
      until,
      sinceAsFilter: date(flags.sinceAsFilter),
      minParents: flags.merges ? 2 : boundOf(flags.minParents),
      maxParents: flags.cherry || flags.merges === false ? 1 : boundOf(flags.maxParents),
      filter,
      cherry,
      ancestryPath: flags.ancestryPath === true ? true : undefined,
      paths: pathspec.isEmpty ? undefined : pathLimit(pathspec),
    } satisfies Loose<WalkOptions>),
    order: orderOf(parsed),
    reverse: flags.reverse === true,
    firstParent: flags.firstParent === true,
    boundary: flags.boundary === true,
    leftRight: flags.leftRight === true,
    leftOnly: flags.leftOnly === true,
    rightOnly: flags.rightOnly === true || flags.cherry === true,
    simplify: flags.simplifyMerges ? "merges" : flags.fullHistory ? "full" : "default",
    sparse: flags.sparse === true,
    showPulls: flags.showPulls === true,
    rewriteParents: rewriting || flags.parents === true || flags.simplifyMerges === true,
    children: flags.children === true,
    ignoreMissing: flags.ignoreMissing === true,
  };
}

function commitFilter(repo: Repository, message: MessageFilterOptions, useMailmap: boolean): WalkOptions["filter"] {
  const matches = messageFilter(message);
  if (matches === null) return undefined;
  const named = useMailmap && (message.author !== undefined || message.committer !== undefined);
  let mailmap: Promise<Mailmap> | undefined;
  return async ({ oid }) => {
    const commit = parseCommit((await repo.odb.need(oid, "commit")).body);
    if (!named) return matches(commit);
    const { map } = await (mailmap ??= loadMailmap(repo));
    const shown = ({ name, email }: { name: string; email: string }) => {
      const known = map(name, email);
      return `${known.name} <${known.email}>`;
    };
    return matches(commit, { author: shown(commit.author), committer: shown(commit.committer) });
  };
}

type Loose<T> = { [K in keyof T]?: T[K] | undefined | null };

function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** As C's atoi. */
function numberOf(text: string | false | undefined): number | undefined {
  if (text === undefined || text === false) return undefined;
  return Number.parseInt(text, 10) || 0;
}

function countOf({ order }: Parsed): number | undefined {
  const last = order.findLast(({ name }) => name === "maxCount" || name === "maxCountNumber");
  const count = last === undefined ? undefined : numberOf(String(last.value));
  return count !== undefined && count < 0 ? undefined : count;
}

/** `--no-min-parents` and `--max-parents=-1` lift the bound. */
function boundOf(value: string | boolean | undefined): number | undefined {
  if (typeof value !== "string") return undefined;
  const bound = Number.parseInt(value, 10) || 0;
  return bound < 0 ? undefined : bound;
}

function noWalkOf({ order }: Parsed): WalkOptions["noWalk"] {
  const last = order.findLast(({ name }) => name === "noWalk" || name === "doWalk");
  if (last === undefined || last.name === "doWalk") return undefined;
  if (last.value === true || last.value === "sorted") return true;
  if (last.value === "unsorted") return "unsorted";
  throw new GitError("EINVAL", "invalid argument to --no-walk", { prefix: "error" });
}

function orderOf({ order }: Parsed): WalkOptions["order"] {
  const last = order.findLast(({ name }) => name.endsWith("Order"))?.name;
  return last === "dateOrder"
    ? "date"
    : last === "authorDateOrder"
      ? "author-date"
      : last === "topoOrder"
        ? "topo"
        : "default";
}

export function pathLimit(pathspec: Pathspec): PathLimit {
  return {
    match(path, isDirectory) {
      if (!isDirectory) return pathspec.matches(path, { quiet: true }) ? "all" : "none";
      if (pathspec.matchesAllUnder(path)) return "all";
      return pathspec.mayMatchUnder(path) ? "some" : "none";
    },
  };
}

/** What git says of an option that none of its readers knows. */
export function unrecognized(option: string): GitError {
  return new GitError("EINVAL", `unrecognized argument: ${option}`);
}

export function missingRevisionValue(option: string): GitError {
  if (/^-[a-zA-Z]$/.test(option)) return new GitError("EINVAL", `${option} requires an argument`, { prefix: "error" });
  return new GitError("EINVAL", `Option '${option}' requires a value`);
}
