/**
 * All work trees of a repository: the main one, and those that `git worktree add` linked to it. They share objects, branches and
 * configuration; each has its own HEAD, index, reflogs and unfinished operations. Code that deletes objects, or moves or deletes a
 * branch, must check here what other work trees use.
 */

import { GitError } from "../errors.ts";
import { openRefStore } from "../refs/open-ref-store.ts";
import type { RefStore } from "../refs/ref-store.ts";
import type { Repository } from "../repository.ts";
import { decode } from "../text/bytes.ts";

export interface WorkTree {
  /** As git shows it. */
  readonly path: string;
  /** Where its HEAD and index are. */
  readonly gitDir: string;
  readonly isCurrent: boolean;
  /** The main one of a bare repository: it has a HEAD and no files. */
  readonly isBare: boolean;
  /** `gitdir` names its directory. False: the remains of a removed work tree, or a damaged one. */
  readonly isWhole: boolean;
}

/** The main one first, then linked ones by directory name, including damaged ones. */
export async function listWorkTrees(repo: Repository): Promise<WorkTree[]> {
  const commonDir = repo.commonDir ?? repo.gitDir;
  const isBare = repo.config.getBool("core.bare") === true || repo.bare === true;
  const main: WorkTree = {
    path: commonDir.endsWith("/.git") ? commonDir.slice(0, -"/.git".length) || "/" : commonDir,
    gitDir: commonDir,
    isCurrent: repo.gitDir === commonDir,
    isBare: isBare && !(repo.gitDir === commonDir && repo.workTree !== null),
    isWhole: true,
  };
  const names = await directoryNames(repo, `${commonDir}/worktrees`);
  const contents = await repo.fs.readMany(names.map((name) => `${commonDir}/worktrees/${name}/gitdir`));
  const linked = names.map((name, i): WorkTree => {
    const gitDir = `${commonDir}/worktrees/${name}`;
    const named = decode(contents[i] ?? new Uint8Array()).trimEnd();
    return {
      path: named.endsWith("/.git") ? named.slice(0, -"/.git".length) : named || gitDir,
      gitDir,
      isCurrent: repo.gitDir === gitDir,
      isBare: false,
      isWhole: named !== "",
    };
  });
  return [main, ...linked];
}

/** The refs as that work tree sees them: branches are shared, HEAD and `refs/bisect/` its own. */
export function refsOf(repo: Repository, { gitDir, isCurrent }: WorkTree): RefStore {
  if (isCurrent) return repo.refs;
  const { host, limits, config, odb } = repo;
  return openRefStore({ host, limits, config, odb, gitDir, commonDir: repo.commonDir ?? repo.gitDir, bare: false });
}

/**
 * Branches in use by some work tree: on its HEAD, or as what its rebase or bisect returns to or updates at its end. By full name,
 * with the path of the work tree.
 */
export async function checkedOutBranches(repo: Repository): Promise<Map<string, string>> {
  const retained = new Map<string, string>();
  for (const tree of await listWorkTrees(repo)) {
    if (tree.isBare || !tree.isWhole) continue;
    const { head, started } = await branchesOf(repo, tree);
    if (head !== null) retained.set(head, tree.path);
    for (const name of started) retained.set(name, tree.path);
    for (const name of await movedByRebase(repo, tree)) retained.set(name, tree.path);
  }
  return retained;
}

/** The branch of every work tree's HEAD, by full name, with the path of the work tree. */
export async function workTreePaths(repo: Repository): Promise<Map<string, string>> {
  const paths = new Map<string, string>();
  for (const tree of await listWorkTrees(repo)) {
    const head = tree.isWhole ? await refsOf(repo, tree).read("HEAD") : null;
    if (head?.kind === "symbolic") paths.set(head.target, tree.path);
  }
  return paths;
}

/** Throws git's error if another work tree uses `branch`, a full name, or will return to it. */
export async function refuseCheckedOutElsewhere(repo: Repository, branch: string): Promise<void> {
  const tree = await workTreeOn(repo, branch);
  if (tree === null || tree.isCurrent) return;
  throw new GitError("ESTATE", `'${branch.replace(/^refs\/heads\//, "")}' is already checked out at '${tree.path}'`);
}

/** The first work tree that uses the branch. */
export async function workTreeOn(repo: Repository, branch: string): Promise<WorkTree | null> {
  for (const tree of await listWorkTrees(repo)) {
    if (tree.isBare || !tree.isWhole) continue;
    const { head, started } = await branchesOf(repo, tree);
    if (head === branch || (head === null && started.includes(branch))) return tree;
  }
  return null;
}

/** A branch that a rebase or bisect will return to cannot be renamed. */
export async function refuseInOperation(repo: Repository, branch: string): Promise<void> {
  for (const tree of await listWorkTrees(repo)) {
    if (!tree.isWhole || (await refsOf(repo, tree).read("HEAD"))?.kind === "symbolic") continue;
    for (const [verb, file] of Object.entries(STARTED_AT)) {
      if ((await namedIn(repo, tree, file)).includes(branch))
        throw new GitError("ESTATE", `Branch ${branch} is being ${verb} at ${tree.path}`);
    }
  }
}

const STARTED_AT = {
  rebased: ["rebase-merge/head-name", "rebase-apply/head-name"],
  bisected: ["BISECT_START"],
} as const;

async function branchesOf(repo: Repository, tree: WorkTree): Promise<{ head: string | null; started: string[] }> {
  const head = await refsOf(repo, tree).read("HEAD");
  const started = await namedIn(repo, tree, Object.values(STARTED_AT).flat());
  return { head: head?.kind === "symbolic" ? head.target : null, started };
}

/** A bisect names its branch without refs/heads/. */
async function namedIn({ fs }: Repository, { gitDir }: WorkTree, files: readonly string[]): Promise<string[]> {
  const contents = await fs.readMany(files.map((file) => `${gitDir}/${file}`));
  return contents.flatMap((bytes, i) => {
    const name = bytes ? decode(bytes).trim() : "";
    if (name === "" || name === "detached HEAD") return [];
    return [files[i] === "BISECT_START" && !name.startsWith("refs/") ? `refs/heads/${name}` : name];
  });
}

/** `rebase --update-refs`: three lines a ref, the first its name. */
async function movedByRebase({ fs }: Repository, { gitDir }: WorkTree): Promise<string[]> {
  const [bytes] = await fs.readMany([`${gitDir}/rebase-merge/update-refs`]);
  return bytes
    ? decode(bytes)
        .split("\n")
        .filter((name, i) => i % 3 === 0 && name !== "")
    : [];
}

async function directoryNames({ fs }: Repository, directory: string): Promise<string[]> {
  try {
    return (await fs.scan(directory)).filter(({ stat }) => stat.type === "dir").map(({ name }) => name);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}
