/** Opens the repository around a directory for one command: finds it, reads its configuration, and composes its parts. */

import { createConfig } from "../config/create-config.ts";
import type { ConfigEntry, GitConfig } from "../config/git-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { isSkipWorktree, oidAt } from "../index/index-table.ts";
import { readColumnarIndex, readIndex } from "../index/read-index.ts";
import { defaultGitLimits } from "../limits.ts";
import type { Oid } from "../object/oid.ts";
import { openObjectDatabase, unlimitedWork } from "../odb/open-object-database.ts";
import { openRefStore } from "../refs/open-ref-store.ts";
import type { OpenOptions, Repository } from "../repository.ts";
import { absolutePath } from "../text/absolute-path.ts";
import { decode } from "../text/bytes.ts";
import { commonDirectory, type DiscoveredGitDir, discoverGitDirectory } from "./git-directory.ts";
import { checkHooks } from "./hooks.ts";
import { checkRepositoryFormat, localLayout } from "./repository-format.ts";

export async function openRepository(host: GitHost, options: OpenOptions): Promise<Repository> {
  const { env = {}, warn } = options;
  const { fs } = host;
  const limits = { ...defaultGitLimits, ...host.limits };
  const found = await discoverGitDirectory(host, options);
  const { gitDir } = found;
  const commonDir = await commonDirectory(fs, gitDir, env);
  const named = options.workTree ?? (env.GIT_WORK_TREE || undefined);
  const displayGitDir = displayDirectory(found, named === undefined ? found.cwd : absolutePath(named, found.cwd));
  const entries = await loadConfig({
    fs,
    limits,
    env,
    cwd: found.cwd,
    gitDir,
    commonDir,
    displayGitDir,
    branch: () => headBranch(fs, gitDir),
    command: options.config,
  });
  if (found.found === null && !found.named && !options.isMeant) checkBareRepository(entries, gitDir);
  checkRepositoryFormat(entries);
  const config = createConfig(entries);
  const { workTree, bare } = placeWorkTree(found, options, localLayout(entries));
  const { fetchPromised } = options;
  const promises = config.get("extensions.partialclone") !== undefined || promisesAny(config);
  const objectsDir = env.GIT_OBJECT_DIRECTORY
    ? absolutePath(env.GIT_OBJECT_DIRECTORY, found.cwd)
    : `${commonDir}/objects`;
  const odb = openObjectDatabase({
    host,
    limits,
    config,
    objectsDir,
    env,
    work: host.work ?? unlimitedWork(host.signal),
    cache: host.cache?.packs(objectsDir, limits),
    ...(fetchPromised && promises ? { promisor: (oids: readonly Oid[]) => fetchPromised(repo, oids) } : {}),
  });
  const beforeUpdate = () => checkHooks({ fs, gitDir, commonDir, config, workTree, env }, "ref update");
  const refs = openRefStore({ host, limits, gitDir, commonDir, config, bare, odb, warn, beforeUpdate });
  const indexPath = env.GIT_INDEX_FILE ? absolutePath(env.GIT_INDEX_FILE, workTree ?? found.cwd) : `${gitDir}/index`;
  const repo: Repository = {
    host,
    fs,
    limits,
    gitDir,
    workTree,
    prefix: workTree === null ? "" : cwdPrefix(found.cwd, workTree),
    indexPath,
    env,
    config,
    odb,
    refs,
    commonDir,
    bare,
    displayGitDir,
    warn,
    readIndexEntries: (path) => stagedAt({ fs, limits, config, indexPath }, path),
    skipWorktreeFiles: (name) => skippedFiles({ fs, limits, config, indexPath }, name),
  };
  return repo;
}

/** `safe.bareRepository` from the user's configuration; the repository's own value does not count. */
function checkBareRepository(entries: readonly ConfigEntry[], gitDir: string): void {
  const key = "safe.barerepository";
  const reported = entries.findLast((entry) => entry.key === key && !["local", "worktree"].includes(entry.scope));
  if (reported === undefined || reported.value === "all") return;
  if (reported.value === "explicit")
    throw new GitError("ENOREPO", `cannot use bare repository '${gitDir}' (safe.bareRepository is 'explicit')`);
  const { file, line } = reported;
  throw new GitError(
    "EINVAL",
    file === null
      ? `unable to parse '${key}' from command-line config`
      : `bad config variable '${key}' in file '${file}' at line ${line}`,
  );
}

function promisesAny(config: GitConfig): boolean {
  return config.subsections("remote").some((name) => config.getBool(`remote.${name}.promisor`) === true);
}

/** Loaded only for a `:path` revision: most commands that resolve names never need it. */
async function stagedAt(repo: Pick<Repository, "fs" | "limits" | "config" | "indexPath">, path: string) {
  return (await readIndex(repo)).entries.filter((entry) => entry.path === path);
}

async function skippedFiles(repo: Pick<Repository, "fs" | "limits" | "config" | "indexPath">, name: string) {
  const { table } = await readColumnarIndex(repo);
  const found = new Map<string, Oid>();
  for (let i = 0; i < table.count; i++) {
    if (!isSkipWorktree(table, i)) continue;
    const path = table.paths[i] as string;
    if (path === name || path.endsWith(`/${name}`)) found.set(path, oidAt(table, i));
  }
  return found;
}

/** The work tree's top and whether the repository counts as bare. */
function placeWorkTree(
  found: DiscoveredGitDir,
  { env = {}, workTree }: OpenOptions,
  local: { bare: boolean | null; workTree: string | null },
): { workTree: string | null; bare: boolean } {
  const named = workTree ?? (env.GIT_WORK_TREE || undefined);
  const bare = local.bare ?? (found.found === null && !found.named);
  if (named !== undefined) return { workTree: absolutePath(named, found.cwd), bare: false };
  if (local.workTree !== null) {
    if (local.bare) {
      const why = "warning: core.bare and core.worktree do not make sense";
      throw new GitError("ENOREPO", `${why}\nfatal: unable to set up work tree using invalid config`, { prefix: "" });
    }
    return { workTree: absolutePath(local.workTree, found.gitDir), bare: false };
  }
  if (bare) return { workTree: null, bare: true };
  if (found.named) return { workTree: found.cwd, bare: false };
  // Discovered from inside a git directory that is not bare: there is no work tree here.
  if (found.found === null) return { workTree: null, bare: false };
  return { workTree: found.found, bare: false };
}

function cwdPrefix(cwd: string, workTree: string): string {
  const top = workTree === "/" ? "/" : `${workTree}/`;
  return cwd.startsWith(top) ? `${cwd.slice(top.length)}/` : "";
}

/** git changes to the work tree's top, where its directory is ".git", or stays inside a bare one, which is ".". */
function displayDirectory({ gitDir, found, cwd, named, typed = gitDir }: DiscoveredGitDir, workTree: string): string {
  if (found !== null && gitDir === `${found === "/" ? "" : found}/.git`) return ".git";
  if (!named && found === null && gitDir === cwd) return ".";
  // An explicit directory is printed as typed, unless git changes directory.
  if (named) return workTree === cwd ? typed : gitDir;
  return gitDir;
}

async function headBranch(fs: GitHost["fs"], gitDir: string): Promise<string | null> {
  const [head] = await fs.readMany([`${gitDir}/HEAD`]);
  return /^ref:\s*refs\/heads\/(.*?)\s*$/s.exec(head ? decode(head) : "")?.[1] ?? null;
}
