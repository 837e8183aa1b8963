/**
 * `-B`: splits a rewritten file into a deletion and a creation, so that rename detection can match each half with another file.
 * Halves without a match are joined again.
 */
import { isFileMode, isGitlinkMode } from "../object/file-mode.ts";
import { createPair, exists, type FilePair, MAX_SCORE, missingFile } from "./file-pair.ts";
import type { SimilarityIndex } from "./similarity-index.ts";

const DEFAULT_BREAK = 30_000;
const DEFAULT_MERGE = 36_000;
/** Smaller files are never split. */
const MIN_SIZE = 400;

export async function breakPairs(
  pairs: readonly FilePair[],
  index: SimilarityIndex,
  { breakScore, mergeScore }: { breakScore: number; mergeScore: number },
): Promise<FilePair[]> {
  const result: FilePair[] = [];
  for (const pair of pairs) {
    const { old, new: fresh } = pair;
    const inPosition = exists(old) && exists(fresh) && !isGitlinkMode(old.mode) && !isGitlinkMode(fresh.mode);
    const removed =
      inPosition && old.path === fresh.path ? await rewriteScore(pair, index, breakScore || DEFAULT_BREAK) : null;
    if (removed === null) {
      result.push(pair);
      continue;
    }
    const score = removed < (mergeScore || DEFAULT_MERGE) ? 0 : removed;
    result.push({ ...createPair(old, missingFile(old.path), score), broken: true });
    result.push({ ...createPair(missingFile(fresh.path), fresh, score), broken: true });
  }
  return result;
}

/** How much of the old file was removed, if the pair changed enough to be split. */
async function rewriteScore(pair: FilePair, index: SimilarityIndex, breakScore: number): Promise<number | null> {
  const { old, new: fresh } = pair;
  if (isFileMode(old.mode) !== isFileMode(fresh.mode)) return MAX_SCORE;
  if (old.oid !== null && old.oid === fresh.oid) return null;
  const [before, after] = [await index.size(old), await index.size(fresh)];
  const larger = Math.max(before, after);
  if (larger < MIN_SIZE || before === 0) return null;
  const changes = await index.changes(old, fresh);
  if (changes === null) return null;
  const copied = Math.min(changes.copied, before);
  const added = after < changes.added + copied ? Math.max(after - copied, 0) : changes.added;
  const removed = before - copied;
  const score = Math.floor((removed * MAX_SCORE) / before);
  if (score > breakScore) return score;
  if (Math.floor(((removed + added) * MAX_SCORE) / larger) < breakScore) return null;
  // Much was removed and hardly anything added: not a rewrite.
  if (before * breakScore < removed * MAX_SCORE && added * 20 < removed && added * 20 < copied) return null;
  return score;
}

/** `used` counts how often a side is a source; the old side of a joined pair stays, so it counts once more. */
export function joinBroken(pairs: readonly FilePair[], used: Map<FilePair["old"], number>): FilePair[] {
  const result: FilePair[] = [];
  const taken = new Set<FilePair>();
  for (const [i, pair] of pairs.entries()) {
    if (taken.has(pair)) continue;
    const isHalf = pair.broken && pair.old.path === pair.new.path;
    const other = isHalf
      ? pairs
          .slice(i + 1)
          .find((peer) => peer.broken && peer.old.path === peer.new.path && peer.new.path === pair.old.path)
      : undefined;
    if (other === undefined) {
      result.push(pair);
      continue;
    }
    taken.add(other);
    const [deleted, created] = exists(pair.old) ? [pair, other] : [other, pair];
    used.set(deleted.old, (used.get(deleted.old) ?? 0) + 1);
    result.push(createPair(deleted.old, created.new, pair.score));
  }
  return result;
}
