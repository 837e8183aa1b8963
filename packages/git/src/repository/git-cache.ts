/**
 * Cache that commands on the same files share, so that a short command need not open the repository from scratch. Every hit is
 * validated against the file system, and the size is bounded per isolate, whatever the number of repositories.
 */
import type { FileSystem } from "@workspace/vfs";
import type { ColumnarIndex } from "../index/read-index.ts";
import type { GitLimits } from "../limits.ts";
import { ParsedFileCache } from "../memory/parsed-file-cache.ts";
import { SmallFileCache } from "../memory/small-file-cache.ts";
import { PackCache } from "../odb/pack-cache.ts";

/** Holder of the cache, shared by all engines on the same files: empty until first use. */
export interface GitCache {
  state?: CachedState;
}

interface CachedState {
  readonly files: SmallFileCache;
  /** By objects directory. */
  readonly packs: Map<string, PackCache>;
  readonly index: ParsedFileCache<ColumnarIndex>;
}

export interface CommandCache {
  readonly fs: FileSystem;
  /** The index that was read last. */
  readonly index: ParsedFileCache<ColumnarIndex>;
  /** Database of an objects directory; null: another command is using it. */
  packs(directory: string, limits: GitLimits): PackCache | null;
  end(): void;
}

/** Packs of all repositories in the isolate together; least recently used first out. */
const MAX_BYTES = 12 * 1024 * 1024;
const idle = new Map<PackCache, () => void>();

/** Opens the cache for one command. */
export function openCommandCache(retained: GitCache, input: FileSystem): CommandCache {
  retained.state ??= { files: new SmallFileCache(), packs: new Map(), index: new ParsedFileCache() };
  const { files, packs: known, index } = retained.state;
  const fs = files.over(input);
  const taken = new Map<string, PackCache>();
  return {
    fs,
    index,
    packs(directory, limits) {
      const mine = taken.get(directory);
      if (mine !== undefined) return sameLimits(mine.limits, limits) ? mine.attach(fs) : null;
      const before = known.get(directory);
      if (before !== undefined && !idle.delete(before)) return null;
      const packs = before !== undefined && sameLimits(before.limits, limits) ? before : new PackCache(limits);
      known.set(directory, packs);
      taken.set(directory, packs);
      return packs.attach(fs);
    },
    end() {
      for (const [directory, packs] of taken) {
        const forget = () => known.delete(directory);
        if (packs.detach()) idle.set(packs, forget);
        else forget();
      }
      taken.clear();
      trim();
    },
  };
}

function trim(): void {
  let bytes = 0;
  for (const packs of idle.keys()) bytes += packs.bytes;
  for (const [packs, forget] of idle) {
    if (bytes <= MAX_BYTES) return;
    bytes -= packs.bytes;
    idle.delete(packs);
    forget();
  }
}

function sameLimits(a: GitLimits, b: GitLimits): boolean {
  return (Object.keys(a) as (keyof GitLimits)[]).every((name) => a[name] === b[name]);
}
