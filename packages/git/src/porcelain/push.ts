/**
 * Sends commits to a remote and asks it to move its names. What cannot be moved is known before anything is sent; the server's word on
 * each name is what is reported, and only what it took moves our own names for it.
 */
import { isAdvised } from "../advice.ts";
import { GitError } from "../errors.ts";
import { reflogIdentity } from "../identity.ts";
import { writePack } from "../odb/write-pack.ts";
import { type Oid, ZERO_OID } from "../oid.ts";
import type { Repository } from "../repository.ts";
import { findRevision } from "../revision/find-revision.ts";
import { isAncestor } from "../revision/merge-base.ts";
import { peelTo } from "../revision/peel.ts";
import { type ReachableObject, reachableObjects } from "../revision/reachable-objects.ts";
import type { RemoteRef } from "../wire/advertisement.ts";
import { openReceive } from "../wire/open-connection.ts";
import { fillPattern, mapName, matchPattern, type Refspec } from "../wire/refspec.ts";
import type { RemoteConfig } from "../wire/remote-config.ts";
import { shownUrl } from "../wire/remote-url.ts";
import { RemoteText } from "../wire/sideband.ts";
import { thinBases } from "./thin-bases.ts";

export interface PushOptions {
  readonly cwd: string;
  readonly remote: RemoteConfig;
  readonly url: string;
  readonly refspecs: readonly Refspec[];
  readonly force?: boolean;
  readonly atomic?: boolean;
  readonly dryRun?: boolean;
  readonly followTags?: boolean;
  readonly prune?: boolean;
  readonly quiet?: boolean;
  /** Deltas on what the other side has; default true. */
  readonly thin?: boolean;
  readonly pushOptions?: readonly string[];
  /** Ref → what it must be there; null: what we last saw. */
  readonly lease?: (name: string) => Oid | "tracking" | null;
  readonly err?: (text: string) => void;
}

export type PushKind = "new" | "fast-forward" | "forced" | "deleted" | "same" | "rejected" | "remote-rejected";

export interface PushedRef {
  /** Our own name for it, which moved along. */
  readonly tracking?: string;
  readonly kind: PushKind;
  /** Null: a deletion. */
  readonly source: string | null;
  readonly target: string;
  readonly from: Oid;
  readonly to: Oid;
  readonly reason?: string;
}

interface Wish {
  readonly source: string | null;
  readonly target: string;
  readonly to: Oid;
  readonly force: boolean;
}

export async function push(repo: Repository, options: PushOptions): Promise<PushedRef[]> {
  const err = options.err ?? (() => {});
  const connection = await openReceive({ ...repo, cwd: options.cwd }, options.url, (text) => err(`warning: ${text}\n`));
  if (options.pushOptions?.length && !connection.canPushOptions)
    throw new GitError("EUNSUPPORTED", "the receiving end does not support push options", hungUp(connection.isLocal));
  const theirs = new Map(connection.refs.map((ref) => [ref.name, ref]));
  const wishes = await collectWishes(repo, options, theirs).catch((error) => {
    if (!(error instanceof GitError) || error.exitCode !== 1) throw error;
    const hint = `error: failed to push some refs to '${shownUrl(options.url)}'\n`;
    throw new GitError(error.code, error.message, { prefix: "error", exitCode: 1, hint });
  });
  const judged: PushedRef[] = [];
  for (const wish of wishes) judged.push(await judge(repo, wish, theirs.get(wish.target)?.oid ?? ZERO_OID, options));
  const rejects = judged.some(({ kind }) => kind === "rejected");
  if (options.atomic && !connection.canAtomic)
    throw new GitError("EUNSUPPORTED", "the receiving end does not support --atomic push");
  if (options.atomic && rejects && connection.isLocal) {
    const first = judged.find(({ kind }) => kind === "rejected") as PushedRef;
    const status = STATUSES[first.reason ?? ""] ?? 2;
    err(`error: atomic push failed for ref ${first.target}. status: ${status}\n\n${HUNG_UP}`);
  }
  if (options.atomic && rejects)
    return judged.map((ref) => (isMoved(ref) ? { ...ref, kind: "rejected", reason: "atomic push failed" } : ref));
  const moving = judged.filter(isMoved);
  if (options.dryRun) return judged;
  await followSame(
    repo,
    options.remote,
    judged.filter(({ kind }) => kind === "same"),
  );
  if (moving.length === 0) return judged;
  const haves = [...connection.refs.flatMap(({ oid }) => (oid === null ? [] : [oid])), ...connection.extraHaves];
  const wants = moving.filter(({ to }) => to !== ZERO_OID).map(({ to }) => to);
  const text = new RemoteText(err);
  const report = await connection.push(
    {
      commands: moving.map(({ target, from, to }) => ({ name: target, from, to })),
      pack:
        wants.length === 0 ? null : () => packFor(repo, wants, haves, { ...connection, thin: options.thin ?? true }),
      ...(options.atomic ? { atomic: true } : {}),
      quiet: options.quiet ?? false,
      ...(options.pushOptions ? { options: options.pushOptions } : {}),
    },
    { progress: (part) => text.add(part), limit: repo.limits.sidebandText },
  );
  text.end();
  if (report.unpackError !== null) err(`error: remote unpack failed: ${report.unpackError}\n`);
  const done = judged.map((ref): PushedRef => {
    if (!isMoved(ref)) return ref;
    const reason = report.results.get(ref.target);
    if (reason === null) return ref;
    return { ...ref, kind: "remote-rejected", reason: reason ?? "remote failed to report status" };
  });
  const tracked = await followMoves(repo, options.remote, done.filter(isMoved));
  return done.map((ref) => ({ ...ref, ...(tracked.has(ref.target) ? { tracking: tracked.get(ref.target) } : {}) }));
}

/** git's numbers for why a name was not moved, which it prints when another process does the sending. */
const STATUSES: Readonly<Record<string, number>> = {
  "non-fast-forward": 2,
  "already exists": 3,
  "fetch first": 5,
  "needs force": 6,
  "stale info": 7,
};
const HUNG_UP = "fatal: the remote end hung up unexpectedly\n";

function hungUp(isLocal: boolean): { hint?: string } {
  return isLocal ? { hint: HUNG_UP } : {};
}

function isMoved({ kind }: PushedRef): boolean {
  return kind === "new" || kind === "fast-forward" || kind === "forced" || kind === "deleted";
}

async function* packFor(
  repo: Repository,
  wants: readonly Oid[],
  haves: readonly Oid[],
  { thin, takesThin, takesOffsets }: { thin: boolean; takesThin: boolean; takesOffsets: boolean },
): AsyncGenerator<Uint8Array> {
  const objects: ReachableObject[] = [];
  const border: Oid[] = [];
  const onExcluded = (tree: Oid) => void border.push(tree);
  for await (const object of reachableObjects(repo, wants, haves, { onExcluded })) objects.push(object);
  const bases = thin && takesThin ? await thinBases(repo, objects, border) : new Map<Oid, Oid>();
  const oids = objects.map(({ oid }) => oid);
  yield* writePack(repo.odb, oids, { bases, namesBases: !takesOffsets });
}

async function collectWishes(
  repo: Repository,
  options: PushOptions,
  theirs: ReadonlyMap<string, RemoteRef>,
): Promise<Wish[]> {
  const ours = await repo.refs.list("refs/");
  const wishes = new Map<string, Wish>();
  for (const refspec of options.refspecs)
    for (const wish of await expand(repo, refspec, ours, theirs))
      wishes.set(wish.target, { ...wish, force: wish.force || (options.force ?? false) });
  if (options.followTags) {
    for (const { name, oid } of ours) {
      if (!name.startsWith("refs/tags/") || theirs.has(name) || wishes.has(name)) continue;
      if ((await repo.odb.header(oid))?.type !== "tag") continue;
      const peeled = await peelTo(repo, oid, "commit");
      if (peeled === null) continue;
      const reached = [...wishes.values()].filter(({ to }) => to !== ZERO_OID);
      for (const { to } of reached)
        if (await isAncestor(repo, peeled, to)) wishes.set(name, { source: name, target: name, to: oid, force: false });
    }
  }
  if (options.prune) {
    const patterns = options.refspecs.filter(({ pattern, target }) => pattern && target);
    const kept = new Set([...wishes.keys()]);
    for (const name of theirs.keys()) {
      if (kept.has(name) || !patterns.some(({ target }) => matchPattern(target as string, name) !== null)) continue;
      wishes.set(name, { source: null, target: name, to: ZERO_OID, force: true });
    }
  }
  // What the other side has comes first, in its order; then what is new, in ours.
  const order = new Map([...theirs.keys()].map((name, at) => [name, at]));
  const place = ({ target }: Wish) => order.get(target) ?? order.size;
  return [...wishes.values()].sort((a, b) => place(a) - place(b));
}

type OurRefs = Awaited<ReturnType<Repository["refs"]["list"]>>;

async function expand(
  repo: Repository,
  refspec: Refspec,
  ours: OurRefs,
  theirs: ReadonlyMap<string, RemoteRef>,
): Promise<Wish[]> {
  const { source, target, force, pattern, matching } = refspec;
  if (matching) {
    const heads = ours.filter(({ name }) => name.startsWith("refs/heads/") && theirs.has(name));
    return heads.map(({ name, oid }) => ({ source: name, target: name, to: oid, force }));
  }
  if (pattern) {
    return ours.flatMap(({ name, oid }) => {
      const part = matchPattern(source, name);
      return part === null ? [] : [{ source: name, target: fillPattern(target ?? source, part), to: oid, force }];
    });
  }
  if (source === "") {
    const found = matchRemote(theirs, target as string);
    if (found === null) throw failed(`unable to delete '${target}': remote ref does not exist`);
    return [{ source: null, target: found, to: ZERO_OID, force: true }];
  }
  const found = await findRevision(repo, source === "@" ? "HEAD" : source, {});
  if (found === null) throw failed(`src refspec ${source} does not match any`);
  const named = await ourName(repo, source, ours);
  const full = target === null ? wholeTarget(named ?? source, theirs, named) : wholeTarget(target, theirs, named);
  if (full === null) {
    const advised = isAdvised(repo.config, "pushUnqualifiedRefName");
    throw unqualified(refspec, named ?? source, advised ? (await repo.odb.header(found.oid))?.type : undefined);
  }
  const shown = source === "HEAD" || source === "@" ? "HEAD" : (named ?? source);
  return [{ source: shown, target: full, to: found.oid, force }];
}

async function ourName(repo: Repository, source: string, ours: OurRefs): Promise<string | null> {
  if (source === "HEAD" || source === "@") {
    const head = await repo.refs.read("HEAD");
    return head?.kind === "symbolic" ? head.target : "HEAD";
  }
  for (const prefix of ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"]) {
    if (ours.some(({ name }) => name === `${prefix}${source}`)) return `${prefix}${source}`;
  }
  return null;
}

function matchRemote(theirs: ReadonlyMap<string, RemoteRef>, name: string): string | null {
  for (const prefix of ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"])
    if (theirs.has(`${prefix}${name}`)) return `${prefix}${name}`;
  return null;
}

/** A short name on the other side: what it has by it, else what ours is. */
function wholeTarget(target: string, theirs: ReadonlyMap<string, RemoteRef>, named: string | null): string | null {
  const there = matchRemote(theirs, target);
  if (there !== null) return there;
  if (target.startsWith("refs/")) return target;
  if (named?.startsWith("refs/heads/")) return `refs/heads/${target}`;
  if (named?.startsWith("refs/tags/")) return `refs/tags/${target}`;
  return null;
}

function failed(message: string): GitError {
  return new GitError("ENOTFOUND", message, { prefix: "error", exitCode: 1 });
}

function unqualified({ target, source }: Refspec, named: string, type: string | undefined): GitError {
  const place = type === "commit" ? "branch" : type === "tag" ? "tag" : null;
  const advice =
    place === null
      ? ""
      : `\nhint: The <src> part of the refspec is a ${type} object.\nhint: Did you mean to create a new ${place} by pushing to\nhint: '${source}:refs/${place === "tag" ? "tags" : "heads"}/${target ?? source}'?`;
  return failed(
    `The destination you provided is not a full refname (i.e.,\nstarting with "refs/"). We tried to guess what you meant by:\n\n- Looking for a ref that matches '${target ?? source}' on the remote side.\n- Checking if the <src> being pushed ('${source || named}')\n  is a ref in "refs/{heads,tags}/". If so we add a corresponding\n  refs/{heads,tags}/ prefix on the remote side.\n\nNeither worked, so we gave up. You must fully qualify the ref.${advice}`,
  );
}

async function judge(repo: Repository, wish: Wish, from: Oid, options: PushOptions): Promise<PushedRef> {
  const { source, target, to, force } = wish;
  const told = (kind: PushKind, reason?: string): PushedRef => ({
    kind,
    source,
    target,
    from,
    to,
    ...(reason ? { reason } : {}),
  });
  const lease = options.lease?.(target) ?? null;
  if (lease !== null) {
    const expected = lease === "tracking" ? await trackedValue(repo, options.remote, target) : lease;
    if (expected !== from) return told("rejected", "stale info");
  }
  if (to === ZERO_OID) return told("deleted");
  if (from === to) return told("same");
  if (from === ZERO_OID) return told("new");
  const forced = force || lease !== null;
  if (target.startsWith("refs/tags/")) return forced ? told("forced") : told("rejected", "already exists");
  if ((await repo.odb.header(from)) === null) return forced ? told("forced") : told("rejected", "fetch first");
  const isCommit = async (oid: Oid) => (await repo.odb.header(oid))?.type === "commit";
  if (!(await isCommit(from)) || !(await isCommit(to)))
    return forced ? told("forced") : told("rejected", "needs force");
  if (await isAncestor(repo, from, to)) return told("fast-forward");
  return forced ? told("forced") : told("rejected", "non-fast-forward");
}

async function trackedValue(repo: Repository, remote: RemoteConfig, target: string): Promise<Oid> {
  const to = mapName(remote.fetch, target);
  return to === null ? ZERO_OID : ((await repo.refs.resolve(to.name))?.oid ?? ZERO_OID);
}

/** What the remote has already may still be news to our names for it. */
async function followSame(repo: Repository, remote: RemoteConfig, same: readonly PushedRef[]): Promise<void> {
  const stale: PushedRef[] = [];
  for (const ref of same) if ((await trackedValue(repo, remote, ref.target)) !== ref.to) stale.push(ref);
  await followMoves(repo, remote, stale);
}

/** Our names for what the remote has follow at once. */
async function followMoves(
  repo: Repository,
  remote: RemoteConfig,
  moved: readonly PushedRef[],
): Promise<Map<string, string>> {
  const tracked = new Map<string, string>();
  const who = reflogIdentity(repo);
  for (const { target, to } of moved) {
    const local = mapName(remote.fetch, target);
    if (local === null) continue;
    tracked.set(target, local.name);
    if (to !== ZERO_OID) await repo.refs.update([{ name: local.name, to, message: "update by push" }], who);
    else if ((await repo.refs.read(local.name)) !== null) await repo.refs.update([{ name: local.name, to: null }], who);
  }
  return tracked;
}
