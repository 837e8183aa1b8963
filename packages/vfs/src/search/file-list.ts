/**
 * Caches the files of the last searches while nothing has changed: agents search the same tree again and again, and a walk over 20
 * 000 entries costs more than the search itself when an index answers it.
 */
import type { GrepQuery } from "@workspace/protocol";
import type { Volume } from "../volume/volume.ts";
import { type SearchFile, type WalkCounts, walkFileBlocks } from "./files.ts";

const MAX_FILES = 100_000;
const MAX_LISTS = 4;

interface CachedFileList {
  readonly files: readonly SearchFile[];
  readonly ignored: number;
}

const cachedLists = new WeakMap<Volume, Map<string, CachedFileList>>();

/** Yields them in blocks; a cached list as one block. */
export function* listFiles(volume: Volume, query: GrepQuery, counts: WalkCounts): Generator<readonly SearchFile[]> {
  const state = treeStamp(volume);
  const key = listKey(state, query);
  const lists = cachedLists.get(volume) ?? new Map<string, CachedFileList>();
  cachedLists.set(volume, lists);
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
  if (files.length > MAX_FILES || treeStamp(volume) !== state) return;
  for (const old of lists.keys()) if (!old.startsWith(`${state} `) || lists.size >= MAX_LISTS) lists.delete(old);
  lists.set(key, { files, ignored: counts.ignored - before });
}

/** Changes with every change of the tree; a rolled-back revision recurs only under another epoch. */
export function treeStamp(volume: Volume): string {
  return `${volume.epochToken}.${volume.headRev}`;
}

function listKey(state: string, { paths, cwd, globs, types, hidden, ignore, maxDepth }: GrepQuery): string {
  return `${state} ${JSON.stringify([paths, cwd, globs, types, hidden, ignore, maxDepth])}`;
}
