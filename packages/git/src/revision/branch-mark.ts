/**
 * Names that stand for a branch: `@{-1}`, `main@{upstream}`, `@{push}`, and "@" for HEAD. They are replaced before refs are
 * looked up, so that every suffix (`~2`, `@{1}`, `:path`) works on them.
 */
import { GitError } from "../errors.ts";
import { prettyRefName } from "../refs/ref-name.ts";
import type { Repository } from "../repository.ts";

type MarkRepository = Pick<Repository, "refs" | "config">;

/**
 * The name without marks; null: a mark has no meaning here (`@{-5}` with fewer previous branches). `under`: the required prefix
 * of the ref, which is stripped; a ref elsewhere stays unchanged.
 */
export async function interpretBranchName(
  repo: MarkRepository,
  text: string,
  under?: "refs/heads/" | "refs/remotes/",
): Promise<string | null> {
  let name = text;
  // A previous checkout is a local branch.
  const prior = under === "refs/remotes/" ? null : /^@\{-(\d+)\}/.exec(name);
  if (prior) {
    const branch = await priorBranch(repo, Number(prior[1]));
    if (branch === null) return null;
    name = branch + name.slice(prior[0].length);
    if (name === branch) return branch;
  }
  if (name === "@") return under === undefined ? "HEAD" : name;
  const mark = /^(.*?)@\{(u|upstream|push)\}$/is.exec(name);
  if (!mark) return name;
  const branch = mark[1] === "" || mark[1] === "@" ? null : (mark[1] as string);
  if (branch?.includes(":")) return name;
  const isPush = (mark[2] as string).toLowerCase() === "push";
  const ref = isPush ? await pushRef(repo, branch) : await upstreamRef(repo, branch);
  if (under === undefined) return prettyRefName(ref);
  return ref.startsWith(under) ? ref.slice(under.length) : name;
}

/** The branch that was left n checkouts ago, from HEAD's reflog. */
async function priorBranch({ refs }: Pick<Repository, "refs">, n: number): Promise<string | null> {
  if (n === 0) return null;
  let left = n;
  for (const { message } of (await refs.reflog("HEAD")).reverse()) {
    const from = /^checkout: moving from (.*) to /s.exec(message)?.[1];
    if (from !== undefined && --left === 0) return from;
  }
  return null;
}

/** The branch as typed; null: that of HEAD. */
async function branchName({ refs }: MarkRepository, branch: string | null): Promise<string> {
  if (branch !== null) {
    if (branch === "HEAD") return branchName({ refs } as MarkRepository, null);
    return branch;
  }
  const head = await refs.read("HEAD");
  if (head?.kind !== "symbolic" || !head.target.startsWith("refs/heads/")) {
    throw new GitError("ENOTFOUND", "HEAD does not point to a branch");
  }
  return head.target.slice("refs/heads/".length);
}

export async function upstreamRef(repo: MarkRepository, requested: string | null): Promise<string> {
  const branch = await branchName(repo, requested);
  const { merge, tracking } = branchUpstream(repo, branch);
  if (merge === null) {
    const exists = await repo.refs.resolve(`refs/heads/${branch}`);
    if (!exists?.oid) throw new GitError("ENOTFOUND", `no such branch: '${branch}'`);
    throw new GitError("ENOTFOUND", `no upstream configured for branch '${branch}'`);
  }
  if (tracking === null) {
    throw new GitError("ENOTFOUND", `upstream branch '${merge}' not stored as a remote-tracking branch`);
  }
  return tracking;
}

interface Upstream {
  readonly remote: string | null;
  /** branch.<name>.merge: its name on the remote. */
  readonly merge: string | null;
  /** Its tracking ref; null: none. */
  readonly tracking: string | null;
}

/** The configured upstream of a branch. */
export function branchUpstream({ config }: Pick<Repository, "config">, branch: string): Upstream {
  const remote = config.get(`branch.${branch}.remote`) ?? null;
  const short = config.get(`branch.${branch}.merge`) ?? null;
  if (remote === null || short === null) return { remote, merge: null, tracking: null };
  const merge = short;
  if (remote === ".") return { remote, merge, tracking: merge.startsWith("refs/") ? merge : `refs/heads/${merge}` };
  return { remote, merge, tracking: mapRef(config.getAll(`remote.${remote}.fetch`), merge) };
}

/** The target of refspecs for a ref; null: none matches. */
function mapRef(refspecs: readonly string[], name: string): string | null {
  for (const spec of refspecs) {
    const [from = "", to] = spec.replace(/^\+/, "").split(":");
    if (to === undefined || to === "") continue;
    if (from === name) return to;
    const star = from.indexOf("*");
    if (star < 0) continue;
    const [start, end] = [from.slice(0, star), from.slice(star + 1)];
    if (name.length < start.length + end.length || !name.startsWith(start) || !name.endsWith(end)) continue;
    return to.replace("*", () => name.slice(star, name.length - end.length));
  }
  return null;
}

export async function pushRef(repo: MarkRepository, requested: string | null): Promise<string> {
  const { config } = repo;
  const branch = await branchName(repo, requested);
  const remote = pushRemote(repo, branch);
  const fetches = config.getAll(`remote.${remote}.fetch`);
  const tracking = (name: string) => {
    const mapped = mapRef(fetches, name);
    if (mapped === null) {
      throw new GitError("ENOTFOUND", `push destination '${name}' on remote '${remote}' has no local tracking branch`);
    }
    return mapped;
  };
  const pushes = config.getAll(`remote.${remote}.push`);
  if (pushes.length > 0) {
    const target = mapRef(pushes, `refs/heads/${branch}`);
    if (target === null) throw new GitError("ENOTFOUND", `push refspecs for '${remote}' do not include '${branch}'`);
    return tracking(target);
  }
  switch (config.get("push.default")?.toLowerCase()) {
    case "nothing":
      throw new GitError("ENOTFOUND", "push has no destination (push.default is 'nothing')");
    case "matching":
    case "current":
      return tracking(`refs/heads/${branch}`);
    case "upstream":
    case "tracking":
      return upstreamRef(repo, branch);
    default: {
      const upstream = await upstreamRef(repo, branch);
      const current = tracking(`refs/heads/${branch}`);
      if (upstream === current) return current;
      throw new GitError("ENOTFOUND", "cannot resolve 'simple' push to a single destination");
    }
  }
}

/** The name that push refspecs give a branch; null: none matches. */
export function pushedAs(repo: Pick<Repository, "config">, branch: string): string | null {
  return mapRef(repo.config.getAll(`remote.${pushRemote(repo, branch)}.push`), `refs/heads/${branch}`);
}

/** Returns the remote that a branch is pushed to by default. */
export function pushRemote(repo: Pick<Repository, "config">, branch: string): string {
  const remotes = repo.config.subsections("remote");
  return configuredPushRemote(repo, branch) ?? (remotes.length === 1 ? (remotes[0] as string) : "origin");
}

export function configuredPushRemote({ config }: Pick<Repository, "config">, branch: string): string | undefined {
  return (
    config.get(`branch.${branch}.pushremote`) ??
    config.get("remote.pushdefault") ??
    config.get(`branch.${branch}.remote`)
  );
}
