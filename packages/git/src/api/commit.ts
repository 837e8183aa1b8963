/** Methods that stage and commit: `init`, `add`, `remove`, `move`, `commit`, `restore`, `reset`, `clean`. */
import { GitError } from "../errors.ts";
import { EMPTY_TREE, type Oid } from "../object/oid.ts";
import { parsePathspec } from "../pathspec/pathspec.ts";
import { add as addPaths } from "../porcelain/add.ts";
import { restorePaths } from "../porcelain/checkout/restore-paths.ts";
import { clean as cleanWorkTree } from "../porcelain/clean.ts";
import { commit as makeCommit } from "../porcelain/commit/commit.ts";
import { commitCleanup, commitDate } from "../porcelain/commit/commit-settings.ts";
import { refuseSigning } from "../porcelain/commit/refuse-signing.ts";
import { chooseInitDirectories } from "../porcelain/init.ts";
import { move as movePaths } from "../porcelain/move/move.ts";
import { remove as removePaths } from "../porcelain/remove.ts";
import { resetIndex, reset as resetTo } from "../porcelain/reset.ts";
import { findResetTarget, refreshAfterReset } from "../porcelain/reset-settings.ts";
import { endAutostash, mergeAutostash } from "../porcelain/stash/autostash.ts";
import { initRepository } from "../repository/init-repository.ts";
import { resolveRevision } from "../revision/resolve-revision.ts";
import { encode } from "../text/bytes.ts";
import { type Call, type CallOptions, requireWorkTree } from "./call.ts";

export interface InitOptions extends CallOptions {
  readonly directory?: string;
  readonly bare?: boolean;
  readonly initialBranch?: string;
}

export interface InitResult {
  /** Absolute. */
  readonly gitDir: string;
  /** The repository existed already. */
  readonly existed: boolean;
  /** HEAD's branch in a new repository. */
  readonly branch: string;
}

export async function init(call: Call, options: InitOptions = {}): Promise<InitResult> {
  const { host, open, env } = call;
  const { gitDir, existed, branch } = await initRepository(host, {
    ...chooseInitDirectories(open, options.directory || undefined, options.bare === true),
    ...(options.initialBranch === undefined ? {} : { initialBranch: options.initialBranch }),
    env,
  });
  return { gitDir, existed, branch };
}

export interface AddOptions extends CallOptions {
  readonly paths?: readonly string[];
  /** Everything in the work tree. */
  readonly all?: boolean;
  /** Only tracked files. */
  readonly update?: boolean;
  readonly force?: boolean;
  readonly intentToAdd?: boolean;
}

export interface AddResult {
  /** Files that were staged, and those whose removal was. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Throws EINVAL after it skipped ignored files that were named. */
export async function add(call: Call, options: AddOptions): Promise<AddResult> {
  const { paths = [], all = false, update = false, force = false, intentToAdd = false } = options;
  const repo = await call.workTree(paths);
  if (update && all) throw new GitError("EINVAL", "'all' and 'update' cannot be used together");
  if (paths.length === 0 && !all && !update) return { added: [], removed: [] };
  const { actions, ignored } = await addPaths(repo, {
    pathspec: parsePathspec(repo, paths),
    mode: update ? "update" : "all",
    force,
    intentToAdd,
  });
  if (ignored.length > 0) {
    const text = "The following paths are ignored by one of your .gitignore files";
    throw new GitError("EINVAL", `${text}: ${ignored.join(", ")}`, { prefix: "error", exitCode: 1 });
  }
  const named = (kind: "add" | "remove") => actions.filter((one) => one.kind === kind).map(({ path }) => path);
  return { added: named("add"), removed: named("remove") };
}

export interface RemoveOptions extends CallOptions {
  readonly paths: readonly string[];
  /** Remove from the index only. */
  readonly cached?: boolean;
  readonly recursive?: boolean;
  readonly force?: boolean;
}

export interface RemoveResult {
  readonly removed: readonly string[];
}

export async function remove(call: Call, options: RemoveOptions): Promise<RemoveResult> {
  const { paths, cached = false, recursive = false, force = false } = options;
  const repo = await call.workTree(paths);
  if (paths.length === 0) throw new GitError("EINVAL", "No pathspec was given. Which files should I remove?");
  const removed: string[] = [];
  const { advice } = await removePaths(repo, {
    pathspec: parsePathspec(repo, paths, { prefer: "cwd" }),
    cached,
    force,
    recursive,
    onRemove: (path) => removed.push(path),
  });
  if (advice !== "") throw new GitError("ESTATE", advice.trimEnd(), { prefix: "", exitCode: 1 });
  return { removed };
}

export interface MoveOptions extends CallOptions {
  readonly from: string;
  readonly to: string;
  readonly force?: boolean;
}

export async function move(call: Call, { from, to, force = false }: MoveOptions): Promise<void> {
  await movePaths(await call.workTree(), { sources: [from], destination: to, force });
}

export interface CommitOptions extends CallOptions {
  readonly message?: string;
  /** Include all changes of tracked files. */
  readonly all?: boolean;
  readonly amend?: boolean;
  readonly allowEmpty?: boolean;
  readonly author?: { readonly name: string; readonly email: string };
  readonly date?: string;
  readonly signoff?: boolean;
  /** Commit only these paths, whatever is staged. */
  readonly paths?: readonly string[];
}

export interface CommitResult {
  readonly oid: Oid;
  /** HEAD's branch; null: detached. */
  readonly branch: string | null;
  /** The first commit of its history. */
  readonly isRoot: boolean;
}

/** Throws ECONFLICT if there is nothing to commit. */
export async function commit(call: Call, options: CommitOptions): Promise<CommitResult> {
  const repo = await call.workTree(options.paths);
  refuseSigning(repo, undefined);
  const { paths = [], all = false, amend = false, message, date, author } = options;
  if (all && paths.length > 0) throw new GitError("EINVAL", `paths '${paths[0]} ...' with 'all' does not make sense`);
  const amended = amend ? ((await repo.refs.resolve("HEAD"))?.oid ?? undefined) : undefined;
  const result = await makeCommit(repo, {
    mode: all ? "all" : paths.length > 0 ? "only" : "index",
    pathspec: parsePathspec(repo, paths),
    amend,
    allowEmpty: options.allowEmpty === true,
    edit: false,
    cleanup: commitCleanup(repo.config, undefined, false),
    signoff: options.signoff === true,
    ...(message === undefined ? {} : { file: encode(message) }),
    ...(message === undefined && amended !== undefined ? { from: amended } : {}),
    ...(amended === undefined ? {} : { authorFrom: amended }),
    ...(date === undefined ? {} : { date: commitDate(repo, date) }),
    ...(author === undefined ? {} : { author }),
  });
  if (result.kind !== "committed")
    throw new GitError(
      "ECONFLICT",
      amend ? "nothing to commit: the amended commit would be empty" : "nothing to commit",
      {
        prefix: "",
        exitCode: 1,
      },
    );
  await endAutostash(repo, mergeAutostash(repo));
  const head = await repo.refs.read("HEAD");
  const branch = head?.kind === "symbolic" ? head.target.replace(/^refs\/heads\//, () => "") : null;
  return { oid: result.oid, branch, isRoot: result.isRoot };
}

export interface RestoreOptions extends CallOptions {
  readonly paths: readonly string[];
  readonly source?: string;
  readonly staged?: boolean;
  readonly worktree?: boolean;
}

export async function restore(call: Call, options: RestoreOptions): Promise<void> {
  const { paths, staged = false } = options;
  const { source, worktree = !staged } = options;
  const repo = await call.workTree(paths);
  if (paths.length === 0) throw new GitError("EINVAL", "you must specify path(s) to restore");
  if (!staged && !worktree) throw new GitError("EINVAL", "neither 'staged' nor 'worktree' is specified");
  const from = source ?? (staged ? "HEAD" : undefined);
  const missing = (text: string) => `could not resolve ${text}`;
  await restorePaths(repo, {
    pathspec: parsePathspec(repo, paths, { prefer: "cwd" }),
    source: from === undefined ? null : await resolveRevision(repo, from, { type: "tree", missing }),
    staged,
    worktree,
    overlay: false,
  });
}

export interface ResetOptions extends CallOptions {
  /** Default "mixed". */
  readonly mode?: "soft" | "mixed" | "hard" | "merge" | "keep";
  readonly revision?: string;
  /** Reset only the index entries of these paths. */
  readonly paths?: readonly string[];
}

export interface ResetResult {
  /** HEAD afterwards; null: no commit yet. */
  readonly head: Oid | null;
  /** Files that differ from the index now. */
  readonly unstaged: readonly string[];
}

export async function reset(call: Call, { mode, revision, paths = [] }: ResetOptions = {}): Promise<ResetResult> {
  const repo = await call.repository(paths);
  const isTree = paths.length > 0;
  const to = await findResetTarget(repo, revision, isTree);
  if (isTree) {
    if (mode !== undefined && mode !== "mixed") throw new GitError("EINVAL", `Cannot do ${mode} reset with paths.`);
    const work = requireWorkTree(repo);
    await resetIndex(work, to ?? EMPTY_TREE, parsePathspec(repo, paths), false);
  } else {
    await resetTo(repo, { mode: mode ?? "mixed", to, name: revision ?? "HEAD" });
    // The merge that the autostash belongs to has ended.
    if (mode !== "soft" && repo.workTree !== null)
      await endAutostash(requireWorkTree(repo), mergeAutostash(repo), true);
  }
  const isMixed = mode === undefined || mode === "mixed";
  const { changes, unmerged } =
    isMixed && repo.workTree !== null
      ? await refreshAfterReset(requireWorkTree(repo))
      : { changes: [], unmerged: new Map<string, unknown>() };
  return {
    head: (await repo.refs.resolve("HEAD"))?.oid ?? null,
    unstaged: [...changes.map(({ path }) => path), ...unmerged.keys()],
  };
}

export interface CleanOptions extends CallOptions {
  readonly paths?: readonly string[];
  readonly directories?: boolean;
  /** Also remove ignored files. */
  readonly ignored?: boolean;
  readonly dryRun?: boolean;
}

/** Returns the removed paths, or with a dry run those to remove; directories end with a slash. */
export async function clean(call: Call, options: CleanOptions = {}): Promise<string[]> {
  const { paths = [], directories = false, ignored = false, dryRun = false } = options;
  const repo = await call.workTree(paths);
  const actions = await cleanWorkTree(repo, {
    pathspec: parsePathspec(repo, paths, { prefer: "cwd" }),
    directories: directories || paths.length > 0,
    ignored: ignored ? "also" : "keep",
    dryRun,
  });
  const failed = actions.flatMap((action) => (action.kind === "failed" ? [action.path] : []));
  if (failed.length > 0)
    throw new GitError("ESTATE", `failed to remove ${failed.join(", ")}`, { prefix: "error", exitCode: 1 });
  return actions.flatMap((action) => (action.kind === "removed" ? [action.path] : []));
}
