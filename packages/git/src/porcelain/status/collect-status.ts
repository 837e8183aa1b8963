/**
 * Compares HEAD, index and work tree: the result of `git status`, as data. Unchanged files are neither read nor hashed, unchanged
 * directories of HEAD not even looked up, and refreshed stats are written back if the index is not locked.
 */
import type { FileStat } from "@workspace/vfs";
import { diffDefaults } from "../../diff/diff-options.ts";
import { createPair, type FilePair, type FileSpec, missingFile, percent } from "../../diff/file-pair.ts";
import { runDiffcore } from "../../diff/run-diffcore.ts";
import { compareIndexToTree, type FileVersion } from "../../index/compare-index-to-tree.ts";
import { modeTrust, stagedMode } from "../../index/compare-stat.ts";
import { compareIndexToWorkTree, type WorkTreeComparison } from "../../index/compare-worktree.ts";
import { findUntracked } from "../../index/find-untracked.ts";
import { FIELDS, lowerBoundPath, MODE, oidAt, stageAt } from "../../index/index-table.ts";
import { type ColumnarIndex, readColumnarIndex } from "../../index/read-index.ts";
import { updateIndexIfAble } from "../../index/refresh-index.ts";
import { isSameType, MODE_GITLINK } from "../../object/file-mode.ts";
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import type { Pathspec } from "../../pathspec/pathspec.ts";
import type { Repository } from "../../repository.ts";
import { commitTreeOid } from "../../revision/peel.ts";
import { compareText } from "../../text/bytes.ts";

/** " ": unchanged. */
export type StatusCode = " " | "M" | "T" | "A" | "D" | "R" | "C" | "U";

export interface StatusEntry {
  readonly path: string;
  /** HEAD to index. */
  readonly staged: StatusCode;
  /** Index to work tree. */
  readonly unstaged: StatusCode;
  readonly head: FileVersion | null;
  readonly index: FileVersion | null;
  /** 0: missing. */
  readonly workMode: number;
  /** Original path of a rename or copy. */
  readonly from?: string;
  readonly score?: number;
  /** The rename is in the work tree. */
  readonly renamedInWork?: boolean;
  /** The three stages of a conflict. */
  readonly stages?: readonly (FileVersion | null)[];
  readonly stat?: FileStat;
  /** A gitlink with another commit checked out. */
  readonly newCommits?: boolean;
}

export interface Status {
  readonly head: Oid | null;
  /** By path. */
  readonly entries: readonly StatusEntry[];
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

export interface RenameSettings {
  readonly renames: "renames" | "copies";
  /** Minimum similarity, of 60 000; 0: git's default. */
  readonly score: number;
  readonly limit: number;
}

export interface StatusOptions {
  pathspec?: Pathspec;
  untracked?: "no" | "normal" | "all";
  ignored?: "no" | "traditional" | "matching";
  /** Null: no rename detection. */
  renames?: RenameSettings | null;
  ignoreGitlinks?: boolean;
  /** Used instead of the index on disk. */
  index?: ColumnarIndex;
  /** Used instead of HEAD; null: nothing is committed. */
  head?: Oid | null;
  /** Write refreshed stats; default true. */
  refresh?: boolean;
}

type WorkRepository = Repository & { readonly workTree: string };

export async function collectStatus(repo: WorkRepository, options: StatusOptions = {}): Promise<Status> {
  const { untracked = "normal", ignored = "no", pathspec } = options;
  const head = options.head === undefined ? ((await repo.refs.resolve("HEAD"))?.oid ?? null) : options.head;
  const index = options.index ?? (await readColumnarIndex(repo));
  const work = await compareIndexToWorkTree(repo, index, {
    pathspec,
    unstaged: untracked !== "no",
    ignoreGitlinks: options.ignoreGitlinks,
  });
  if (options.refresh !== false && options.index === undefined) await updateIndexIfAble(repo, index, work);
  const entries = new Map<string, StatusDraft>();
  await addStaged(repo, head, index, options, entries);
  addUnstaged(repo, index, work, entries);
  if (options.renames) await addRenames(repo, entries, options.renames);
  const others =
    untracked === "no"
      ? { untracked: [], ignored: [] }
      : await findUntracked(repo, work, { untracked, ignored, pathspec });
  return {
    head,
    entries: [...entries.values()].sort((a, b) => compareText(a.path, b.path)),
    untracked: others.untracked.filter((path) => !isStagedName(index, path)),
    ignored: others.ignored.filter((path) => !isStagedName(index, path)),
  };
}

/** A directory in place of a staged file is not reported as untracked: the file is reported as deleted. */
function isStagedName({ table }: ColumnarIndex, path: string): boolean {
  if (!path.endsWith("/")) return false;
  const name = path.slice(0, -1);
  return table.paths[lowerBoundPath(table, name)] === name;
}

type StatusDraft = { -readonly [Key in keyof StatusEntry]: StatusEntry[Key] };

async function addStaged(
  { odb }: Repository,
  head: Oid | null,
  index: ColumnarIndex,
  { pathspec }: StatusOptions,
  entries: Map<string, StatusDraft>,
): Promise<void> {
  const tree = head === null ? null : commitTreeOid((await odb.need(head, "commit")).body);
  const limit = pathspec?.isEmpty ? undefined : pathspec;
  const changes = await compareIndexToTree(
    odb,
    tree,
    index,
    limit ? { enter: (path) => limit.mayMatchUnder(path) } : {},
  );
  for (const { path, before, after, unmerged } of changes) {
    if (limit !== undefined && !limit.matches(path)) continue;
    if (unmerged) continue;
    const staged =
      before === null ? "A" : after === null ? "D" : isSameType(before.mode, after.mode) ? "M" : ("T" as StatusCode);
    entries.set(path, { path, staged, unstaged: " ", head: before, index: after, workMode: after?.mode ?? 0 });
  }
}

const CODES = { modified: "M", deleted: "D", type: "T", added: "A" } as const;

function addUnstaged(
  { config }: Repository,
  { table }: ColumnarIndex,
  { changes, unmerged }: WorkTreeComparison,
  entries: Map<string, StatusDraft>,
): void {
  for (const { path, at, kind, mode, oid, stat } of changes) {
    const staged = entries.get(path);
    const side = { mode: table.fields[FIELDS * at + MODE] as number, oid: oidAt(table, at) };
    const isIntended = kind === "added";
    const entry: StatusDraft = staged ?? {
      path,
      staged: " ",
      unstaged: " ",
      head: isIntended ? null : side,
      index: isIntended ? null : side,
      workMode: mode,
    };
    entry.unstaged = CODES[kind];
    entry.workMode = mode;
    if (stat !== null) entry.stat = stat;
    if (side.mode === MODE_GITLINK && oid !== null) entry.newCommits = true;
    entries.set(path, entry);
  }
  if (unmerged.size === 0) return;
  const trust = modeTrust(config);
  for (let at = 0; at < table.count; at++) {
    const stage = stageAt(table, at);
    const path = table.paths[at] as string;
    if (stage === 0 || !unmerged.has(path)) continue;
    const stat = unmerged.get(path) ?? null;
    const stages = [...(entries.get(path)?.stages ?? [null, null, null])];
    stages[stage - 1] = { mode: table.fields[FIELDS * at + MODE] as number, oid: oidAt(table, at) };
    const workMode = stat === null ? 0 : stagedMode(stat, trust);
    entries.set(path, { path, staged: "U", unstaged: "U", head: null, index: null, workMode, stages });
  }
  for (const path of unmerged.keys()) {
    const entry = entries.get(path);
    if (entry?.stages) [entry.staged, entry.unstaged] = CONFLICTS[stageMask(entry.stages)] as [StatusCode, StatusCode];
  }
}

/** By the existing stages: bit 0 the base, bit 1 ours, bit 2 theirs. */
const CONFLICTS: readonly (readonly [StatusCode, StatusCode])[] = [
  ["U", "U"],
  ["D", "D"],
  ["A", "U"],
  ["U", "D"],
  ["U", "A"],
  ["D", "U"],
  ["A", "A"],
  ["U", "U"],
];

export function stageMask(stages: readonly (FileVersion | null)[]): number {
  return stages.reduce((mask, side, i) => mask | (side === null ? 0 : 1 << i), 0);
}

/** Among staged changes, and among unstaged ones (an intent-to-add file may be a rename of a deleted one). */
async function addRenames(
  repo: Repository,
  entries: Map<string, StatusDraft>,
  settings: RenameSettings,
): Promise<void> {
  const staged: FilePair[] = [];
  const unstaged: FilePair[] = [];
  for (const entry of entries.values()) {
    if (entry.stages !== undefined) continue;
    if (entry.staged !== " ") staged.push(createPair(side(entry.path, entry.head), side(entry.path, entry.index)));
    if (entry.unstaged === " ") continue;
    const after =
      entry.workMode === 0
        ? missingFile(entry.path)
        : { path: entry.path, mode: entry.workMode, oid: null, stat: entry.stat };
    unstaged.push(createPair(entry.unstaged === "A" ? missingFile(entry.path) : side(entry.path, entry.index), after));
  }
  for (const pair of await renamesAmong(repo, staged, settings)) {
    const target = entries.get(pair.new.path) as StatusDraft;
    const head = { mode: pair.old.mode, oid: pair.old.oid as Oid };
    entries.set(target.path, {
      ...target,
      staged: pair.status as StatusCode,
      from: pair.old.path,
      score: percent(pair.score),
      head,
    });
    const source = entries.get(pair.old.path);
    if (pair.status === "R" && source?.staged === "D") entries.delete(pair.old.path);
  }
  for (const pair of await renamesAmong(repo, unstaged, settings)) {
    const target = entries.get(pair.new.path) as StatusDraft;
    const before = { mode: pair.old.mode, oid: pair.old.oid as Oid };
    const renamed = {
      from: pair.old.path,
      score: percent(pair.score),
      renamedInWork: true,
      head: before,
      index: before,
    };
    entries.set(target.path, { ...target, ...renamed, unstaged: pair.status as StatusCode });
    const source = entries.get(pair.old.path);
    if (pair.status === "R" && source?.staged === " ") entries.delete(pair.old.path);
    else if (pair.status === "R" && source) entries.set(source.path, { ...source, unstaged: " " });
  }
}

function side(path: string, from: FileVersion | null): FileSpec {
  return from === null ? missingFile(path) : { path, ...from };
}

async function renamesAmong(
  repo: Repository,
  pairs: FilePair[],
  { renames, score, limit }: RenameSettings,
): Promise<FilePair[]> {
  const created = pairs.some(({ old }) => old.mode === 0);
  const sources = pairs.some(({ new: after }) => renames === "copies" || after.mode === 0);
  if (!created || !sources) return [];
  const options = { ...diffDefaults(repo.config), renames, renameScore: score, renameLimit: limit };
  const { pairs: found } = await runDiffcore(repo, pairs, options);
  return found.filter(({ status }) => status === "R" || status === "C");
}

export const NO_SIDE: FileVersion = { mode: 0, oid: ZERO_OID };
