/**
 * Staged contents by path, for attributes and line endings: the index is read once, on first use, and not at all if the caller
 * already has it. Valid for one command, during which the index does not change.
 */

import { stagesAt } from "../index/index-table.ts";
import { type ColumnarIndex, readColumnarIndex } from "../index/read-index.ts";
import { ownStage } from "../index/staged-conversion.ts";
import type { Repository } from "../repository.ts";

const known = new WeakMap<Repository, Promise<ColumnarIndex>>();

/** Saves reading it again. */
export function keepIndex(repo: Repository, index: ColumnarIndex): void {
  known.set(repo, Promise.resolve(index));
}

/** Attributes in the index apply to commands that use the index, not to `log` or `show`. */
export async function useIndex(repo: Repository): Promise<void> {
  keepIndex(repo, await readColumnarIndex(repo));
}

/** Like `stagedContent`, for an index that the command has already read; null if it has read none. */
export async function knownStagedContent(repo: Repository, path: string): Promise<Uint8Array | null> {
  return known.has(repo) ? stagedContent(repo, path) : null;
}

export async function stagedContent(repo: Repository, path: string): Promise<Uint8Array | null> {
  const index = known.get(repo) ?? readColumnarIndex(repo);
  known.set(repo, index);
  const entry = ownStage(stagesAt((await index).table, path));
  return entry === undefined ? null : ((await repo.odb.read(entry.oid))?.body ?? null);
}
