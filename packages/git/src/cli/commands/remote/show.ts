/** `remote show`: local data about a remote, and the remote's own answer unless `-n` forbids the query. */
import { type Oid, ZERO_OID } from "../../../object/oid.ts";
import { staleRefs } from "../../../porcelain/fetch/prune-refs.ts";
import { matchPushRefs } from "../../../porcelain/push/match-push-refs.ts";
import type { Repository } from "../../../repository.ts";
import { isAncestor } from "../../../revision/merge-base.ts";
import type { RemoteRef } from "../../../wire/advertisement.ts";
import { isExcluded, mapName, parseRefspec, refspecSource } from "../../../wire/refspec.ts";
import { type RemoteConfig, remoteConfig } from "../../../wire/remote-config.ts";
import type { CommandContext } from "../../framework/command.ts";
import { askRemote, headBranch } from "./query.ts";
import { pushUrls, urlsOf } from "./urls.ts";

export async function showRemote(context: CommandContext, repo: Repository, argv: readonly string[]): Promise<number> {
  const asks = !argv.includes("-n");
  for (const name of argv.filter((word) => word !== "-n" && word !== "--"))
    await showOne(context, repo, name, asks ? await askRemote(context, repo, name) : null);
  return 0;
}

async function showOne(
  { out }: CommandContext,
  repo: Repository,
  name: string,
  refs: readonly RemoteRef[] | null,
): Promise<void> {
  const remote = remoteConfig(repo.config, name);
  out(`* remote ${name}\n`);
  out(`  Fetch URL: ${urlsOf(repo, name)[0] ?? name}\n`);
  for (const url of pushUrls(repo, name).length > 0 ? pushUrls(repo, name) : ["(no URL)"]) out(`  Push  URL: ${url}\n`);
  out(`  HEAD branch: ${refs === null ? "(not queried)" : (headBranch(refs) ?? "(unknown)")}\n`);
  const branches = refs === null ? await knownBranches(repo, remote) : await askedBranches(repo, name, refs);
  if (branches.size > 0) {
    out(`  Remote branch${branches.size > 1 ? "es" : ""}:${refs === null ? " (status not queried)" : ""}\n`);
    const width = Math.max(...[...branches.keys()].map((branch) => branch.length));
    for (const [branch, reported] of [...branches].sort(([a], [b]) => (a < b ? -1 : 1)))
      out(reported === "" ? `    ${branch}\n` : `    ${branch.padEnd(width)} ${reported}\n`);
  }
  printPulls(out, repo, name);
  const pushes = refs === null ? writtenPushes(remote) : await pushStates(repo, remote, refs);
  const requested = refs === null ? " (status not queried)" : "";
  if (remote.mirror) return out("  Local refs will be mirrored by 'git push'\n");
  if (pushes.length === 0) return;
  out(`  Local ref${pushes.length > 1 ? "s" : ""} configured for 'git push'${requested}:\n`);
  // git reserves the width of "(delete)" for "(none)".
  const width = Math.max(...pushes.map(({ source }) => (source === "(none)" ? 8 : source.length)));
  const targets = refs === null ? 0 : Math.max(...pushes.map(({ target }) => target.length));
  for (const { source, target, force, state } of pushes)
    out(
      `    ${source.padEnd(width)} ${force ? "forces" : "pushes"} to ${target.padEnd(targets)}${state ? ` (${state})` : ""}\n`,
    );
}

function printPulls(out: CommandContext["out"], { config }: Repository, name: string): void {
  const pulls = config
    .subsections("branch")
    .filter((branch) => config.get(`branch.${branch}.remote`) === name)
    .map((branch) => ({
      branch,
      merges: config.getAll(`branch.${branch}.merge`).flatMap((words) => words.split(" ").map(shortBranch)),
      rebases: (config.get(`branch.${branch}.rebase`) || "false") !== "false",
    }))
    .filter(({ merges }) => merges.length > 0)
    .sort((a, b) => (a.branch < b.branch ? -1 : 1));
  if (pulls.length === 0) return;
  out(`  Local branch${pulls.length > 1 ? "es" : ""} configured for 'git pull':\n`);
  const width = Math.max(...pulls.map(({ branch }) => branch.length));
  const space = pulls.some(({ rebases }) => rebases) ? " " : "";
  for (const { branch, merges, rebases } of pulls) {
    const how = rebases ? "rebases onto" : `${space}merges with`;
    out(`    ${branch.padEnd(width)} ${how} remote ${merges[0]}\n`);
    for (const more of rebases ? [] : merges.slice(1)) out(`${" ".repeat(width + 8)}${space}and with remote ${more}\n`);
  }
}

function shortBranch(name: string): string {
  return name.replace(/^refs\/heads\//, () => "");
}

async function knownBranches(repo: Repository, { fetch }: RemoteConfig): Promise<Map<string, string>> {
  const branches = new Map<string, string>();
  for (const { name, target } of await repo.refs.list("refs/")) {
    const source = target === undefined ? refspecSource(fetch, name) : null;
    if (source !== null) branches.set(shortBranch(source), "");
  }
  return branches;
}

async function askedBranches(repo: Repository, name: string, refs: readonly RemoteRef[]): Promise<Map<string, string>> {
  const { fetch } = remoteConfig(repo.config, name);
  const branches = new Map<string, string>();
  for (const ref of refs) {
    if (!ref.name.startsWith("refs/heads/")) continue;
    const branch = shortBranch(ref.name);
    if (isExcluded(fetch, ref.name)) branches.set(branch, "skipped");
    const local = mapName(fetch, ref.name);
    if (local === null) continue;
    const known = (await repo.refs.read(local.name)) !== null;
    branches.set(branch, known ? "tracked" : `new (next fetch will store in remotes/${name})`);
  }
  for (const stale of await staleRefs(repo, fetch, refs))
    branches.set(stale.name, "stale (use 'git remote prune' to remove)");
  return branches;
}

interface RemotePushState {
  readonly source: string;
  readonly target: string;
  readonly force: boolean;
  readonly state?: string;
}

/** Without a query, lists the configuration as written. */
function writtenPushes({ push }: RemoteConfig): RemotePushState[] {
  if (push.length === 0) return [{ source: "(matching)", target: "(matching)", force: false }];
  const reported = push.map(({ source, target, force, matching }) => {
    const from = matching ? "(matching)" : source || "(delete)";
    return { source: from, target: matching ? from : target || from, force };
  });
  return reported.sort(bySource);
}

/** What a push would do; omits refs that cannot be pushed. */
async function pushStates(
  repo: Repository,
  remote: RemoteConfig,
  refs: readonly RemoteRef[],
): Promise<RemotePushState[]> {
  const theirs = new Map(refs.map((ref) => [ref.name, ref]));
  const pushes: RemotePushState[] = [];
  for (const spec of remote.push.length > 0 ? remote.push : [parseRefspec(":", "push")]) {
    for (const pushUpdate of await matchPushRefs(repo, { refspecs: [spec] }, theirs).catch(() => [])) {
      const there = theirs.get(pushUpdate.target)?.oid ?? ZERO_OID;
      const state = await pushState(repo, there, pushUpdate.to);
      const source = pushUpdate.source === null ? "(none)" : shortBranch(pushUpdate.source);
      pushes.push({ source, target: shortBranch(pushUpdate.target), force: spec.force, state });
    }
  }
  return pushes.sort(bySource);
}

function bySource(a: RemotePushState, b: RemotePushState): number {
  if (a.source === b.source) return a.target < b.target ? -1 : 1;
  return a.source < b.source ? -1 : 1;
}

async function pushState(repo: Repository, there: Oid, oid: Oid): Promise<string> {
  if (oid === ZERO_OID) return "delete";
  if (there === ZERO_OID) return "create";
  if (there === oid) return "up to date";
  const isHere = (await repo.odb.header(there))?.type === "commit";
  return isHere && (await isAncestor(repo, there, oid)) ? "fast-forwardable" : "local out of date";
}
