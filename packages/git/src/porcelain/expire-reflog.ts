/** Selects reflog entries to drop: old ones, with a separate limit for commits the ref no longer reaches. */
import { parseExpiry } from "../date/approxidate.ts";
import type { LocalTime } from "../date/local-time.ts";
import { GitError } from "../errors.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import { isPerWorktree } from "../refs/ref-files.ts";
import type { ReflogEntry } from "../refs/ref-store.ts";
import { listWorkTrees, refsOf } from "../repository/work-trees.ts";
import type { Repository } from "../repository.ts";
import { peelTo } from "../revision/peel.ts";
import { reachableObjects } from "../revision/reachable-objects.ts";
import { walk } from "../revision/walk.ts";
import { wildmatch } from "../text/wildmatch.ts";
import { reachableRoots } from "./maintenance/reachable-roots.ts";

export interface ExpireOptions {
  /** Seconds: drops entries before it. */
  readonly before: number;
  /** Seconds: the limit for entries not reachable from the tip. */
  readonly beforeUnreachable: number;
  /** Drops an entry by position, newest 0, regardless of age. */
  readonly drop?: (position: number) => boolean;
  /** Sets the old id of each entry to the new id of the previous one. */
  readonly rewrite?: boolean;
  /** Drops entries that name missing objects. */
  readonly staleFix?: boolean;
}

const DAY = 86_400;

/**
 * `gc.<pattern>.reflogExpire` if a pattern matches the name, else `gc.reflogExpire`, else 90 days; 30 days for unreachable entries.
 * The list of stashes is a reflog: only a pattern makes it expire.
 */
export function usualExpiry({ config }: Pick<Repository, "config">, name: string, time: LocalTime) {
  const matching = config
    .subsections("gc")
    .find(
      (glob) =>
        wildmatch(glob, name) &&
        ["reflogexpire", "reflogexpireunreachable"].some((key) => config.get(`gc.${glob}.${key}`) !== undefined),
    );
  const value = (key: string, days: number): number => {
    const own = matching === undefined ? undefined : config.get(`gc.${matching}.${key}`);
    if (matching === undefined && name === "refs/stash") return NEVER;
    const text = own ?? config.get(`gc.${key}`);
    return (text === undefined ? null : parseExpiry(text, time)) ?? time.now() - days * DAY;
  };
  return { before: value("reflogexpire", 90), beforeUnreachable: value("reflogexpireunreachable", 30) };
}

const NEVER = 0;

/**
 * All reflogs; those of other work trees with the repository as that work tree sees it. Skips a log whose ref is broken, with an
 * error message: it may be the only record of what the ref pointed to.
 */
export async function everyReflog(
  repo: Repository,
  { singleWorktree = false }: { singleWorktree?: boolean | undefined } = {},
): Promise<{ repo: Repository; name: string }[]> {
  const found: { repo: Repository; name: string }[] = [];
  for (const tree of await listWorkTrees(repo)) {
    if (singleWorktree && !tree.isCurrent) continue;
    const position = tree.isCurrent
      ? repo
      : { ...repo, gitDir: tree.gitDir, displayGitDir: tree.gitDir, refs: refsOf(repo, tree) };
    const names = (await position.refs.reflogNames()).filter((name) => tree.isCurrent || isPerWorktree(name));
    // HEAD last, usually as in git.
    names.sort((a, b) => Number(!a.startsWith("refs/")) - Number(!b.startsWith("refs/")));
    const broken = new Set<string>();
    await position.refs.list("refs/", { broken: (name) => broken.add(name) });
    for (const name of names) {
      if (!broken.has(name) && !(await leadsNowhere(position, name))) found.push({ repo: position, name });
      else repo.warn?.(`bad ref for ${displayLog(position, name)}`, "error");
    }
  }
  return found;
}

/** An unreadable HEAD, or a symbolic ref that is circular or names no valid ref. */
async function leadsNowhere({ refs }: Repository, name: string): Promise<boolean> {
  const value = await refs.read(name);
  if (value === null) return name === "HEAD";
  return value.kind === "symbolic" && (await refs.resolve(name)) === null;
}

function displayLog({ gitDir, commonDir = gitDir, displayGitDir = gitDir }: Repository, name: string): string {
  const isShared = gitDir !== commonDir && !isPerWorktree(name);
  return `${isShared ? commonDir : displayGitDir}/logs/${name}`;
}

export async function expireReflog(
  repo: Repository,
  name: string,
  options: ExpireOptions,
): Promise<{ retained: ReflogEntry[]; all: { entry: ReflogEntry; isGone: boolean }[] }> {
  const entries = await repo.refs.reflog(name);
  const reached = await reachedFrom(repo, name, entries, options);
  const retained: ReflogEntry[] = [];
  const all: { entry: ReflogEntry; isGone: boolean }[] = [];
  let last: Oid = ZERO_OID;
  for (const [i, entry] of entries.entries()) {
    const next = options.rewrite ? { ...entry, from: last } : entry;
    const isGone = await isExpired(repo, entry, entries.length - 1 - i, options, reached);
    all.push({ entry, isGone });
    if (isGone) continue;
    retained.push(next);
    last = entry.to;
  }
  return { retained, all };
}

async function isExpired(
  repo: Repository,
  entry: ReflogEntry,
  position: number,
  { before, beforeUnreachable, drop, staleFix }: ExpireOptions,
  reached: ((oid: Oid) => boolean) | null,
): Promise<boolean> {
  if (entry.who.seconds < before) return true;
  if (staleFix && !(await isComplete(repo, entry))) return true;
  if (entry.who.seconds < beforeUnreachable) {
    if (reached === null) return true;
    for (const oid of [entry.from, entry.to]) {
      if (oid === ZERO_OID) continue;
      const commit = await peelTo(repo, oid, "commit");
      if (commit && !reached(commit)) return true;
    }
  }
  return drop?.(position) ?? false;
}

/** True if all objects that the entry reaches and no ref holds exist. */
async function isComplete(repo: Repository, { from, to }: ReflogEntry): Promise<boolean> {
  const retained = [...(await reachableRoots(repo, { reflogs: false, staged: false }))];
  const commits = [from, to].filter((oid) => oid !== ZERO_OID);
  try {
    const reached: Oid[] = [];
    for await (const { oid } of reachableObjects(repo, commits, retained)) reached.push(oid);
    return (await repo.odb.missing(reached)).length === 0;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}

/** Null: every entry counts as unreachable. For HEAD's log, commits that any ref reaches count as reachable. */
async function reachedFrom(
  repo: Repository,
  name: string,
  entries: readonly ReflogEntry[],
  { before, beforeUnreachable }: ExpireOptions,
): Promise<((oid: Oid) => boolean) | null> {
  if (beforeUnreachable <= before || !entries.some(({ who }) => who.seconds < beforeUnreachable)) return () => true;
  const tips: Oid[] = [];
  const names =
    name === "HEAD"
      ? ["HEAD", ...(await repo.refs.list("refs/", { broken: () => {} })).map((ref) => ref.name)]
      : [name];
  for (const one of names) {
    const oid = (await repo.refs.resolve(one))?.oid;
    const commit = oid && (await peelTo(repo, oid, "commit"));
    if (commit) tips.push(commit);
  }
  if (tips.length === 0) return null;
  const reached = new Set<Oid>();
  for await (const { oid } of walk(repo, { tips: tips.map((oid) => ({ oid })), ignoreMissing: true })) reached.add(oid);
  return (oid) => reached.has(oid);
}
