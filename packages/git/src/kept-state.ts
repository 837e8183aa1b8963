/**
 * What stays in memory from one command to the next on the same files, so that a short command need not open the repository from
 * the start. Nothing of it is trusted without asking the file system whether the files are still the same, and all of it is
 * bounded for the isolate, whatever the number of repositories.
 */
import type { FileSystem } from "@workspace/vfs";
import type { GitLimits } from "./limits.ts";
import { KeptFiles } from "./memory/kept-files.ts";
import { KeptReading } from "./memory/kept-reading.ts";
import { KeptPacks } from "./odb/kept-packs.ts";
import type { IndexColumns } from "./staging/read-index.ts";

/** A place for it, shared by all engines on the same files: empty until the first of them fills it. */
export interface GitKept {
  state?: KeptState;
}

interface KeptState {
  readonly files: KeptFiles;
  /** By objects directory. */
  readonly packs: Map<string, KeptPacks>;
  readonly index: KeptReading<IndexColumns>;
}

export interface KeptSession {
  readonly fs: FileSystem;
  /** The index that was read last. */
  readonly index: KeptReading<IndexColumns>;
  /** Of an objects directory; null: another command has them now. */
  packs(directory: string, limits: GitLimits): KeptPacks | null;
  end(): void;
}

/** Of packs of all repositories in the isolate together; the one used longest ago goes first. */
const MOST_BYTES = 12 * 1024 * 1024;
const idle = new Map<KeptPacks, () => void>();

/** For one command. */
export function beginSession(kept: GitKept, given: FileSystem): KeptSession {
  kept.state ??= { files: new KeptFiles(), packs: new Map(), index: new KeptReading() };
  const { files, packs: known, index } = kept.state;
  const fs = files.over(given);
  const taken = new Map<string, KeptPacks>();
  return {
    fs,
    index,
    packs(directory, limits) {
      const mine = taken.get(directory);
      if (mine !== undefined) return sameLimits(mine.limits, limits) ? mine.attach(fs) : null;
      const before = known.get(directory);
      if (before !== undefined && !idle.delete(before)) return null;
      const packs = before !== undefined && sameLimits(before.limits, limits) ? before : new KeptPacks(limits);
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
    if (bytes <= MOST_BYTES) return;
    bytes -= packs.bytes;
    idle.delete(packs);
    forget();
  }
}

function sameLimits(a: GitLimits, b: GitLimits): boolean {
  return (Object.keys(a) as (keyof GitLimits)[]).every((name) => a[name] === b[name]);
}
