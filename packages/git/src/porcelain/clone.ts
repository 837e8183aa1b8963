/**
 * Creates a repository from another one: its objects, its branches as remote-tracking refs, and a work tree of its HEAD branch.
 * Removes everything it created if any step fails.
 */

import type { DetachedContentStore } from "@workspace/vfs";
import { setLocalConfig } from "../config/write-config.ts";
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import type { Oid } from "../object/oid.ts";
import { asGitDatabase } from "../odb/write-pack.ts";
import { observeAll } from "../pack/pack-observer.ts";
import { SelfContainedCheck } from "../pack/self-contained-check.ts";
import type { RefUpdate } from "../refs/ref-store.ts";
import { reflogIdentity } from "../repository/identity.ts";
import { initRepository } from "../repository/init-repository.ts";
import { openRepository } from "../repository/open-repository.ts";
import type { OpenOptions, Repository } from "../repository.ts";
import { readShallow } from "../revision/commit-node.ts";
import { peelTags, peelTo } from "../revision/peel.ts";
import type { RemoteRef } from "../wire/advertisement.ts";
import { checkConnected } from "../wire/check-connected.ts";
import { fetchObjects } from "../wire/fetch-objects.ts";
import { fetchPromised } from "../wire/fetch-promised.ts";
import type { FetchRequest } from "../wire/fetch-request.ts";
import { openUpload } from "../wire/open-connection.ts";
import { parseRefspec, refPrefixes } from "../wire/refspec.ts";
import { anonymousUrl, rewriteUrl } from "../wire/remote-url.ts";
import { BlobPrewriter } from "../worktree/blob-prewriter.ts";
import { resetHard } from "../worktree/reset-hard.ts";

export interface CloneOptions {
  /** As the user typed it. */
  url: string;
  /** Absolute; must not exist, or be empty. */
  directory: string;
  bare?: boolean;
  mirror?: boolean;
  /** The remote's name; default "origin". */
  origin?: string;
  /** A branch or a tag. */
  branch?: string;
  singleBranch?: boolean;
  tags?: boolean;
  checkout?: boolean;
  deepen?: FetchRequest["deepen"];
  filter?: string;
  /** Whether to reject a shallow source; absent: as configured. */
  rejectShallow?: boolean;
  /** `-c`: written to the new repository. */
  config?: readonly { key: string; value: string }[];
  /** `git -c`: applies only during the clone. */
  commandConfig?: OpenOptions["config"];
  env?: Readonly<Record<string, string>>;
  cwd: string;
  err?: (text: string) => void;
  progress?: (text: string) => void;
}

export interface CloneResult {
  readonly repo: Repository;
  /** The new HEAD: a branch or a commit; null: the remote has no commit there yet. */
  readonly head: { readonly branch: string | null; readonly oid: Oid } | null;
  /** The remote has no refs at all. */
  readonly isEmpty: boolean;
}

export async function clone(host: GitHost, options: CloneOptions): Promise<CloneResult> {
  const { fs } = host;
  const existed = await fs.exists(options.directory);
  try {
    return await makeClone(host, options);
  } catch (error) {
    // An empty directory that existed before stays.
    const inside = options.bare ? await fs.readdir(options.directory).catch(() => []) : [".git"];
    const created = existed ? inside.map((name) => `${options.directory}/${name}`) : [options.directory];
    for (const path of created) await fs.rm(path, { recursive: true, force: true });
    throw error;
  }
}

async function makeClone(host: GitHost, options: CloneOptions): Promise<CloneResult> {
  const { directory, bare = false, env = {}, err = () => {} } = options;
  const { gitDir } = await initRepository(host, { directory, bare, env, initialBranch: "master" });
  const settings = (options.config ?? []).map(({ key, value }) => ({ key, value }));
  const command = options.commandConfig ?? [];
  const first = await openRepository(host, { cwd: directory, env, gitDir, config: [...command, ...settings] });
  const url = rewriteUrl(first.config, options.url);
  const connection = await openUpload({ ...first, cwd: options.cwd }, url, err);
  const refspec = parseRefspec(fetchSpec(options, null), "fetch");
  const prefixes = ["HEAD", ...refPrefixes([refspec], true)];
  const refs = await connection.listRefs({ prefixes });
  const wanted = chooseRefs(options, refs);
  const rebases = /^(?:always|remote)$/.test(first.config.get("branch.autosetuprebase") ?? "");
  await setLocalConfig(first, configuration(options, wanted, rebases));
  const repo = await openRepository(host, {
    cwd: directory,
    env,
    fetchPromised,
    config: command,
    ...(bare ? { gitDir } : {}),
  });
  const checksOut = !bare && repo.workTree !== null && options.checkout !== false;
  using links = new SelfContainedCheck(asGitDatabase(repo.odb).memory);
  using early = checksOut && wanted.head !== null ? awaitFiles(repo, wanted.head.oid) : undefined;
  if (wanted.refs.length > 0) {
    const tips = [...new Set(wanted.refs.map(({ oid }) => oid))];
    await fetchObjects(repo, connection, tips, {
      noHaves: true,
      // A checkout detects only objects missing from the last commit, none from its history.
      checkConnectivity: (next) => checkConnected(next, tips, options.filter !== undefined || links.isWhole, false),
      err,
      watch: early === undefined ? links : observeAll(links, early),
      includeTag: options.tags !== false && wanted.single,
      ...(options.progress ? { progress: options.progress } : {}),
      ...(options.deepen ? { deepen: options.deepen } : {}),
      ...(options.filter ? { filter: options.filter } : {}),
    });
  }
  if (options.deepen === undefined && (options.rejectShallow ?? first.config.getBool("clone.rejectshallow"))) {
    if ((await readShallow(repo)).size > 0)
      throw new GitError("ESTATE", "source repository is shallow, reject to clone.");
  }
  const tags = wanted.single && options.tags !== false ? await tagsThatCame(repo, refs, wanted.refs) : [];
  await writeRefs(repo, options, { ...wanted, refs: [...wanted.refs, ...tags] });
  const head = wanted.head;
  if (head !== null && checksOut && repo.workTree !== null) {
    const tree = await peelTo(repo, head.oid, "tree");
    if (tree === null) throw new GitError("ECORRUPT", `unable to read tree of ${head.oid}`);
    await resetHard({ ...repo, workTree: repo.workTree }, tree, { early });
  }
  return { repo, head, isEmpty: wanted.refs.length === 0 };
}

/** Writes contents of files to check out as they arrive, if the file system can store content without a path. */
function awaitFiles({ fs, odb, config }: Repository, tip: Oid): BlobPrewriter | undefined {
  // Line endings of all files may change: then every content would be written again.
  const converts = config.get("core.autocrlf") !== undefined && config.get("core.autocrlf") !== "false";
  if (!storesDetached(fs) || converts) return undefined;
  return new BlobPrewriter(fs, asGitDatabase(odb).memory, tip);
}

function storesDetached(fs: Repository["fs"]): fs is Repository["fs"] & DetachedContentStore {
  return fs.stage !== undefined;
}

/** With a single branch, fetches the tags that point into it. */
async function tagsThatCame(
  repo: Repository,
  refs: readonly RemoteRef[],
  known: CloneRefs["refs"],
): Promise<CloneRefs["refs"]> {
  const tags: { name: string; oid: Oid }[] = [];
  for (const { name, oid, peeled } of refs) {
    if (!name.startsWith("refs/tags/") || oid === null || known.some((ref) => ref.name === name)) continue;
    if ((await repo.odb.missing([peeled ?? oid])).length === 0 && (await peelTags(repo, oid)) !== null)
      tags.push({ name, oid });
  }
  return tags;
}

interface CloneRefs {
  /** The branch that the remote's HEAD points to. */
  readonly remoteBranch: string | null;
  /** Refs to request from the server and write here. */
  readonly refs: readonly { readonly name: string; readonly oid: Oid }[];
  readonly head: CloneResult["head"];
  /** The branch that HEAD will name, even if unborn. */
  readonly branch: string | null;
  /** Instead of a branch: the full name of the requested tag. */
  readonly tag: string | null;
  readonly single: boolean;
}

function chooseRefs(options: CloneOptions, all: readonly RemoteRef[]): CloneRefs {
  const refs = all.flatMap(({ name, oid }) => (oid === null ? [] : [{ name, oid }]));
  const remoteHead = all.find(({ name }) => name === "HEAD");
  const byName = (name: string) => refs.find((ref) => ref.name === name);
  const single = options.singleBranch ?? (options.deepen !== undefined && !options.mirror);
  const ours = refs.filter(({ name }) => (options.mirror ? /^refs\// : /^refs\/(?:heads|tags)\//).test(name));
  let branch: string | null = remoteHead?.target?.replace(/^refs\/heads\//, () => "") ?? null;
  let tag: string | null = null;
  if (options.branch !== undefined) {
    if (byName(`refs/heads/${options.branch}`)) branch = options.branch;
    else if (byName(`refs/tags/${options.branch}`)) tag = `refs/tags/${options.branch}`;
    else
      throw new GitError(
        "ENOTFOUND",
        `Remote branch ${options.branch} not found in upstream ${options.origin ?? "origin"}`,
      );
  } else if (remoteHead?.oid != null && remoteHead.target === undefined) {
    branch = guessBranch(refs, remoteHead.oid);
  }
  const tip = byName(tag ?? `refs/heads/${branch}`) ?? (options.branch === undefined ? byName("HEAD") : undefined);
  const head =
    tip === undefined ? null : { branch: tag === null && byName(`refs/heads/${branch}`) ? branch : null, oid: tip.oid };
  const retained =
    !single || tip === undefined
      ? ours
      : ours.filter(({ name }) => name === tip.name || (tip.name === "HEAD" && name === `refs/heads/${branch}`));
  const withTags = retained.filter(
    ({ name }) => options.tags !== false || !name.startsWith("refs/tags/") || name === tag,
  );
  const detached = head !== null && head.branch === null && tag === null ? [{ name: "HEAD", oid: head.oid }] : [];
  const remoteBranch = remoteHead?.target?.replace(/^refs\/heads\//, () => "") ?? null;
  return { remoteBranch, refs: [...withTags, ...detached], head, branch: tag === null ? branch : null, tag, single };
}

/** For a server too old to report HEAD's target: the first branch at the same commit, "master" preferred. */
function guessBranch(refs: readonly { name: string; oid: Oid }[], head: Oid): string | null {
  const branches = refs.filter(({ name, oid }) => name.startsWith("refs/heads/") && oid === head);
  const found = branches.find(({ name }) => name === "refs/heads/master") ?? branches[0];
  return found?.name.slice("refs/heads/".length) ?? null;
}

function fetchSpec({ mirror, bare, origin = "origin" }: CloneOptions, branch: string | null): string {
  if (mirror) return "+refs/*:refs/*";
  if (bare) return "+refs/heads/*:refs/heads/*";
  if (branch !== null) return `+refs/heads/${branch}:refs/remotes/${origin}/${branch}`;
  return `+refs/heads/*:refs/remotes/${origin}/*`;
}

function configuration(options: CloneOptions, { branch, tag }: CloneRefs, rebases: boolean) {
  const { origin = "origin", bare = false, mirror = false } = options;
  const single = options.singleBranch ?? options.deepen !== undefined;
  const fetch = single && tag !== null && !mirror ? `+${tag}:${tag}` : fetchSpec(options, single ? branch : null);
  return [
    ...(options.config ?? []).map(({ key, value }) => ({ key, value, add: true })),
    { key: `remote.${origin}.url`, value: options.url },
    ...(options.tags === false ? [{ key: `remote.${origin}.tagOpt`, value: "--no-tags" }] : []),
    ...(bare && !mirror ? [] : [{ key: `remote.${origin}.fetch`, value: fetch }]),
    ...(mirror ? [{ key: `remote.${origin}.mirror`, value: "true" }] : []),
    ...(options.filter === undefined
      ? []
      : [
          { key: "core.repositoryformatversion", value: "1" },
          { key: `remote.${origin}.promisor`, value: "true" },
          { key: `remote.${origin}.partialclonefilter`, value: options.filter },
        ]),
    ...(branch === null || bare
      ? []
      : [
          { key: `branch.${branch}.remote`, value: origin },
          { key: `branch.${branch}.merge`, value: `refs/heads/${branch}` },
          ...(rebases ? [{ key: `branch.${branch}.rebase`, value: "true" }] : []),
        ]),
  ];
}

async function writeRefs(
  repo: Repository,
  options: CloneOptions,
  { refs, head, branch, remoteBranch }: CloneRefs,
): Promise<void> {
  const { origin = "origin", bare = false } = options;
  const who = reflogIdentity(repo);
  const message = `clone: from ${anonymousUrl(options.url)}`;
  const updates: RefUpdate[] = [];
  for (const { name, oid } of refs) {
    if (name === "HEAD") continue;
    const target =
      bare || !name.startsWith("refs/heads/") ? name : `refs/remotes/${origin}/${name.slice("refs/heads/".length)}`;
    updates.push({ name: target, to: oid });
  }
  await repo.refs.update(updates, who);
  if (branch !== null)
    await repo.refs.update([{ name: "HEAD", to: { symbolic: `refs/heads/${branch}` }, noDeref: true }], who);
  if (head === null) return;
  if (!bare && remoteBranch !== null && refs.some(({ name }) => name === `refs/heads/${remoteBranch}`)) {
    const to = { symbolic: `refs/remotes/${origin}/${remoteBranch}` };
    await repo.refs.update([{ name: `refs/remotes/${origin}/HEAD`, to, noDeref: true, message }], who);
  }
  if (head.branch !== null) {
    if (!bare) await repo.refs.update([{ name: "HEAD", to: head.oid, message }], who);
    return;
  }
  const commit = await peelTo(repo, head.oid, "commit");
  if (commit === null) throw new GitError("EINVAL", `${options.branch ?? "HEAD"} is not a commit`);
  await repo.refs.update([{ name: "HEAD", to: commit, noDeref: true, message }], who);
}
