/** Creates the initial statistics of a search: all zero. */
import type { GrepStats } from "@workspace/protocol";

export function emptyStats(): GrepStats {
  return {
    filesSearched: 0,
    filesWithHits: 0,
    lines: 0,
    bytesSearched: 0,
    filesSkippedByIndex: 0,
    skippedBinary: 0,
    skippedTooLarge: 0,
    filesIgnored: 0,
    filesLimited: 0,
    steps: 0,
  };
}
