/**
 * Read-ahead for a walk: finds the next directories that are not in memory, nearest first, so that one statement reads many. It
 * scans the rest of each open level, and below that the directories in memory. A wrong guess costs only time.
 */
import type { Listing } from "../cache/cached-directory.ts";
import type { EntryDetail, MetadataView } from "../cache/metadata-cache.ts";
import type { DirectoryFrame } from "./directory-frame.ts";

export interface AheadOptions {
  readonly what: EntryDetail;
  readonly maxDepth: number;
  /** A directory that the walk would not enter is not read ahead. `relative`: to the start of the walk. */
  readonly mayEnter: ((relative: string, depth: number) => boolean) | undefined;
}

/** Directories checked at once: enough to fill a statement, cheap compared to one. */
const MAX_LOOKED_AT = 4096;
/** Levels checked, from the current one up: a walk ten thousand levels deep should not check all of them at each step. */
const MAX_LEVELS = 64;

/** A directory in memory, and the index of its first entry to check. */
interface WalkPosition {
  readonly listing: Listing;
  readonly prefix: string;
  readonly from: number;
}

/** At most `count`. `levels`: from the start of the walk to the current one. */
export function directoriesAhead(
  cache: MetadataView,
  levels: readonly DirectoryFrame<unknown>[],
  count: number,
  { what, maxDepth, mayEnter }: AheadOptions,
): number[] {
  const missing: number[] = [];
  let left = MAX_LOOKED_AT;
  const outermost = Math.max(0, levels.length - MAX_LEVELS);
  for (let depth = levels.length; depth > outermost && left > 0; depth--) {
    let places = [placeIn(levels[depth - 1] as DirectoryFrame<unknown>)];
    for (let below = depth; places.length > 0 && below < maxDepth; below++) {
      const next: WalkPosition[] = [];
      for (const { listing, prefix, from } of places) {
        const { names, inos, directories } = listing;
        for (const i of directories) {
          if (i < from) continue;
          if (left-- === 0) return missing;
          if (mayEnter?.(prefix + names[i], below) === false) continue;
          const ino = inos[i] as number;
          if (cache.isMissing(ino, what)) {
            if (missing.push(ino) === count) return missing;
            continue;
          }
          const held = cache.listing(ino);
          if (held !== undefined) next.push({ listing: held, prefix: `${prefix}${names[i]}/`, from: 0 });
        }
      }
      places = next;
    }
  }
  return missing;
}

function placeIn(level: DirectoryFrame<unknown>): WalkPosition {
  const { listing, prefix } = level;
  const next = level.next();
  return { listing, prefix, from: next < 0 ? listing.names.length : next };
}
