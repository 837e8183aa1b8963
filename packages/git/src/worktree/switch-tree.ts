/**
 * Switches index and work tree from one tree to another. Everything that would be lost is detected before any change; then files
 * are updated, then the index under its lock. Trees that equal the new ones are recorded in the index, so that the next status and
 * commit need not read them.
 */

import { IndexEditor } from "../index/index-editor.ts";
import type { IndexFile } from "../index/index-file.ts";
import { readIndex } from "../index/read-index.ts";
import { clearResolveUndo } from "../index/resolve-undo.ts";
import { lockIndex, markRacilyClean, writeIndex } from "../index/write-index.ts";
import { writeTree } from "../index/write-tree.ts";
import type { LockFile } from "../lock-file.ts";
import type { Oid } from "../object/oid.ts";
import { planTwoWay, type TwoWayOptions } from "./two-way.ts";
import type { RefusedVerb } from "./unpack-errors.ts";
import { isAttributes, type PathUpdate, type UpdateOptions, updateWorkTree } from "./update-work-tree.ts";
import type { WorkRepository } from "./work-tree-stats.ts";

export interface SwitchOptions extends TwoWayOptions, UpdateOptions {
  /** The command whose messages a refusal uses; default "checkout". */
  verb?: RefusedVerb | "plumbing";
  /** The command's name in those messages. */
  name?: string;
}

export interface SwitchResult {
  readonly index: IndexFile;
  readonly updates: readonly PathUpdate[];
}

/** `from` null: nothing was committed yet. A refusal leaves everything unchanged. */
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
    // Files that were checked out under the old attributes do not count as modified under new ones.
    const changesAttributes = updates.some(({ path }) => isAttributes(path));
    const editor = new IndexEditor(changesAttributes ? await markRacilyClean(repo, index) : index);
    await updateWorkTree(repo, editor, updates, { ...options, keepsMarks: true });
    // Entries staged as in the old tree are now as in the new one.
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

/** Writes the index with its cached trees, if all of them are stored already. `trees`: known ones, by directory. */
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
  // The empty tree may not be stored, and a reader that finds it here would not store it.
  if (index.entries.length === 0) return { ...index, tree: null };
  if (index.entries.some(({ stage, intentToAdd }) => stage !== 0 || intentToAdd)) return index;
  const { oid, tree } = await writeTree(repo.odb, index, { missingOk: true, dryRun: true, known });
  return (await repo.odb.has(oid)) ? { ...index, tree } : index;
}
