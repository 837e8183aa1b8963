/**
 * Brings over what a remote has and moves our names for it. Objects come first and are proved whole; then each name is looked at by itself,
 * and what may not be moved stays and is told. FETCH_HEAD says what came.
 */
import { GitError } from "../errors.ts";
import { reflogIdentity } from "../identity.ts";
import { type Oid, ZERO_OID } from "../oid.ts";
import type { Repository } from "../repository.ts";
import { upstreamOf } from "../revision/branch-mark.ts";
import { readShallow } from "../revision/commit-node.ts";
import { isAncestor } from "../revision/merge-base.ts";
import type { RemoteRef } from "../wire/advertisement.ts";
import { checkConnected } from "../wire/check-connected.ts";
import { type FetchedRef, mapRefspecs } from "../wire/fetch-map.ts";
import { fetchObjects } from "../wire/fetch-objects.ts";
import type { FetchRequest } from "../wire/fetch-request.ts";
import { openUpload } from "../wire/open-connection.ts";
import { fillPattern, mapName, matchPattern, parseRefspec, type Refspec, refPrefixes } from "../wire/refspec.ts";
import { defaultRemote, type RemoteConfig, remoteConfig } from "../wire/remote-config.ts";
import { currentBranch } from "./branch/branch-names.ts";

export interface FetchOptions {
  readonly cwd: string;
  /** A name or an address; absent: that of the branch, or origin. */
  readonly remote?: string;
  readonly refspecs?: readonly string[];
  /** Absent: as configured. */
  readonly tags?: "all" | "none" | "follow";
  readonly prune?: boolean;
  readonly pruneTags?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly append?: boolean;
  /** Default true. */
  readonly writeFetchHead?: boolean;
  readonly atomic?: boolean;
  readonly deepen?: FetchRequest["deepen"];
  readonly unshallow?: boolean;
  readonly updateHeadOk?: boolean;
  /** As they were typed, for the reflog. */
  readonly words?: readonly string[];
  readonly err?: (text: string) => void;
  readonly progress?: (text: string) => void;
}

export type UpdateKind = "new" | "fast-forward" | "forced" | "tag" | "deleted" | "same" | "rejected" | "fetched";

export interface FetchUpdate {
  readonly kind: UpdateKind;
  /** On the other side; null for what was pruned. */
  readonly source: string | null;
  readonly target: string | null;
  readonly from: Oid;
  readonly to: Oid;
  /** Why it was rejected. */
  readonly reason?: string;
}

export interface Fetched {
  readonly remote: RemoteConfig;
  readonly updates: readonly FetchUpdate[];
  /** What `pull` is to merge. */
  readonly merge: readonly { readonly oid: Oid; readonly source: string }[];
}

/** As much history as there is. */
const INFINITE_DEPTH = 0x7fffffff;

export async function fetch(repo: Repository, options: FetchOptions): Promise<Fetched> {
  const branch = await currentBranch(repo);
  const remote = remoteConfig(repo.config, options.remote ?? defaultRemote(repo.config, branch));
  const err = options.err ?? (() => {});
  // Empty from the start: what an earlier fetch brought is not what this one did, if it fails.
  const noted = !options.dryRun && (options.writeFetchHead ?? true);
  if (noted && !options.append) await repo.fs.writeFile(`${repo.gitDir}/FETCH_HEAD`, "");
  const connection = await openUpload({ ...repo, cwd: options.cwd }, remote.url, (text) => err(`warning: ${text}\n`));
  const given = (options.refspecs ?? []).map((text) => parseRefspec(expandTag(text), "fetch"));
  const configured = given.length > 0 ? given : remote.fetch;
  const tags = options.tags ?? remote.tags;
  const merged = configured.length === 0 ? mergedFrom(repo, remote, branch) : [];
  const prefixes =
    configured.length === 0
      ? ["HEAD", ...merged.map(({ source }) => source)]
      : refPrefixes(configured, tags !== "none");
  const refs = await connection.listRefs({
    prefixes: prefixes.length > 0 ? [...new Set([...prefixes, ...wantedHead(configured)])] : [],
  });
  const mapped = await mapRefs(repo, { remote, given, refs, tags, branch, merged });
  await refuseCurrent(repo, mapped, branch, options.updateHeadOk ?? false);
  const shallow = await readShallow(repo);
  const deepen = options.unshallow ? { depth: INFINITE_DEPTH } : options.deepen;
  if (options.unshallow && shallow.size === 0)
    throw new GitError("ESTATE", "--unshallow on a complete repository does not make sense");
  const tips = mapped.map(({ oid }) => oid);
  const promised = remote.filter !== null;
  const wants = deepen !== undefined ? tips : await unprovedTips(repo, tips, promised);
  const follows = tags === "follow" && mapped.some(({ target, opportunistic }) => target !== null && !opportunistic);
  // git looks for tags to follow twice, and when nothing is written the second time finds the same ones.
  const foreseen = follows && options.dryRun ? await followTags(repo, refs, mapped, new Set(wants)) : [];
  // Of an old server git does not see, while it deepens, that a tag's commit has just come: the next fetch takes it.
  const early = follows && deepen !== undefined && connection.isOld ? await followTags(repo, refs, mapped) : null;
  if (wants.length > 0) {
    await fetchObjects(repo, connection, [...new Set(wants)], {
      err,
      includeTag: tags === "follow",
      ...(options.progress ? { progress: options.progress } : {}),
      ...(deepen ? { deepen } : {}),
      ...(remote.filter ? { filter: remote.filter } : {}),
      // When the boundary moves, our refs reach more than they did, and cannot be taken for whole.
      prove: async (next) => {
        if (deepen === undefined) return checkConnected(next, wants, promised);
        const refs = (await repo.refs.list()).map(({ oid }) => oid);
        await checkConnected(next, [...wants, ...refs], promised, false);
      },
    });
  }
  const following = await wholeOnly(repo, early ?? (follows ? await followTags(repo, refs, mapped) : []), promised);
  const all = [
    ...mapped.filter(({ opportunistic }) => !opportunistic),
    ...foreseen,
    ...following,
    ...mapped.filter(({ opportunistic }) => opportunistic),
  ];
  const pruned =
    (options.prune ?? remote.prune)
      ? await prune(repo, {
          remote,
          given,
          refs,
          dryRun: options.dryRun ?? false,
          tags: options.pruneTags ?? remote.pruneTags,
        })
      : [];
  const updates = await moveRefs(repo, all, options);
  if (noted) await writeFetchHead(repo, remote, all);
  return {
    remote,
    updates: [...pruned, ...updates],
    merge: all.filter(({ merge }) => merge).map(({ oid, source }) => ({ oid, source })),
  };
}

/** Those that are not here, or are here without all that they reach: a fetch that failed may have left them. */
async function unprovedTips(repo: Repository, tips: readonly Oid[], promised: boolean): Promise<Oid[]> {
  const missing = await repo.odb.missing(tips);
  const known = new Set([...missing, ...(await repo.refs.list()).map(({ oid }) => oid)]);
  const unknown = tips.filter((oid) => !known.has(oid));
  return (await isConnected(repo, unknown, promised)) ? missing : [...missing, ...unknown];
}

/** A tag is followed when what it names is here; if it turns out to be here in part, it is left for a fetch that brings the rest. */
async function wholeOnly(repo: Repository, tags: FetchedRef[], promised: boolean): Promise<FetchedRef[]> {
  const whole: FetchedRef[] = [];
  for (const tag of tags) if (await isConnected(repo, [tag.oid], promised)) whole.push(tag);
  return whole;
}

async function isConnected(repo: Repository, tips: readonly Oid[], promised: boolean): Promise<boolean> {
  if (tips.length === 0) return true;
  try {
    await checkConnected(repo, tips, promised);
    return true;
  } catch (error) {
    if (error instanceof GitError && error.code === "ENETWORK") return false;
    throw error;
  }
}

/** `tag v1` was made into one word by the command line. */
function expandTag(text: string): string {
  return text.startsWith("tag ") ? `refs/tags/${text.slice(4)}:refs/tags/${text.slice(4)}` : text;
}

function wantedHead(refspecs: readonly Refspec[]): string[] {
  return refspecs.some(({ source }) => source === "HEAD") ? ["HEAD"] : [];
}

interface MapContext {
  readonly remote: RemoteConfig;
  readonly given: readonly Refspec[];
  readonly refs: readonly RemoteRef[];
  readonly tags: "all" | "none" | "follow";
  readonly branch: string | null;
  /** Of a remote that is not configured: what the branch follows there. */
  readonly merged: readonly Refspec[];
}

/** `branch.<name>.merge` of a remote without refspecs: "." or an address. */
function mergedFrom(repo: Repository, { name, url }: RemoteConfig, branch: string | null): Refspec[] {
  const upstream = branch === null ? null : upstreamOf(repo, branch);
  if (upstream === null || upstream.merge === null || upstream.remote !== (name ?? url)) return [];
  return [parseRefspec(upstream.merge, "fetch")];
}

async function mapRefs(
  repo: Repository,
  { remote, given, refs, tags, branch, merged }: MapContext,
): Promise<FetchedRef[]> {
  const mapped: FetchedRef[] = [];
  if (given.length > 0) {
    mapped.push(
      ...mapRefspecs(given, refs, () => true).map((ref) => ({
        ...ref,
        merge: !given.some(({ pattern }) => pattern) || ref.target === null,
      })),
    );
    // What the configuration would have done with them is done too, and not written to FETCH_HEAD.
    for (const ref of [...mapped]) {
      const to = mapName(remote.fetch, ref.source);
      if (to !== null && !mapped.some(({ target }) => target === to.name))
        mapped.push({ ...ref, target: to.name, force: to.force, merge: false, opportunistic: true });
    }
  } else if (remote.fetch.length > 0) {
    const upstream = branch === null ? null : upstreamOf(repo, branch);
    const merges = (name: string) => upstream !== null && upstream.remote === remote.name && upstream.merge === name;
    mapped.push(...mapRefspecs(remote.fetch, refs, merges));
    if (
      !mapped.some(({ merge }) => merge) &&
      (upstream === null || upstream.merge === null) &&
      !remote.fetch[0]?.pattern &&
      mapped[0]
    )
      mapped[0] = { ...mapped[0], merge: true };
  } else mapped.push(...mapRefspecs(merged.length > 0 ? merged : [parseRefspec("HEAD", "fetch")], refs, () => true));
  if (tags === "all") {
    const known = new Set(mapped.map(({ target }) => target));
    mapped.push(
      ...mapRefspecs([parseRefspec("refs/tags/*:refs/tags/*", "fetch")], refs, () => false).filter(
        ({ target }) => !known.has(target),
      ),
    );
  }
  return mapped;
}

/** Tags of the other side that point at something we now have, and that we lack. */
async function followTags(
  repo: Repository,
  refs: readonly RemoteRef[],
  mapped: readonly FetchedRef[],
  coming: ReadonlySet<Oid> = new Set(),
): Promise<FetchedRef[]> {
  const known = new Set(mapped.map(({ target }) => target));
  const found: FetchedRef[] = [];
  for (const { name, oid, peeled } of refs) {
    if (!name.startsWith("refs/tags/") || oid === null || known.has(name)) continue;
    if ((await repo.refs.read(name)) !== null) continue;
    const isComing = coming.has(peeled ?? oid);
    if (!isComing && (await repo.odb.missing(peeled === undefined ? [oid] : [oid, peeled])).length > 0) continue;
    found.push({ source: name, oid, target: name, force: false, merge: false, following: true });
  }
  return found;
}

async function refuseCurrent(
  repo: Repository,
  mapped: readonly FetchedRef[],
  branch: string | null,
  allowed: boolean,
): Promise<void> {
  if (branch === null || repo.workTree === null || allowed) return;
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (head === null || !mapped.some(({ target }) => target === `refs/heads/${branch}`)) return;
  throw new GitError(
    "ESTATE",
    `refusing to fetch into branch 'refs/heads/${branch}' checked out at '${repo.workTree}'`,
  );
}

async function prune(
  repo: Repository,
  {
    remote,
    given,
    refs,
    dryRun,
    tags,
  }: { remote: RemoteConfig; given: readonly Refspec[]; refs: readonly RemoteRef[]; dryRun: boolean; tags: boolean },
): Promise<FetchUpdate[]> {
  const refspecs = [
    ...(given.some(({ target }) => target) ? given : remote.fetch),
    ...(tags ? [parseRefspec("refs/tags/*:refs/tags/*", "fetch")] : []),
  ];
  const there = new Set(refs.map(({ name }) => name));
  const stale: FetchUpdate[] = [];
  for (const { name, oid, target } of await repo.refs.list("refs/")) {
    if (target !== undefined) continue;
    const sources = refspecs.flatMap((refspec) => {
      const part = refspec.target ? matchPattern(refspec.target, name) : null;
      return part === null ? [] : [fillPattern(refspec.source, part)];
    });
    if (sources.length === 0 || sources.some((source) => there.has(source))) continue;
    stale.push({ kind: "deleted", source: null, target: name, from: oid, to: ZERO_OID });
  }
  if (!dryRun && stale.length > 0) {
    await repo.refs.update(
      stale.map(({ target }) => ({ name: target as string, to: null, noDeref: true })),
      reflogIdentity(repo),
    );
  }
  return stale;
}

async function moveRefs(repo: Repository, refs: readonly FetchedRef[], options: FetchOptions): Promise<FetchUpdate[]> {
  const updates: FetchUpdate[] = [];
  // What is for merging is looked at first, as FETCH_HEAD has it.
  for (const ref of [...refs.filter(({ merge }) => merge), ...refs.filter(({ merge }) => !merge)]) {
    if (ref.target === null)
      updates.push({ kind: "fetched", source: ref.source, target: null, from: ZERO_OID, to: ref.oid });
    else updates.push(await judge(repo, ref as FetchedRef & { target: string }, options));
  }
  const moved = updates.filter(({ kind }) => ["new", "fast-forward", "forced", "tag"].includes(kind));
  if (options.dryRun || (options.atomic && updates.some(({ kind }) => kind === "rejected"))) return updates;
  const who = reflogIdentity(repo);
  const action = repo.env.GIT_REFLOG_ACTION ?? ["fetch", ...(options.words ?? [])].join(" ");
  const names = moved.map(({ target, to, from, kind, source }) => ({
    name: target as string,
    to,
    from: from === ZERO_OID ? null : from,
    message: `${action}: ${reflogWord(kind, source)}`,
  }));
  await repo.refs.update(names, who);
  return updates;
}

function reflogWord(kind: UpdateKind, source: string | null): string {
  if (kind === "fast-forward") return "fast-forward";
  if (kind === "forced") return "forced-update";
  if (kind === "tag") return "updating tag";
  if (source?.startsWith("refs/tags/")) return "storing tag";
  return source?.startsWith("refs/heads/") ? "storing head" : "storing ref";
}

async function judge(
  repo: Repository,
  ref: FetchedRef & { target: string },
  { force = false }: FetchOptions,
): Promise<FetchUpdate> {
  const { source, target, oid } = ref;
  const from = (await repo.refs.resolve(target))?.oid ?? ZERO_OID;
  const told = (kind: UpdateKind, reason?: string): FetchUpdate => ({
    kind,
    source,
    target,
    from,
    to: oid,
    ...(reason ? { reason } : {}),
  });
  if (from === oid) return told("same");
  if (from === ZERO_OID) return told("new");
  const forced = ref.force || force;
  if (target.startsWith("refs/tags/")) return forced ? told("tag") : told("rejected", "would clobber existing tag");
  const isCommit = async (one: Oid) => (await repo.odb.header(one))?.type === "commit";
  if (!(await isCommit(from)) || !(await isCommit(oid))) return told(forced ? "forced" : "fast-forward");
  if (await isAncestor(repo, from, oid)) return told("fast-forward");
  return forced ? told("forced") : told("rejected", "non-fast-forward");
}

async function writeFetchHead(repo: Repository, remote: RemoteConfig, refs: readonly FetchedRef[]): Promise<void> {
  const url = shortUrl(remote.url);
  const line = ({ oid, merge, source }: FetchedRef) =>
    `${oid}\t${merge ? "" : "not-for-merge"}\t${noteFor(source, url)}\n`;
  const listed = refs.filter(({ opportunistic }) => !opportunistic);
  const text = [...listed.filter(({ merge }) => merge), ...listed.filter(({ merge }) => !merge)].map(line).join("");
  await repo.fs.appendFile(`${repo.gitDir}/FETCH_HEAD`, text);
}

function noteFor(source: string, url: string): string {
  if (source === "HEAD") return url;
  const kinds = [
    ["refs/heads/", "branch "],
    ["refs/tags/", "tag "],
    ["refs/remotes/", "remote-tracking branch "],
  ] as const;
  for (const [prefix, kind] of kinds)
    if (source.startsWith(prefix)) return `${kind}'${source.slice(prefix.length)}' of ${url}`;
  return `'${source}' of ${url}`;
}

/** As it is shown: without slashes and ".git" at the end. */
export function shortUrl(url: string): string {
  const bare = url.replace(/\/+$/, () => "");
  return bare.length > 4 && bare.endsWith(".git") ? bare.slice(0, -4) : bare;
}
