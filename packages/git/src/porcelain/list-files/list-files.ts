/** `git ls-files` as data: staged, changed, deleted and other files, in git's order. */

import type { IgnoresOptions } from "../../ignore/ignores.ts";
import { openIgnores } from "../../ignore/ignores.ts";
import { NO_STAT } from "../../index/compare-stat.ts";
import { compareIndexToWorkTree } from "../../index/compare-worktree.ts";
import { findUntracked } from "../../index/find-untracked.ts";
import { hashWorkFiles } from "../../index/hash-work-file.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import type { IndexEntry, Stage } from "../../index/index-entry.ts";
import type { IndexFile } from "../../index/index-file.ts";
import { type ColumnarIndex, indexFromColumns, readColumnarIndex } from "../../index/read-index.ts";
import { walkTree } from "../../index/read-tree.ts";
import { parseResolveUndo } from "../../index/resolve-undo.ts";
import type { Oid } from "../../object/oid.ts";
import type { Pathspec } from "../../pathspec/pathspec.ts";
import type { Repository } from "../../repository.ts";
import { compareText } from "../../text/bytes.ts";

export interface ListFilesOptions {
  pathspec: Pathspec;
  cached: boolean;
  stage: boolean;
  unmerged: boolean;
  deleted: boolean;
  modified: boolean;
  others: boolean;
  killed: boolean;
  ignored: boolean;
  resolveUndo: boolean;
  directory: boolean;
  emptyDirectories: boolean;
  deduplicate: boolean;
  ignores: IgnoresOptions;
  withTree?: Oid;
}

export interface ListedFile {
  readonly path: string;
  readonly entry: IndexEntry | null;
  /** H staged, S skipped, M unmerged, R removed, C changed, K killed, ? other, U resolve-undo. */
  readonly tag: "H" | "S" | "M" | "R" | "C" | "K" | "?" | "U";
}

export async function listFiles(repo: Repository, options: ListFilesOptions): Promise<ListedFile[]> {
  const { pathspec } = options;
  const columns = await readColumnarIndex(repo);
  const index = options.withTree
    ? await overlaid(repo, indexFromColumns(columns), options.withTree)
    : indexFromColumns(columns);
  const listed: ListedFile[] = [];
  if (options.others || options.killed) listed.push(...(await otherFiles(repo, columns, options)));
  const { cached, stage, deleted, modified } = options;
  if (cached || stage || deleted || modified) listed.push(...(await stagedFiles(repo, columns, index, options)));
  if (options.resolveUndo) listed.push(...resolveUndo(index, pathspec));
  return listed;
}

async function otherFiles(repo: Repository, columns: ColumnarIndex, options: ListFilesOptions): Promise<ListedFile[]> {
  const { pathspec, ignores, directory, ignored } = options;
  const workRepo = repo as Repository & { workTree: string };
  const work = await compareIndexToWorkTree(workRepo, columns, { pathspec });
  const survey = await findUntracked(workRepo, work, {
    untracked: directory ? "normal" : "all",
    ignored: ignored ? "traditional" : "no",
    emptyDirectories: directory && options.emptyDirectories,
    pathspec,
    ignores,
  });
  const staged = new IndexEditor(indexFromColumns(columns));
  const paths = (ignored ? survey.ignored : survey.untracked).filter(
    (path) => !path.endsWith("/") || staged.at(path.slice(0, -1)).length === 0,
  );
  const listed: ListedFile[] = [];
  if (options.others) for (const path of paths) listed.push({ path, entry: null, tag: "?" });
  if (!options.killed) return listed;
  for (const path of paths) {
    const above = parents(path).some((parent) => staged.at(parent).length > 0);
    if (above || staged.hasUnder(path.replace(/\/$/, () => ""))) listed.push({ path, entry: null, tag: "K" });
  }
  return listed;
}

function parents(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, i) => names.slice(0, i + 1).join("/"));
}

async function stagedFiles(
  repo: Repository,
  columns: ColumnarIndex,
  index: IndexFile,
  options: ListFilesOptions,
): Promise<ListedFile[]> {
  const { pathspec, deduplicate } = options;
  const entries = index.entries.filter(({ path }) => pathspec.matches(path));
  const ignores = options.ignored ? await openIgnores(repo, options.ignores) : null;
  await ignores?.prepare(entries.map(({ path }) => path));
  const states = options.deleted || options.modified ? await workStates(repo, columns, entries) : null;
  const listed: ListedFile[] = [];
  let last = "";
  for (const entry of entries) {
    const { path, stage, skipWorktree } = entry;
    if (deduplicate && path === last) continue;
    if (ignores && !ignores.verdict(path, false).ignored) continue;
    const before = listed.length;
    const state = skipWorktree ? undefined : states?.get(entry);
    if ((options.cached || options.stage) && (!options.unmerged || stage !== 0)) {
      listed.push({ path, entry, tag: stage !== 0 ? "M" : skipWorktree ? "S" : "H" });
    }
    const more = () => !deduplicate || listed.length === before;
    if (options.deleted && state === "deleted" && more()) listed.push({ path, entry, tag: "R" });
    if (options.modified && state !== undefined && more()) listed.push({ path, entry, tag: "C" });
    if (listed.length > before) last = path;
  }
  return listed;
}

async function workStates(
  repo: Repository,
  columns: ColumnarIndex,
  entries: readonly IndexEntry[],
): Promise<Map<IndexEntry, "deleted" | "changed">> {
  const workRepo = repo as Repository & { workTree: string };
  const { changes, unmerged } = await compareIndexToWorkTree(workRepo, columns, { unstaged: false });
  const kinds = new Map(changes.map(({ path, kind }) => [path, kind]));
  const states = new Map<IndexEntry, "deleted" | "changed">();
  for (const entry of entries) {
    const { path, stage } = entry;
    const kind = kinds.get(path);
    const stat = stage === 0 ? undefined : unmerged.get(path);
    if (stage !== 0) {
      const [oid] = stat ? await hashWorkFiles(workRepo, [{ path, stat }]) : [null];
      if (!stat) states.set(entry, "deleted");
      else if (oid !== entry.oid) states.set(entry, "changed");
    } else if (kind === "deleted") {
      const isThere = await repo.fs.lstat(`${workRepo.workTree}/${path}`).catch(() => null);
      states.set(entry, isThere ? "changed" : "deleted");
    } else if (kind !== undefined) states.set(entry, "changed");
  }
  return states;
}

/** Adds paths that only the tree has, as if they were staged. */
async function overlaid(repo: Repository, index: IndexFile, tree: Oid): Promise<IndexFile> {
  const editor = new IndexEditor(index);
  const overlay: IndexEntry[] = [];
  for await (const { path, mode, oid } of walkTree(repo.odb, tree)) {
    // Added also if the path has conflict stages.
    if (editor.get(path) === undefined) overlay.push({ path, stage: 1, mode, oid, stat: NO_STAT });
  }
  return { ...index, entries: [...index.entries, ...overlay].sort((a, b) => compareText(a.path, b.path)) };
}

function resolveUndo({ extensions }: IndexFile, pathspec: Pathspec): ListedFile[] {
  const body = extensions.find(({ signature }) => signature === "REUC")?.body;
  const listed: ListedFile[] = [];
  for (const [path, sides] of body === undefined ? [] : parseResolveUndo(body)) {
    if (!pathspec.matches(path)) continue;
    for (const [i, side] of sides.entries()) {
      if (side !== null)
        listed.push({ path, entry: { path, stage: (i + 1) as Stage, ...side, stat: NO_STAT }, tag: "U" });
    }
  }
  return listed;
}
