/**
 * Fetches from a remote and updates the tracking refs. Objects come first and pass a connectivity check; then each ref is checked
 * on its own, and a ref that may not move stays and is reported. FETCH_HEAD lists the fetched heads.
 */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { checkedOutBranches } from "../../repository/work-trees.ts";
import type { Repository } from "../../repository.ts";
import { readShallow } from "../../revision/commit-node.ts";
import { checkConnected } from "../../wire/check-connected.ts";
import type { RefMapping } from "../../wire/fetch-map.ts";
import { fetchObjects } from "../../wire/fetch-objects.ts";
import type { FetchRequest } from "../../wire/fetch-request.ts";
import { openUpload } from "../../wire/open-connection.ts";
import { parseRefspec, type Refspec, refPrefixes } from "../../wire/refspec.ts";
import { defaultRemote, type RemoteConfig, remoteConfig } from "../../wire/remote-config.ts";
import { currentBranch } from "../branch/branch-names.ts";
import { followTags, tagsOnOurs } from "./follow-tags.ts";
import { mapRefs, mergedFrom } from "./map-refs.ts";
import { disconnectedTips, onlyConnected } from "./proved-tips.ts";
import { pruneRefs } from "./prune-refs.ts";
import { tipsReachingShallow } from "./reject-shallow.ts";
import { updateFetchedRefs } from "./update-fetched-refs.ts";
import { writeFetchHead } from "./write-fetch-head.ts";

export interface FetchOptions {
  readonly cwd: string;
  /** A name or an address; absent: the branch's remote, or origin. */
  readonly remote?: string;
  readonly refspecs?: readonly string[];
  /** Where to store the refs that `refspecs` name; absent: as configured. */
  readonly refmap?: readonly Refspec[] | undefined;
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
  readonly updateShallow?: boolean;
  readonly updateHeadOk?: boolean;
  /** As typed, for the reflog. */
  readonly words?: readonly string[];
  readonly err?: (text: string) => void;
  readonly progress?: (text: string) => void;
}

export type UpdateKind = "new" | "fast-forward" | "forced" | "tag" | "deleted" | "same" | "rejected" | "fetched";

export interface FetchUpdate {
  readonly kind: UpdateKind;
  /** Name on the remote; null for pruned refs. */
  readonly source: string | null;
  readonly target: string | null;
  readonly from: Oid;
  readonly to: Oid;
  /** Reason of the rejection. */
  readonly reason?: string;
  /** Symbolic refs that dangle after this and earlier refs were pruned. */
  readonly dangling?: readonly string[];
}

export interface FetchResult {
  readonly remote: RemoteConfig;
  readonly updates: readonly FetchUpdate[];
  /** Heads for `pull` to merge. */
  readonly merge: readonly { readonly oid: Oid; readonly source: string }[];
}

/** Unlimited history. */
const INFINITE_DEPTH = 0x7fffffff;

export async function fetch(repo: Repository, options: FetchOptions): Promise<FetchResult> {
  const branch = await currentBranch(repo);
  const configuredRemote = remoteConfig(repo.config, options.remote ?? defaultRemote(repo.config, branch));
  const err = options.err ?? (() => {});
  // Cleared at the start: if this fetch fails, the heads of an earlier one must not remain.
  const noted = !options.dryRun && (options.writeFetchHead ?? true);
  if (noted && !options.append) await repo.fs.writeFile(`${repo.gitDir}/FETCH_HEAD`, "");
  const named = (options.refspecs ?? []).map((text) => parseRefspec(expandTag(text), "fetch"));
  const { remote, given: input } = withTags(configuredRemote, named, options.pruneTags ?? configuredRemote.pruneTags);
  const connection = await openUpload({ ...repo, cwd: options.cwd }, remote.url, err);
  const configured = input.length > 0 ? input : remote.fetch;
  const tags = options.tags ?? remote.tags;
  const merged = input.length === 0 ? mergedFrom(repo, remote, branch) : [];
  const prefixes =
    configured.length === 0
      ? ["HEAD", ...merged.map(({ source }) => source)]
      : [...refPrefixes(configured, tags !== "none"), ...merged.map(({ source }) => source)];
  const refs = await connection.listRefs({
    prefixes: prefixes.length > 0 ? [...new Set([...prefixes, ...wantedHead(configured)])] : [],
  });
  let mapped = await mapRefs(repo, { remote, input, refs, tags, branch, merged, refmap: options.refmap });
  await refuseCurrent(repo, mapped, options.updateHeadOk ?? false);
  const shallow = await readShallow(repo);
  const deepen = options.unshallow ? { depth: INFINITE_DEPTH } : options.deepen;
  if (options.unshallow && shallow.size === 0)
    throw new GitError("ESTATE", "--unshallow on a complete repository does not make sense");
  const tips = mapped.map(({ oid }) => oid);
  const promised = remote.filter !== null;
  const follows = tags === "follow" && mapped.some(({ target, opportunistic }) => target !== null && !opportunistic);
  const wants = [
    ...(deepen !== undefined ? tips : await disconnectedTips(repo, tips, promised)),
    ...(follows ? await tagsOnOurs(repo, refs, mapped) : []),
  ];
  // git looks for tags to follow twice; in a dry run, the second search finds the same ones.
  const foreseen = follows && options.dryRun ? await followTags(repo, refs, mapped, new Set(wants)) : [];
  // With an old server, git does not notice while deepening that a tag's commit has arrived: the next fetch takes the tag.
  const early =
    follows && deepen !== undefined && connection.protocolV0Only
      ? await followTags(repo, refs, mapped, new Set(wants))
      : null;
  if (wants.length > 0) {
    await fetchObjects(repo, connection, [...new Set(wants)], {
      err,
      includeTag: tags === "follow",
      ...(options.progress ? { progress: options.progress } : {}),
      ...(deepen ? { deepen } : {}),
      ...(options.updateShallow ? { updateShallow: true } : {}),
      ...(remote.filter ? { filter: remote.filter } : {}),
      // When the shallow boundary moves, our refs reach more objects, so they no longer count as complete.
      checkConnectivity: async (next, cut) => {
        if (deepen === undefined) {
          const refused = await tipsReachingShallow(repo, mapped, cut);
          for (const { oid, target, source, opportunistic } of mapped)
            if (refused.has(oid) && !opportunistic)
              err(`warning: rejected ${target ?? source} because shallow roots are not allowed to be updated\n`);
          mapped = mapped.filter(({ oid }) => !refused.has(oid));
          const taken = wants.filter((oid) => !refused.has(oid));
          return checkConnected(next, taken, promised);
        }
        const refs = (await repo.refs.list()).map(({ oid }) => oid);
        await checkConnected(next, [...wants, ...refs], promised, false);
      },
    });
  }
  const following = await onlyConnected(repo, early ?? (follows ? await followTags(repo, refs, mapped) : []), promised);
  const all = [
    ...mapped.filter(({ opportunistic }) => !opportunistic),
    ...foreseen,
    ...following,
    ...mapped.filter(({ opportunistic }) => opportunistic),
  ];
  const pruned =
    (options.prune ?? remote.prune)
      ? await pruneRefs(repo, {
          remote,
          input,
          refs,
          dryRun: options.dryRun ?? false,
        })
      : [];
  const updates = await updateFetchedRefs(repo, all, options);
  const aborted = options.atomic && updates.some(({ kind }) => kind === "rejected");
  if (noted && !aborted) await writeFetchHead(repo, remote, all);
  return {
    remote,
    updates: [...pruned, ...updates],
    merge: all.filter(({ merge }) => merge).map(({ oid, source }) => ({ oid, source })),
  };
}

/** Prunes, and so fetches, tags as if their refspec had been given too. */
function withTags(remote: RemoteConfig, given: readonly Refspec[], pruneTags: boolean) {
  if (!pruneTags || given.length > 0) return { remote, given };
  const all = parseRefspec("refs/tags/*:refs/tags/*", "fetch");
  return remote.name === null
    ? { remote, given: [all] }
    : { remote: { ...remote, fetch: [...remote.fetch, all] }, given };
}

/** The command line has joined `tag v1` into one word. */
function expandTag(text: string): string {
  return text.startsWith("tag ") ? `refs/tags/${text.slice(4)}:refs/tags/${text.slice(4)}` : text;
}

function wantedHead(refspecs: readonly Refspec[]): string[] {
  return refspecs.some(({ source }) => source === "HEAD") ? ["HEAD"] : [];
}

async function refuseCurrent(repo: Repository, mapped: readonly RefMapping[], allowed: boolean): Promise<void> {
  if (allowed || !mapped.some(({ target }) => target?.startsWith("refs/heads/"))) return;
  const retained = await checkedOutBranches(repo);
  for (const { target } of mapped) {
    const path = target === null ? undefined : retained.get(target);
    if (path !== undefined)
      throw new GitError("ESTATE", `refusing to fetch into branch '${target}' checked out at '${path}'`);
  }
}
