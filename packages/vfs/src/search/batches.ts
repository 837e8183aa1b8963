/** Files in batches that can be read with one statement and held together. What is too large to search is counted and left out. */
import type { GrepStats } from "@workspace/protocol";
import { searchLimits } from "../limits.ts";
import type { SearchFile } from "./files.ts";

/**
 * Batches grow from this: a search that ends at its first hits should not read megabytes. Those that are still growing make one
 * full batch together, after which others get in.
 */
const FIRST_BYTES = 256 * 1024;

export function* batchesOf(
  files: Iterable<SearchFile>,
  maxFileBytes: number,
  stats: GrepStats,
): Generator<readonly SearchFile[]> {
  let limit = FIRST_BYTES;
  let batch: SearchFile[] = [];
  let bytes = 0;
  let given = 0;
  for (const file of files) {
    const { size } = file.inode;
    if (size > maxFileBytes) {
      stats.skippedTooLarge++;
      continue;
    }
    if (batch.length > 0 && (bytes + size > limit || batch.length >= searchLimits.batchFiles)) {
      yield batch;
      batch = [];
      given += bytes;
      bytes = 0;
      const { batchBytes } = searchLimits;
      limit = given < batchBytes ? Math.min(limit * 4, batchBytes - given) : batchBytes;
    }
    batch.push(file);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
