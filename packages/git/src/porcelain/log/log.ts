/** Yields the commits of `git log` as data. */
import { approximateSeconds } from "../../date/approxidate.ts";
import { localTime } from "../../date/local-time.ts";
import { diffDefaults } from "../../diff/diff-options.ts";
import { GitError } from "../../errors.ts";
import { commitSubject } from "../../message/commit-message.ts";
import { type Commit, parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import type { Signature } from "../../object/signature.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { configuredFilter, type Decorations, decorationLabels, loadDecorations } from "../../pretty/decorations.ts";
import type { Repository } from "../../repository.ts";
import { commitTreeOid } from "../../revision/peel.ts";
import { RevisionArguments } from "../../revision/revision-arguments.ts";
import { walk } from "../../revision/walk.ts";
import type { WalkOptions } from "../../revision/walk-options.ts";
import { logOutputEncoding } from "../../text/encodings.ts";
import { FollowedFile } from "./followed-file.ts";
import { addDefaultRevision, commitFilter, pathLimit, patternSyntax } from "./select-commits.ts";

export interface LogOptions {
  /** Revisions and ranges: "main", "v1..HEAD", "^old"; default HEAD. */
  readonly revisions?: readonly string[];
  readonly paths?: readonly string[];
  readonly all?: boolean;
  readonly maxCount?: number;
  readonly skip?: number;
  /** Dates as git accepts them: "2 days ago", "2024-01-31". */
  readonly since?: string;
  readonly until?: string;
  /** Basic regular expressions. */
  readonly author?: string;
  readonly grep?: string;
  readonly firstParent?: boolean;
  readonly noMerges?: boolean;
  readonly reverse?: boolean;
  /** History of one file across renames. */
  readonly follow?: boolean;
}

export interface LogEntry {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly subject: string;
  readonly message: string;
  /** "HEAD -> main", "tag: v1". */
  readonly refs: readonly string[];
  /** The same as data. */
  readonly decorations: readonly LogDecoration[];
}

export interface LogDecoration {
  /** Full name: "refs/heads/main", "HEAD". */
  readonly name: string;
  readonly kind: "branch" | "remoteBranch" | "tag" | "stash" | "HEAD" | "grafted" | "none";
}

export async function* log(repo: Repository, options: LogOptions = {}): AsyncGenerator<LogEntry> {
  const named = new RevisionArguments(repo);
  if (options.all) await named.refs("all");
  for (const revision of options.revisions ?? []) {
    if (!(await named.revision(revision))) throw new GitError("ENOTFOUND", `bad revision '${revision}'`);
  }
  if (!named.input) await addDefaultRevision(repo, named, "HEAD");
  const followed = followedFile(repo, options);
  const encoding = logOutputEncoding(repo.config, undefined);
  const decorations = await loadDecorations(repo, configuredFilter(repo.config));
  const { maxCount, ...rest } = walkOptions(repo, options, followed !== null);
  // `--follow` omits commits that the walk counts, unless the walk must end before it is reversed.
  const counts = followed !== null && !rest.reverse;
  let left = (counts ? maxCount : undefined) ?? Number.POSITIVE_INFINITY;
  const limited = counts || maxCount === undefined ? rest : { ...rest, maxCount };
  if (left <= 0) return;
  for await (const { oid, parents } of walk(repo, { ...limited, tips: named.tips })) {
    const { body } = repo.odb.peek(oid) ?? (await repo.odb.need(oid, "commit"));
    const commit = parseCommit(body, encoding);
    if (followed !== null && !(await isChanged(repo, followed, commit, parents))) continue;
    yield toEntry(oid, commit, parents, decorations);
    if (--left <= 0) return;
  }
}

function walkOptions(repo: Repository, options: LogOptions, isFollowing: boolean): Omit<WalkOptions, "tips"> {
  const { maxCount, skip, since, until, author, grep, paths = [] } = options;
  const time = localTime(repo.host, repo.env);
  const pathspec = parsePathspec(repo, paths);
  const message = {
    ...(grep === undefined ? {} : { grep: [grep] }),
    ...(author === undefined ? {} : { author: [author] }),
    syntax: patternSyntax(repo.config),
    encoding: logOutputEncoding(repo.config, undefined),
  };
  const filter = commitFilter(repo, message, repo.config.getBool("log.mailmap") ?? true);
  return {
    order: "default",
    firstParent: options.firstParent === true,
    reverse: options.reverse === true,
    ...(options.noMerges ? { maxParents: 1 } : {}),
    ...(maxCount === undefined || maxCount < 0 ? {} : { maxCount }),
    ...(skip === undefined ? {} : { skip }),
    ...(since === undefined ? {} : { since: approximateSeconds(since, time) }),
    ...(until === undefined ? {} : { until: approximateSeconds(until, time) }),
    ...(filter === undefined ? {} : { filter }),
    // The name of a followed file changes during the walk, so it cannot limit it.
    ...(isFollowing || pathspec.isEmpty ? {} : { paths: pathLimit(pathspec) }),
  };
}

function followedFile(repo: Repository, { follow, paths = [] }: LogOptions): FollowedFile | null {
  const [path, ...more] = parsePathspec(repo, paths).items;
  const isSingle = path !== undefined && more.length === 0;
  if (!(follow ?? (isSingle && (repo.config.getBool("log.follow") ?? false)))) return null;
  if (!isSingle) throw new GitError("EINVAL", "--follow requires exactly one pathspec");
  return new FollowedFile(repo, path.match);
}

/** Merges are not compared. */
async function isChanged(repo: Repository, file: FollowedFile, commit: Commit, parents: readonly Oid[]) {
  const [parent, second] = parents;
  if (second !== undefined) return false;
  const before = parent === undefined ? null : commitTreeOid((await repo.odb.need(parent, "commit")).body);
  return (await file.diff(before, commit.tree, diffDefaults(repo.config))).pairs.length > 0;
}

function toEntry(oid: Oid, commit: Commit, parents: readonly Oid[], decorations: Decorations): LogEntry {
  const { tree, author, committer, message } = commit;
  return {
    oid,
    tree,
    parents,
    author,
    committer,
    subject: commitSubject(message),
    message,
    refs: decorationLabels(decorations, oid),
    decorations: decorations.of(oid),
  };
}
