/**
 * Takes index and work tree from one tree to another. All that could be lost is found out before anything is changed; then files,
 * then the index under its lock. Trees that come out equal to the new one are known to the index afterwards, so that the next status
 * and commit need not read them.
 */

import { IndexEditor } from "../index/index-editor.ts";
import type { IndexFile } from "../index/index-file.ts";
import { readIndex } from "../index/read-index.ts";
import { clearResolveUndo } from "../index/resolve-undo.ts";
import { lockIndex, markRacilyClean, writeIndex } from "../index/write-index.ts";
import { writeTree } from "../index/write-tree.ts";
import type { LockFile } from "../lock-file.ts";
import type { Oid } from "../oid.ts";
import { planTwoWay, type TwoWayOptions } from "./two-way.ts";
import type { RefusedVerb } from "./unpack-errors.ts";
import { isAttributes, type PathUpdate, type UpdateOptions, updateWorkTree } from "./update-work-tree.ts";
import type { WorkRepository } from "./work-tree-stats.ts";

export interface SwitchOptions extends TwoWayOptions, UpdateOptions {
  /** In whose words a refusal is told; default "checkout". */
  verb?: RefusedVerb | "plumbing";
  /** What the command calls itself there. */
  name?: string;
}

export interface SwitchResult {
  readonly index: IndexFile;
  readonly updates: readonly PathUpdate[];
}

/** `from` null: nothing was committed yet. Refused with everything as it was. */
export async function switchTree(
  repo: WorkRepository,
  from: Oid | null,
  to: Oid,
  options: SwitchOptions = {},
): Promise<SwitchResult> {
  const lock = await lockIndex(repo);
  try {
    const index = await readIndex(repo);
    const { updates, refusals, reached } = await planTwoWay(repo, index, new IndexEditor(index), from, to, options);
    const { verb = "checkout", name } = options;
    if (refusals.any) throw verb === "plumbing" ? refusals.plainError() : refusals.error(verb, name);
    // Files that were checked out by the old attributes are not modified because there are new ones.
    const changesAttributes = updates.some(({ path }) => isAttributes(path));
    const editor = new IndexEditor(changesAttributes ? await markRacilyClean(repo, index) : index);
    await updateWorkTree(repo, editor, updates, { ...options, keepsMarks: true });
    // What was staged as the old tree has it is now as the new one has it.
    const known = from !== null && standsFor(index, from) ? reached.known : undefined;
    return { index: await writeIndexWithCacheTree(repo, clearResolveUndo(editor.finish()), lock, known), updates };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** All of it, and nothing else. */
function standsFor({ tree, entries }: IndexFile, oid: Oid): boolean {
  return tree !== null && tree.oid === oid && tree.entries === entries.length;
}

/** Writes the index with the trees it stands for, when all of them are stored already. `trees`: those that are known, by directory. */
export async function writeIndexWithCacheTree(
  repo: WorkRepository,
  index: IndexFile,
  lock: LockFile,
  trees?: ReadonlyMap<string, Oid>,
): Promise<IndexFile> {
  const known = await withKnownTrees(repo, index, trees);
  await writeIndex(repo, known, lock);
  return known;
}

async function withKnownTrees(
  repo: WorkRepository,
  index: IndexFile,
  known: ReadonlyMap<string, Oid> = new Map(),
): Promise<IndexFile> {
  // Of the empty tree one cannot tell whether it is stored, and whoever finds it here would not store it.
  if (index.entries.length === 0) return { ...index, tree: null };
  if (index.entries.some(({ stage, intentToAdd }) => stage !== 0 || intentToAdd)) return index;
  const { oid, tree } = await writeTree(repo.odb, index, { missingOk: true, dryRun: true, known });
  return (await repo.odb.has(oid)) ? { ...index, tree } : index;
}
