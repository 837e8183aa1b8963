/**
 * Caches the files of the last searches while nothing has changed: agents search the same tree again and again, and a walk over 20
 * 000 entries costs more than the search itself when an index answers it.
 */
import type { GrepQuery } from "@workspace/protocol";
import type { ReadView } from "../volume/views.ts";
import { type SearchFile, type WalkCounts, walkFileBlocks } from "./files.ts";

const MAX_FILES = 100_000;
const MAX_LISTS = 4;

interface CachedFileList {
  readonly files: readonly SearchFile[];
  readonly ignored: number;
}

/** The lists of each view, which may show other files. */
export class FileLists {
  readonly #byView = new WeakMap<ReadView, Map<string, CachedFileList>>();

  of(view: ReadView): Map<string, CachedFileList> {
    const lists = this.#byView.get(view) ?? new Map<string, CachedFileList>();
    this.#byView.set(view, lists);
    return lists;
  }
}

/** Yields them in blocks; a cached list as one block. */
export function* listFiles(volume: ReadView, query: GrepQuery, counts: WalkCounts): Generator<readonly SearchFile[]> {
  const state = volume.revisions.stamp;
  const key = listKey(state, query);
  const lists = volume.store.services.search.fileLists.of(volume);
  const known = lists.get(key);
  if (known !== undefined) {
    counts.ignored += known.ignored;
    yield known.files;
    return;
  }
  const files: SearchFile[] = [];
  const before = counts.ignored;
  for (const block of walkFileBlocks(volume, query, counts)) {
    if (files.length <= MAX_FILES) for (const file of block) files.push(file);
    yield block;
  }
  if (files.length > MAX_FILES || volume.revisions.stamp !== state) return;
  for (const old of lists.keys()) if (!old.startsWith(`${state} `) || lists.size >= MAX_LISTS) lists.delete(old);
  lists.set(key, { files, ignored: counts.ignored - before });
}

function listKey(state: string, { paths, cwd, globs, types, hidden, ignore, maxDepth }: GrepQuery): string {
  return `${state} ${JSON.stringify([paths, cwd, globs, types, hidden, ignore, maxDepth])}`;
}
