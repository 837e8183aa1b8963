/** The commits of one `git log`, from the revision walk or from reflogs, with the data that the graph needs. */

import { approxidate } from "../../../date/approxidate.ts";
import { formatDate } from "../../../date/format-date.ts";
import { localTime, zoneMinutes } from "../../../date/local-time.ts";
import { GitError } from "../../../errors.ts";
import { type Commit, parseCommit } from "../../../object/commit.ts";
import { type Oid, ZERO_OID } from "../../../object/oid.ts";
import { patchIdOf } from "../../../porcelain/log/patch-id.ts";
import type { GraphCommit } from "../../../pretty/graph.ts";
import type { LogCommit } from "../../../pretty/log-printer.ts";
import { type PrettyContext, parseDisplayed, type ReflogLine } from "../../../pretty/pretty-context.ts";
import { isRefName } from "../../../refs/ref-name.ts";
import type { ReflogEntry } from "../../../refs/ref-store.ts";
import type { Repository } from "../../../repository.ts";
import { interpretBranchName } from "../../../revision/branch-mark.ts";
import { sameTrees } from "../../../revision/compare-trees.ts";
import { expandRef } from "../../../revision/expand-ref.ts";
import { messageFilter } from "../../../revision/message-filter.ts";
import type { NamedObject } from "../../../revision/revision-arguments.ts";
import { shortenRef } from "../../../revision/shorten-ref.ts";
import { walk } from "../../../revision/walk.ts";
import type { WalkedCommit, WalkOptions } from "../../../revision/walk-options.ts";
import type { Presentation } from "../../flags/pretty-flags.ts";
import type { Revisions } from "../../flags/revision-flags.ts";

interface LogWalkOptions {
  readonly graph: boolean;
  readonly leftRight: boolean;
  readonly cherryMark: boolean;
  readonly showParents: boolean;
  readonly showChildren: boolean;
  /** `--full-diff`: compares a commit with its parents before rewriting. */
  readonly fullDiff: boolean;
  readonly source: boolean;
  /** How commits are shown. */
  readonly pretty: Partial<Pick<PrettyContext, "format" | "encoding">>;
}

export type LogWalkCommit = LogCommit & {
  readonly realParents: readonly Oid[];
  /** The parents that the commit's diff is computed against. */
  readonly comparedWith: readonly Oid[];
};
type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export async function* walkLog(
  repo: Repository,
  revisions: Revisions,
  options: LogWalkOptions,
  tips = revisions.arguments.tips,
): AsyncGenerator<LogWalkCommit> {
  const requested: WalkOptions = {
    ...revisions.walk,
    tips,
    patchId: (node) => patchIdOf(repo, node, revisions.limitedTo),
  };
  const displayed = options.graph ? await displayOids(repo, requested) : null;
  for await (const one of walk(repo, requested)) {
    const { body } = repo.odb.peek(one.oid) ?? (await repo.odb.need(one.oid, "commit"));
    const commit = parseDisplayed(options.pretty, body);
    const mark = revisionMark(one, options);
    const graphMark = one.boundary ? "o" : mark === "+" ? "*" : mark || "*";
    const graphCommit: GraphCommit | undefined = displayed
      ? { oid: one.oid, mark: graphMark, parents: one.parents.filter((parent) => displayed.has(parent)) }
      : undefined;
    const displayCommit: Writable<LogWalkCommit> = {
      oid: one.oid,
      commit,
      parents: one.parents,
      comparedWith: options.fullDiff ? one.parentsBeforeRewriting : one.parents,
      realParents: one.node.parents,
      mark: one.boundary ? "-" : one.patchSame ? "=" : one.left ? "<" : ">",
    };
    if (mark) displayCommit.displayMark = mark;
    if (graphCommit) displayCommit.graphCommit = graphCommit;
    if (options.showParents) displayCommit.related = one.parents;
    if (options.showChildren) displayCommit.related = one.childrenDisplayed ?? [];
    if (one.source !== undefined) displayCommit.source = one.source;
    yield displayCommit;
  }
}

/** The commits that would be shown without `-n`; the graph draws lines to all of them. */
async function displayOids(repo: Repository, options: WalkOptions): Promise<Set<Oid>> {
  const displayed = new Set<Oid>();
  const { maxCount: _, skip: __, ...all } = options;
  for await (const { oid } of walk(repo, all)) displayed.add(oid);
  if (options.boundary) for await (const { oid } of walk(repo, options)) displayed.add(oid);
  return displayed;
}

function revisionMark(one: WalkedCommit, { leftRight, cherryMark }: LogWalkOptions): string {
  if (one.boundary) return "-";
  if (one.patchSame) return "=";
  if (leftRight) return one.left ? "<" : ">";
  return cherryMark ? "+" : "";
}

/** `-g`: newest first; among entries of equal time, the reflog named first wins. */
export async function* walkReflogs(
  repo: Repository,
  revisions: Revisions,
  { context, date, dateGiven }: Presentation,
): AsyncGenerator<LogWalkCommit> {
  const { walk: limits, message } = revisions;
  const filter = messageFilter(message);
  const time = localTime(repo.host, repo.env);
  let skip = limits.skip ?? 0;
  let left = limits.maxCount ?? Number.POSITIVE_INFINITY;
  for (const { displayed, byDate, at, entry } of inOrder(await reflogNames(repo, revisions.arguments.objects))) {
    if (left <= 0) return;
    if (entry.to === ZERO_OID) continue;
    const object = await repo.odb.read(entry.to);
    if (object?.type !== "commit") continue;
    const commit = parseDisplayed(context, object.body);
    if (!isWanted(commit, entry, limits) || (filter && !filter(commit, { reflog: entry.message }))) continue;
    if (!(await touches(repo, commit, limits.paths))) continue;
    if (skip-- > 0) continue;
    left--;
    const { seconds, zone } = entry.who;
    const position = (byDate ?? dateGiven) ? formatDate(seconds, zoneMinutes(zone), date, time) : String(at);
    const shortened = displayed.startsWith("refs/") ? await shortenRef(repo, displayed, false) : displayed;
    const reflog: ReflogLine = {
      selector: `${displayed}@{${position}}`,
      shortSelector: `${shortened}@{${position}}`,
      message: entry.message,
      who: entry.who,
    };
    const { parents } = commit;
    yield { oid: entry.to, commit, parents, comparedWith: parents, realParents: parents, reflog };
  }
}

function* inOrder(logs: readonly NamedReflog[]) {
  const next = logs.map(({ from }) => from);
  for (;;) {
    let best = -1;
    for (const [i, { entries }] of logs.entries()) {
      const seconds = entries[next[i] as number]?.who.seconds;
      if (seconds === undefined) continue;
      const leader = logs[best]?.entries[next[best] as number];
      if (!leader || seconds > leader.who.seconds) best = i;
    }
    const log = logs[best];
    if (!log) return;
    const at = next[best] as number;
    next[best] = at + 1;
    yield { ...log, at, entry: log.entries[at] as ReflogEntry };
  }
}

/** A merge is shown if it differs from each of its parents in these paths. */
async function touches(repo: Repository, commit: Commit, paths: WalkOptions["paths"]): Promise<boolean> {
  if (!paths) return true;
  if (commit.parents.length === 0) return !(await sameTrees(repo, null, commit.tree, paths));
  for (const parent of commit.parents) {
    const { tree } = parseCommit((await repo.odb.need(parent, "commit")).body);
    if (await sameTrees(repo, tree, commit.tree, paths)) return false;
  }
  return true;
}

type CommitLimits = Pick<WalkOptions, "since" | "until" | "minParents" | "maxParents">;

function isWanted(commit: { parents: readonly Oid[] }, { who }: ReflogEntry, limits: CommitLimits): boolean {
  const { since, until, minParents = 0, maxParents = Number.POSITIVE_INFINITY } = limits;
  if (since !== undefined && who.seconds < since) return false;
  if (until !== undefined && who.seconds > until) return false;
  return commit.parents.length >= minParents && commit.parents.length <= maxParents;
}

interface NamedReflog {
  readonly displayed: string;
  readonly full: string;
  /** Newest first. */
  readonly entries: readonly ReflogEntry[];
  /** Index of the first entry to show. */
  readonly from: number;
  /** Whether entries are named by date; null: unspecified, `--date` decides. */
  readonly byDate: boolean | null;
}

/** Skips names without a reflog (a tag, `HEAD~3`); rejects exclusions (`^a`). */
async function reflogNames(repo: Repository, named: readonly NamedObject[]): Promise<NamedReflog[]> {
  const found: NamedReflog[] = [];
  for (const { name, uninteresting } of named) {
    if (uninteresting) throw new GitError("EINVAL", `cannot walk reflogs for ${name}`);
    // A suffix after the brace selects a commit, which does not matter for the reflog.
    const match = /^(.*?)@\{((?!u\}|upstream\}|push\}|-)[^}]*)\}/is.exec(name);
    const typed = (await interpretBranchName(repo, (match ? match[1] : name) || "HEAD")) ?? "";
    const log = await reflogOf(repo, typed);
    if (log === null) continue;
    const when = match?.[2];
    const isNumber = when !== undefined && /^\d+$/.test(when);
    const entries = (await repo.refs.reflog(log.full)).reverse();
    const byDate = when === undefined ? null : !isNumber;
    let from = isNumber ? Number(when) : 0;
    if (when !== undefined && byDate) {
      const { seconds } = approxidate(when, localTime(repo.host, repo.env));
      while (from < entries.length && (entries[from] as ReflogEntry).who.seconds > seconds) from++;
    }
    found.push({ ...log, entries, from, byDate });
  }
  return found;
}

/** Displays a branch by the name as typed, anything else by its full name. */
async function reflogOf(repo: Repository, typed: string): Promise<Pick<NamedReflog, "displayed" | "full"> | null> {
  if (!isRefName(typed, { oneLevel: true })) return null;
  for (const full of [typed, `refs/${typed}`, `refs/heads/${typed}`])
    if (await repo.refs.hasReflog(full)) return { displayed: typed, full };
  const full = (await expandRef(repo, typed))?.name;
  return full === undefined ? null : { displayed: full, full };
}
