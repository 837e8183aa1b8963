/**
 * git's two-tree merge: switches from one tree to another and carries index and work tree along. Staged or edited paths that are
 * the same in both trees stay; a path that differs between them must be unchanged here, or the switch is refused.
 */
import type { FileSpec } from "../diff/file-pair.ts";
import { walkTrees } from "../diff/walk-trees.ts";
import { compareEntryStat, modeTrust } from "../index/compare-stat.ts";
import { hashWorkFiles } from "../index/hash-work-file.ts";
import { type IndexEditor, stagesIn } from "../index/index-editor.ts";
import type { IndexEntry } from "../index/index-entry.ts";
import type { IndexFile } from "../index/index-file.ts";
import { openStagedConversion } from "../index/staged-conversion.ts";
import { MODE_GITLINK } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { BlobPrefetch } from "./blob-prefetch.ts";
import { collectOverwritten, collectRemoved } from "./collect-overwritten.ts";
import { UnpackErrors } from "./unpack-errors.ts";
import type { PathState, PathUpdate } from "./update-work-tree.ts";
import { VisitedTrees } from "./visited-trees.ts";
import { type WorkRepository, WorkTreeStats } from "./work-tree-stats.ts";

export interface TwoWayOptions {
  /** Ignored files may be overwritten; default true, as in `checkout`. */
  overwriteIgnored?: boolean;
}

interface TwoWayPlan {
  readonly updates: PathUpdate[];
  readonly refusals: UnpackErrors;
  /** Trees of `to` that were read. */
  readonly reached: VisitedTrees;
}

/** `from` null: no commit yet. Nothing is changed here. */
export async function planTwoWay(
  repo: WorkRepository,
  index: IndexFile,
  editor: IndexEditor,
  from: Oid | null,
  to: Oid,
  { overwriteIgnored = true }: TwoWayOptions = {},
): Promise<TwoWayPlan> {
  const refusals = new UnpackErrors();
  const updates: PathUpdate[] = [];
  /** Staged as in the old tree, so the file must be unchanged too. */
  const checked: IndexEntry[] = [];
  /** Not staged, and not in the new tree either. */
  const left: string[] = [];
  const survey = new WorkTreeStats(repo);
  const ahead = new BlobPrefetch(repo.odb);
  const taken = ({ path, mode, oid }: FileSpec) => {
    const staged = editor.get(path);
    const isThere = staged?.oid === oid && staged.mode === mode;
    if (oid !== null && mode !== MODE_GITLINK && !isThere) ahead.offer(path, oid);
  };
  const reached = new VisitedTrees();
  for (const { old, fresh, path } of await differences(repo, from, to, { taken, reached })) {
    const staged = editor.at(path);
    const current = staged[0];
    if (staged.some(({ stage }) => stage !== 0)) refusals.changed.add(path);
    else if (current !== undefined) {
      if (isSame(current, fresh)) continue;
      if (!isSame(current, old)) {
        refusals.changed.add(path);
        refusals.staged.add(path);
      } else {
        checked.push(current);
        updates.push({ path, to: fresh });
      }
    } else if (fresh !== null) {
      // The removal of a path that differs between the trees is staged.
      if (old !== null) refusals.changed.add(path);
      else updates.push({ path, to: fresh });
    } else left.push(path);
  }
  const going = new Set(updates.flatMap(({ path, to }) => (to === null ? [path] : [])));
  for (const path of await changedFiles(repo, index, survey, checked)) refusals.changed.add(path);
  const coverage = { editor, survey, going, overwriteIgnored };
  for (const { path, to } of updates)
    if (to !== null && editor.get(path) === undefined) await collectOverwritten(repo, coverage, path, refusals);
  for (const path of left) await collectRemoved(repo, coverage, path, refusals);
  refusals.addStanding(repo, updates);
  return { updates, refusals, reached };
}

interface TwoWayDifference {
  readonly path: string;
  readonly old: PathState | null;
  readonly fresh: PathState | null;
}

async function differences(
  repo: WorkRepository,
  from: Oid | null,
  to: Oid,
  { taken, reached }: { taken: (fresh: FileSpec) => void; reached: VisitedTrees },
): Promise<TwoWayDifference[]> {
  const pairs = await walkTrees(repo, from, to, {
    onPair: (pair) => taken(pair.new),
    onTree: (directory, oid, entries) => reached.add(directory, oid, entries),
  });
  const side = ({ mode, oid }: { mode: number; oid: Oid | null }) =>
    mode === 0 || oid === null ? null : { mode, oid };
  return pairs.map((pair) => ({ path: pair.new.path, old: side(pair.old), fresh: side(pair.new) }));
}

function isSame(entry: IndexEntry, state: PathState | null): boolean {
  return state !== null && !entry.intentToAdd && entry.oid === state.oid && entry.mode === state.mode;
}

/** Returns the entries whose files differ from the index, among those that must be equal. A missing file is no loss. */
export async function changedFiles(
  repo: WorkRepository,
  index: IndexFile,
  survey: WorkTreeStats,
  entries: readonly IndexEntry[],
): Promise<string[]> {
  const trust = modeTrust(repo.config);
  const changed: string[] = [];
  const doubtful: { entry: IndexEntry; stat: NonNullable<Awaited<ReturnType<WorkTreeStats["statOf"]>>> }[] = [];
  for (const entry of entries) {
    // Files that are normally not checked are checked before they are overwritten.
    if (entry.mode === MODE_GITLINK) continue;
    const stat = await survey.statOf(entry.path);
    if (stat === null) continue;
    if (stat.type === "dir") changed.push(entry.path);
    else {
      const verdict = compareEntryStat(entry, stat, trust);
      if (verdict === "modified") changed.push(entry.path);
      else if (verdict === "unknown" || index.racy?.has(entry.stat)) doubtful.push({ entry, stat });
    }
  }
  if (doubtful.length === 0) return changed;
  const conversion = await openStagedConversion(repo, (path) => stagesIn(index.entries, path));
  const files = doubtful.map(({ entry, stat }) => ({ path: entry.path, stat }));
  const oids = await hashWorkFiles(repo, files, { conversion });
  for (const [i, { entry }] of doubtful.entries())
    if (oids[i] !== entry.oid && oids[i] !== null) changed.push(entry.path);
  return changed;
}
