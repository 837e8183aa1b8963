/**
 * Walks three trees in parallel. Identical directories are taken unread; where one side equals the base, the other's file is taken;
 * every other path is recorded with its three versions, for a later decision.
 */
import { GitError } from "../errors.ts";
import { readTreeEntries } from "../index/read-tree.ts";
import { indexMode, isTreeMode, MODE_TREE } from "../object/file-mode.ts";
import type { Oid } from "../object/oid.ts";
import { TreeCount } from "../object/tree-count.ts";
import { compareText } from "../text/bytes.ts";
import type { MergeContext } from "./merge-context.ts";
import {
  createEntry,
  type FileVersion,
  hasAnyFile,
  hasDirectory,
  type MergeEntry,
  matchMaskOf,
  NOTHING,
  sameVersion,
  type Triple,
} from "./merge-entry.ts";

/** Fills `context.paths`, a directory before its contents. */
export async function collectMergeInfo(context: MergeContext, trees: Triple<Oid>): Promise<void> {
  const [base, ours, theirs] = trees;
  const count = new TreeCount(context.repo);
  if (base !== ours || base !== theirs) return surveyDirectory(context, "", trees, 0, count);
  for (const [name, [version]] of await readSideBySide(context, [base, null, null], count))
    settle(context, name, version);
}

async function surveyDirectory(
  context: MergeContext,
  directory: string,
  trees: Triple<Oid | null>,
  depth: number,
  count: TreeCount,
): Promise<void> {
  const { treeDepth } = context.repo.limits;
  if (depth > treeDepth) throw new GitError("ETOOBIG", `tree is deeper than ${treeDepth}: '${directory}'`);
  for (const [name, three] of await readSideBySide(context, trees, count)) {
    const path = directory === "" ? name : `${directory}/${name}`;
    const agreed = agreedVersion(three);
    if (agreed !== null) {
      settle(context, path, agreed);
      continue;
    }
    const entry = openEntry(path, three);
    context.paths.set(path, entry);
    if (!hasDirectory(entry)) continue;
    const below = three.map(({ mode, oid }) => (mode === MODE_TREE ? oid : null)) as Triple<Oid | null>;
    await surveyDirectory(context, path, below, depth + 1, count);
  }
}

/** By name, in the order of names. */
async function readSideBySide(
  { repo }: MergeContext,
  trees: Triple<Oid | null>,
  count: TreeCount,
): Promise<[name: string, three: Triple<FileVersion>][]> {
  const rows = new Map<string, Triple<FileVersion>>();
  for (const [who, tree] of trees.entries()) {
    for (const { name, mode, oid } of tree === null ? [] : await readTreeEntries(repo.odb, tree, count)) {
      const three = rows.get(name) ?? [NOTHING, NOTHING, NOTHING];
      three[who] = { mode: isTreeMode(mode) ? MODE_TREE : indexMode(mode), oid };
      rows.set(name, three);
    }
  }
  return [...rows].sort(([a], [b]) => compareText(a, b));
}

/** Trivial cases: unchanged everywhere, changed on only one side, or identically on both. */
function agreedVersion([base, ours, theirs]: Triple<FileVersion>): FileVersion | null {
  if (base.mode !== 0 && sameVersion(base, ours) && sameVersion(base, theirs)) return base;
  if ([base, ours, theirs].some(({ mode }) => mode === 0 || mode === MODE_TREE)) return null;
  if (sameVersion(ours, theirs) || sameVersion(base, theirs)) return ours;
  return sameVersion(base, ours) ? theirs : null;
}

function openEntry(path: string, three: Triple<FileVersion>): MergeEntry {
  const versions = three.map((version) => (version.mode === MODE_TREE ? NOTHING : version)) as Triple<FileVersion>;
  const directories = three.map(({ mode }) => mode === MODE_TREE) as Triple<boolean>;
  const entry = createEntry(path, { versions, directories, matchMask: matchMaskOf(versions) });
  entry.dfConflict = hasAnyFile(entry) && hasDirectory(entry);
  return entry;
}

function settle({ paths }: MergeContext, path: string, version: FileVersion): void {
  paths.set(path, createEntry(path, { clean: true, result: version }));
}
