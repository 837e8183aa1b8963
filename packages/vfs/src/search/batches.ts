/**
 * Groups files into batches that one statement can read and that fit in memory together. Files too large to search are counted and
 * left out.
 */
import type { GrepStats } from "@workspace/protocol";
import { searchLimits } from "../api/limits.ts";
import type { SearchFile } from "./files.ts";

/**
 * Initial batch size: a search that ends at its first hits should not read megabytes. The growing batches add up to one full batch,
 * after which other requests can run.
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
