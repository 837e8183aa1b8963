/**
 * `grepText`: the lines of a text that match, where the text is not a file, by the engine of `grep` with its budget. The tools search
 * the contents of proposals with it.
 */
import type { GrepHit } from "@workspace/protocol";
import { FsError } from "../api/errors.ts";
import { searchLimits } from "../api/limits.ts";
import { parseGrepOptions } from "../search/query.ts";
import { searchText } from "../search/search-text.ts";
import { HitCollector } from "../search/sinks/hit-collector.ts";

export interface GrepTextOptions {
  regex?: boolean;
  ignoreCase?: boolean;
  context?: number;
  maxHits?: number;
  maxBytesPerLine?: number;
}

export async function grepText(
  pattern: string,
  path: string,
  bytes: Uint8Array,
  options: GrepTextOptions = {},
): Promise<GrepHit[]> {
  const query = parseGrepOptions(pattern, path, options, searchLimits);
  const hits: GrepHit[] = [];
  const collector = new HitCollector(query, (hit) => hits.push(hit) < query.maxHits);
  const { truncatedBy } = await searchText(query, path, bytes, collector);
  collector.finish();
  if (truncatedBy === "steps")
    throw new FsError("EFBIG", {
      syscall: "grep",
      path,
      reason: "the search takes too many steps; use a simpler pattern",
    });
  return hits;
}
