/**
 * What is staged for a path, for attributes and line endings: the index is read once, when something is first asked, and not at all
 * when whoever made the diff has it already. Good for one command; nobody writes the index meanwhile.
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

/** Attributes in the index count for commands that use the index, and `log` or `show` do not. */
export async function useIndex(repo: Repository): Promise<void> {
  keepIndex(repo, await readColumnarIndex(repo));
}

/** As `stagedContent`, of an index that the command has read already; null when it has read none. */
export async function knownStagedContent(repo: Repository, path: string): Promise<Uint8Array | null> {
  return known.has(repo) ? stagedContent(repo, path) : null;
}

export async function stagedContent(repo: Repository, path: string): Promise<Uint8Array | null> {
  const index = known.get(repo) ?? readColumnarIndex(repo);
  known.set(repo, index);
  const entry = ownStage(stagesAt((await index).table, path));
  return entry === undefined ? null : ((await repo.odb.read(entry.oid))?.body ?? null);
}
