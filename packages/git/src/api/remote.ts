/** Methods that contact other repositories. `onProgress` receives a server's progress text as it arrives. */
import { GitError } from "../errors.ts";
import { readColumnarIndex } from "../index/read-index.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import { currentBranch } from "../porcelain/branch/branch-names.ts";
import type { HeadPosition } from "../porcelain/checkout/switch.ts";
import { clone as makeClone } from "../porcelain/clone.ts";
import { findCloneTarget, isCopied, refuseOccupied } from "../porcelain/clone-target.ts";
import { type FetchUpdate, fetch as fetchRefs } from "../porcelain/fetch/fetch.ts";
import { hasNoRemote } from "../porcelain/fetch/has-no-remote.ts";
import { type FetchedHead, independentHeads, readFetchHead } from "../porcelain/merge/fetch-head.ts";
import { checkoutUnborn } from "../porcelain/merge/merge.ts";
import { mergeRevisions } from "../porcelain/merge/merge-revisions.ts";
import { refuseUnmerged } from "../porcelain/merge/merge-state.ts";
import { fastForwardWorkTree } from "../porcelain/pull/fast-forward-work-tree.ts";
import { pullForkPoint, rebaseUpstream } from "../porcelain/pull/fork-base.ts";
import { noCandidates } from "../porcelain/pull/no-candidates.ts";
import { planPull, refuseMerging } from "../porcelain/pull/plan-pull.ts";
import { fastForwardWay, rebaseWay } from "../porcelain/pull/pull-strategy.ts";
import { requireClean } from "../porcelain/pull/require-clean.ts";
import { choosePushRefs, findPushRemote } from "../porcelain/push/choose-push-refs.ts";
import { parseLease } from "../porcelain/push/parse-lease.ts";
import { type PushKind, push as pushTo, type PushedRef as ReportedRef } from "../porcelain/push/push.ts";
import { pushSummary } from "../porcelain/push/push-summary.ts";
import { trackPushed } from "../porcelain/push/track-pushed.ts";
import { rebaseOnto } from "../porcelain/rebase/rebase-onto.ts";
import { addRemote as configureRemote } from "../porcelain/remote/change-remote.ts";
import type { Repository } from "../repository.ts";
import { openUpload } from "../wire/open-connection.ts";
import { defaultRemote, remoteConfig } from "../wire/remote-config.ts";
import type { Call, CallOptions } from "./call.ts";
import { type MergeOutcome, mergeOutcome, outcomeOf, Progression, sequenceOutcome } from "./merge.ts";

export interface Progress {
  /** Text as git writes it to a terminal, carriage returns included. Not available over RPC. */
  readonly onProgress?: (text: string) => void;
  /** Aborts the network transfer; no ref has moved then. Not available over RPC. */
  readonly signal?: AbortSignal;
}

function listen({ onProgress }: Progress): { err?: (text: string) => void; progress?: (text: string) => void } {
  return onProgress === undefined ? {} : { err: onProgress, progress: onProgress };
}

export interface CloneOptions extends CallOptions, Progress {
  readonly url: string;
  readonly directory?: string;
  readonly branch?: string;
  readonly depth?: number;
  readonly singleBranch?: boolean;
  readonly bare?: boolean;
  readonly noCheckout?: boolean;
  /** "blob:none": contents are fetched on demand. */
  readonly filter?: string;
}

export interface CloneResult {
  /** Absolute. */
  readonly gitDir: string;
  /** Null: bare. */
  readonly workTree: string | null;
  /** Null: the remote has no commit there. */
  readonly head: HeadPosition | null;
}

export async function clone(call: Call, options: CloneOptions): Promise<CloneResult> {
  const { host, cwd, env } = call.withSignal(options.signal);
  const { url, branch, depth, bare = false, noCheckout, filter } = options;
  if (depth !== undefined) checkDepth(depth);
  const target = await findCloneTarget(host, cwd, { url, directory: options.directory, bare });
  await refuseOccupied(host, target);
  // A copy of local files has all objects, but a depth still implies a single branch.
  const isLocal = await isCopied(host, target);
  const singleBranch = options.singleBranch ?? (isLocal && depth !== undefined ? true : undefined);
  const { repo, head } = await makeClone(host, {
    url: target.url,
    directory: target.directory,
    bare,
    cwd,
    env,
    checkout: noCheckout !== true,
    ...listen(options),
    ...(branch === undefined ? {} : { branch }),
    ...(singleBranch === undefined ? {} : { singleBranch }),
    ...(depth === undefined || isLocal ? {} : { deepen: { depth } }),
    ...(filter === undefined || isLocal ? {} : { filter }),
  });
  const { gitDir, workTree } = repo;
  return { gitDir, workTree, head: head && { branch: head.branch, oid: head.oid } };
}

function checkDepth(depth: number): void {
  if (!(Number.isInteger(depth) && depth > 0)) throw new GitError("EINVAL", `depth ${depth} is not a positive number`);
}

export interface FetchOptions extends CallOptions, Progress {
  /** Default the current branch's, or "origin". */
  readonly remote?: string;
  readonly refspecs?: readonly string[];
  readonly all?: boolean;
  readonly prune?: boolean;
  readonly tags?: boolean;
  readonly depth?: number;
  readonly unshallow?: boolean;
}

export interface FetchResult {
  readonly updates: readonly FetchUpdate[];
}

/** Throws EREJECTED after a ref was rejected; the others have moved. */
export async function fetch(call: Call, options: FetchOptions = {}): Promise<FetchResult> {
  const own = call.withSignal(options.signal);
  const repo = await own.repository();
  if (!options.all) return { updates: await fetchOne(own, repo, options) };
  const updates: FetchUpdate[] = [];
  const failures: unknown[] = [];
  for (const [at, remote] of repo.config.subsections("remote").entries()) {
    // A failed remote does not stop the remaining ones.
    await fetchOne(own, repo, { ...options, remote, refspecs: [] }, { append: at > 0 }).then(
      (more) => updates.push(...more),
      (error) => failures.push(error),
    );
  }
  if (failures.length > 0) throw failures[0];
  return { updates };
}

async function fetchOne(
  call: Call,
  repo: Repository,
  options: FetchOptions,
  more: { readonly append?: boolean; readonly updateHeadOk?: boolean } = {},
): Promise<FetchUpdate[]> {
  const { remote, refspecs = [], prune, tags, depth, unshallow } = options;
  if (depth !== undefined) checkDepth(depth);
  if (remote === undefined && (await hasNoRemote(repo))) return [];
  const { updates } = await fetchRefs(repo, {
    cwd: call.cwd,
    ...more,
    refspecs,
    words: [...(remote === undefined ? [] : [remote]), ...refspecs],
    ...listen(options),
    ...(remote === undefined ? {} : { remote }),
    ...(prune ? { prune } : {}),
    ...(tags ? { tags: "all" } : {}),
    ...(depth === undefined ? {} : { deepen: { depth } }),
    unshallow: unshallow === true,
  });
  const rejected = updates.filter(({ kind }) => kind === "rejected");
  if (rejected.length === 0) return [...updates];
  const names = rejected.map(({ source, target, reason }) => `${target ?? source} (${reason ?? "rejected"})`);
  throw new GitError("EREJECTED", `the fetch rejected ${names.join(", ")}`, { prefix: "error", exitCode: 1 });
}

export interface PullOptions extends CallOptions, Progress {
  readonly remote?: string;
  readonly branch?: string;
  readonly rebase?: boolean;
  readonly fastForwardOnly?: boolean;
}

export async function pull(call: Call, options: PullOptions = {}): Promise<MergeOutcome> {
  const { remote, branch, rebase, fastForwardOnly } = options;
  const words = [remote, branch].filter((word) => word !== undefined);
  const own = call.withSignal(options.signal);
  const opened = await own.workTree();
  const action = ["pull", ...words].join(" ");
  const repo = { ...opened, env: { GIT_REFLOG_ACTION: action, ...opened.env } };
  const way = {
    ...rebaseWay(repo, rebase, await currentBranch(repo)),
    fastForward: fastForwardOnly ? ("only" as const) : fastForwardWay(repo, [], rebase !== undefined),
  };
  await refuseUnmerged(repo, "Pulling");
  await refuseMerging(repo);
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (way.rebase && head !== null && !repo.config.getBool("rebase.autostash"))
    await requireClean(repo, head, "pull with rebase");
  if (way.rebase && head === null && (await readColumnarIndex(repo)).table.count > 0)
    throw new GitError("ESTATE", "Updating an unborn branch with changes added to the index.");
  const point = way.rebase && head !== null ? await pullForkPoint(repo, words, head) : null;
  const fetching = { ...options, ...(branch === undefined ? {} : { refspecs: [branch] }) };
  await fetchOne(own, repo, fetching, { updateHeadOk: true });
  const now = head === null ? null : await fastForwardWorkTree(() => {}, repo, head);
  const fetched = await readFetchHead(repo);
  if (fetched.length === 0) throw await noCandidates(repo, words, way.rebase !== false);
  const first = fetched[0] as FetchedHead;
  const plan = await planPull(repo, fetched, now, way);
  switch (plan) {
    case "unspecified":
      throw new GitError("ESTATE", "Need to specify how to reconcile divergent branches.");
    case "unborn":
      await checkoutUnborn(repo, first.oid, "merge");
      return outcomeOf(repo, [], { kind: "fast-forward" });
    case "rebase": {
      const progress = new Progression();
      const upstream = await rebaseUpstream(repo, now as Oid, first.oid, point);
      const request = { onto: first.oid, upstream, merges: way.rebase === "merges" };
      return sequenceOutcome(repo, await rebaseOnto(repo, request, progress.report), progress);
    }
    case "merge": {
      const heads = await independentHeads(repo, fetched);
      const named = heads.map(({ oid, tag }) => ({ oid, name: tag ?? oid, ...(tag ? { tag } : {}) }));
      const fastForward = way.rebase ? ("only" as const) : (way.fastForward ?? "auto");
      return mergeOutcome(repo, await mergeRevisions(repo, named, { fastForward }, heads));
    }
    default:
      return plan satisfies never;
  }
}

export interface PushOptions extends CallOptions, Progress {
  readonly remote?: string;
  readonly refspecs?: readonly string[];
  readonly force?: boolean;
  /** Overwrite only the value last seen there: true, or "branch:oid". */
  readonly forceWithLease?: boolean | string;
  readonly setUpstream?: boolean;
  readonly tags?: boolean;
  readonly delete?: boolean;
  readonly atomic?: boolean;
}

export interface PushedRef {
  readonly kind: PushKind;
  /** Full names here and there; "" for a deletion. */
  readonly from: string;
  readonly to: string;
  /** What the remote had, and what it was to get; null: nothing. */
  readonly oids: { readonly before: Oid | null; readonly after: Oid | null };
  /** Why it was rejected. */
  readonly reason?: string;
  /** Our tracking ref that moved along. */
  readonly tracking?: string;
  /** " " fast-forward, "+" forced, "*" new, "-" deleted, "=" up to date, "!" rejected. */
  readonly flag: string;
  readonly summary: string;
}

/** Rejected refs are in the result and do not throw. */
export async function push(call: Call, options: PushOptions = {}): Promise<PushedRef[]> {
  const own = call.withSignal(options.signal);
  const repo = await own.repository();
  const { refspecs = [], delete: deletes = false, tags = false, setUpstream } = options;
  if (deletes && tags) throw new GitError("EINVAL", "a push cannot delete and push tags at once");
  if (deletes && refspecs.length === 0) throw new GitError("EINVAL", "delete doesn't make sense without any refs");
  const branch = await currentBranch(repo);
  const { name, remote } = findPushRemote(repo, options.remote, branch);
  const { specs, setsUpstream } = await choosePushRefs(repo, remote, branch, {
    refspecs,
    delete: deletes,
    tags,
    mirror: remote.mirror,
  });
  const { config } = repo;
  const lease = await readLease(repo, options.forceWithLease);
  const pushOptions = config.getAll("push.pushoption");
  const pushed: PushedRef[] = [];
  for (const url of remote.pushUrls) {
    const refs = await pushTo(repo, {
      cwd: own.cwd,
      remote,
      url,
      refspecs: specs,
      force: options.force === true,
      atomic: options.atomic === true,
      prune: remote.mirror,
      followTags: config.getBool("push.followtags") ?? false,
      // An empty value clears the earlier ones.
      pushOptions: pushOptions.slice(pushOptions.lastIndexOf("") + 1),
      ...(lease && { lease }),
      ifIncludes: config.getBool("push.useforceifincludes") ?? false,
      ...listen(options),
    });
    for (const ref of refs) pushed.push(await toPushedRef(repo, ref));
    if (setUpstream || setsUpstream) await trackPushed(repo, remote.name ?? name, refs);
  }
  return pushed;
}

async function readLease(repo: Repository, requested: boolean | string | undefined) {
  if (requested === undefined || requested === false) return null;
  if (requested === true) return () => "tracking" as const;
  const { full, expected } = await parseLease(repo, requested);
  return (ref: string) => (ref === full ? expected : null);
}

async function toPushedRef(repo: Repository, ref: ReportedRef): Promise<PushedRef> {
  const { kind, source, target, from, to, reason, tracking } = ref;
  const oid = (one: Oid) => (one === ZERO_OID ? null : one);
  const { flag, summary, note } = await pushSummary(ref, (one) => repo.odb.abbreviate(one));
  return {
    kind,
    from: source ?? "",
    to: target,
    oids: { before: oid(from), after: oid(to) },
    ...(reason === undefined ? {} : { reason }),
    ...(tracking === undefined ? {} : { tracking }),
    flag,
    summary: note === "" ? summary : `${summary} (${note})`,
  };
}

export interface LsRemoteOptions extends CallOptions, Pick<Progress, "signal"> {
  /** A URL or a remote's name. */
  readonly remote?: string;
}

export interface RemoteRef {
  /** Full name; "^{}" at its end: the target of the tag before it. */
  readonly name: string;
  readonly oid: Oid;
  /** The target of a symbolic ref. */
  readonly symref?: string;
}

export async function lsRemote(call: Call, { remote, signal }: LsRemoteOptions = {}): Promise<RemoteRef[]> {
  const { host, cwd, env, configuration } = call.withSignal(signal);
  const { config, limits, repo } = await configuration();
  const name = remote ?? defaultRemote(config, repo && (await currentBranch(repo)));
  if (remote === undefined && !config.subsections("remote").includes(name))
    throw new GitError("EINVAL", "No remote configured to list refs from.");
  const connection = await openUpload({ host, config, limits, env, cwd }, remoteConfig(config, name).url);
  const found: RemoteRef[] = [];
  for (const { name: ref, oid, peeled, target } of await connection.listRefs()) {
    if (oid === null) continue;
    found.push({ name: ref, oid, ...(target && { symref: target }) });
    if (peeled) found.push({ name: `${ref}^{}`, oid: peeled });
  }
  return found;
}

export interface RemotesOptions extends CallOptions {}

export interface RemoteInfo {
  readonly name: string;
  /** As configured. */
  readonly url: string;
  /** Where a push goes, after `insteadOf`. */
  readonly pushUrls: readonly string[];
}

export async function remotes(call: Call, _options: RemotesOptions = {}): Promise<RemoteInfo[]> {
  const { config } = await call.repository();
  return config.subsections("remote").flatMap((name) => {
    const { writtenUrl, pushUrls, name: known } = remoteConfig(config, name);
    return known === null ? [] : [{ name, url: writtenUrl, pushUrls }];
  });
}

export interface AddRemoteOptions extends CallOptions {
  readonly name: string;
  readonly url: string;
}

export async function addRemote(call: Call, { name, url }: AddRemoteOptions): Promise<void> {
  await configureRemote(await call.repository(), { name, url });
}
