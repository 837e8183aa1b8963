/** `remote show`: what is known here of a remote, and what it says itself unless `-n` forbids to ask. */
import type { Repository } from "../../../repository.ts";
import { isAncestor } from "../../../revision/merge-base.ts";
import type { RemoteRef } from "../../../wire/advertisement.ts";
import { mapName } from "../../../wire/refspec.ts";
import { remoteConfig } from "../../../wire/remote-config.ts";
import type { CommandContext } from "../../command.ts";
import { askRemote, headBranch, staleRefs } from "./query.ts";
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
  const { config } = repo;
  out(`* remote ${name}\n`);
  out(`  Fetch URL: ${urlsOf(repo, name)[0] ?? name}\n`);
  for (const url of pushUrls(repo, name).length > 0 ? pushUrls(repo, name) : ["(no URL)"]) out(`  Push  URL: ${url}\n`);
  out(`  HEAD branch: ${refs === null ? "(not queried)" : (headBranch(refs) ?? "(unknown)")}\n`);
  const branches = refs === null ? await knownBranches(repo, name) : await askedBranches(repo, name, refs);
  if (branches.size > 0) {
    out(`  Remote branch${branches.size > 1 ? "es" : ""}:${refs === null ? " (status not queried)" : ""}\n`);
    const width = Math.max(...[...branches.keys()].map((branch) => branch.length));
    for (const [branch, told] of [...branches].sort(([a], [b]) => (a < b ? -1 : 1)))
      out(told === "" ? `    ${branch}\n` : `    ${branch.padEnd(width)} ${told}\n`);
  }
  const pulls = config
    .subsections("branch")
    .filter(
      (branch) => config.get(`branch.${branch}.remote`) === name && config.get(`branch.${branch}.merge`) !== undefined,
    )
    .sort();
  if (pulls.length > 0) {
    out(`  Local branch${pulls.length > 1 ? "es" : ""} configured for 'git pull':\n`);
    const width = Math.max(...pulls.map((branch) => branch.length));
    for (const branch of pulls) {
      const merge = (config.get(`branch.${branch}.merge`) as string).replace(/^refs\/heads\//, "");
      const rebase = config.get(`branch.${branch}.rebase`);
      const how = rebase && rebase !== "false" ? "rebases onto remote" : " merges with remote";
      const anyRebase = pulls.some((one) => (config.get(`branch.${one}.rebase`) ?? "false") !== "false");
      out(`    ${branch.padEnd(width)} ${anyRebase ? how : how.trimStart()} ${merge}\n`);
    }
  }
  if (refs === null)
    return out("  Local ref configured for 'git push' (status not queried):\n    (matching) pushes to (matching)\n");
  const pushes = await pushStates(repo, refs);
  if (pushes.length === 0) return;
  out(`  Local ref${pushes.length > 1 ? "s" : ""} configured for 'git push':\n`);
  const width = Math.max(...pushes.map(({ branch }) => branch.length));
  for (const { branch, state } of pushes)
    out(`    ${branch.padEnd(width)} pushes to ${branch.padEnd(width)} (${state})\n`);
}

async function knownBranches(repo: Repository, name: string): Promise<Map<string, string>> {
  const prefix = `refs/remotes/${name}/`;
  const tracked = (await repo.refs.list(prefix)).filter(({ target }) => target === undefined);
  return new Map(tracked.map((ref) => [ref.name.slice(prefix.length), ""]));
}

async function askedBranches(repo: Repository, name: string, refs: readonly RemoteRef[]): Promise<Map<string, string>> {
  const { fetch } = remoteConfig(repo.config, name);
  const branches = new Map<string, string>();
  for (const ref of refs) {
    const local = ref.name.startsWith("refs/heads/") ? mapName(fetch, ref.name) : null;
    if (local === null) continue;
    const known = (await repo.refs.read(local.name)) !== null;
    const branch = ref.name.slice("refs/heads/".length);
    branches.set(branch, known ? "tracked" : `new (next fetch will store in remotes/${name})`);
  }
  for (const stale of await staleRefs(repo, name, refs))
    branches.set(stale, "stale (use 'git remote prune' to remove)");
  return branches;
}

/** What a push of all matching branches would do. */
async function pushStates(repo: Repository, refs: readonly RemoteRef[]) {
  const pushes: { branch: string; state: string }[] = [];
  for (const { name, oid } of await repo.refs.list("refs/heads/")) {
    const there = refs.find((ref) => ref.name === name)?.oid;
    if (!there) continue;
    const isHere = (await repo.odb.header(there))?.type === "commit";
    const forward = there !== oid && isHere && (await isAncestor(repo, there, oid));
    const state = there === oid ? "up to date" : forward ? "fast-forwardable" : "local out of date";
    pushes.push({ branch: name.slice("refs/heads/".length), state });
  }
  return pushes;
}
