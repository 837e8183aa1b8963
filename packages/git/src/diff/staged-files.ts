/**
 * What is staged for a path, for attributes and line endings: the index is read once, when something is first asked, and not at all
 * when whoever made the diff has it already. Good for one command; nobody writes the index meanwhile.
 */
import { compareText } from "../bytes.ts";
import type { Oid } from "../oid.ts";
import type { Repository } from "../repository.ts";
import { oidAt, stageAt } from "../staging/index-table.ts";
import { type IndexColumns, readIndexColumns } from "../staging/read-index.ts";

const known = new WeakMap<Repository, Promise<IndexColumns>>();

/** Saves reading it again. */
export function keepIndex(repo: Repository, index: IndexColumns): void {
  known.set(repo, Promise.resolve(index));
}

export async function stagedContent(repo: Repository, path: string): Promise<Uint8Array | null> {
  const index = known.get(repo) ?? readIndexColumns(repo);
  known.set(repo, index);
  const oid = findStaged(await index, path);
  return oid === null ? null : ((await repo.odb.read(oid))?.body ?? null);
}

function findStaged({ table }: IndexColumns, path: string): Oid | null {
  let low = 0;
  let high = table.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareText(table.paths[middle] as string, path) < 0) low = middle + 1;
    else high = middle;
  }
  return table.paths[low] === path && stageAt(table, low) === 0 ? oidAt(table, low) : null;
}
