/**
 * Decides from its stat alone whether a file may have changed since it was staged. Compares seconds of mtime, size, type and mode.
 * The index stores inode, ctime, device and owner for git's sake but they are not compared, since they differ between the object's
 * file system and a container's disk (git there runs with `core.checkStat=minimal` and `core.trustctime=false`, and compares the
 * same).
 * Those fields hold the file system's values. Neither side compares them, so neither rewrites an entry for them, and the two can
 * alternate without changing bytes.
 */
import type { FileStat } from "@workspace/vfs";
import type { GitConfig } from "../config/git-config.ts";
import { isSameType, MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK } from "../object/file-mode.ts";
import { EMPTY_BLOB } from "../object/oid.ts";
import type { IndexEntry, IndexStat } from "./index-entry.ts";

/** The settings for modes that a file system cannot represent. */
export interface ModeTrust {
  /** `core.fileMode` */
  readonly fileMode: boolean;
  /** `core.symlinks` */
  readonly symlinks: boolean;
}

export function modeTrust(config: GitConfig): ModeTrust {
  return {
    fileMode: config.getBool("core.filemode") ?? true,
    symlinks: config.getBool("core.symlinks") ?? true,
  };
}

/** The mode git would stage for a file; `before`, the staged mode, decides what the file system cannot represent. */
export function stagedMode(stat: Pick<FileStat, "type" | "mode">, trust: ModeTrust, before?: number): number {
  if (stat.type === "dir") return MODE_GITLINK;
  if (stat.type === "symlink") return MODE_SYMLINK;
  if (!trust.symlinks && before === MODE_SYMLINK) return MODE_SYMLINK;
  if (trust.fileMode) return (stat.mode & 0o100) !== 0 ? MODE_EXECUTABLE : MODE_FILE;
  return before !== undefined && isSameType(before, MODE_FILE) ? before : MODE_FILE;
}

export function indexStat(stat: FileStat): IndexStat {
  const [ctimeSeconds, ctimeNanos] = split(stat.ctimeMs);
  const [mtimeSeconds, mtimeNanos] = split(stat.mtimeMs);
  return {
    ctimeSeconds,
    ctimeNanos,
    mtimeSeconds,
    mtimeNanos,
    // Node's stats have one; git does not compare it by default.
    dev: ((stat as { dev?: number }).dev ?? 0) >>> 0,
    ino: stat.ino >>> 0,
    uid: (stat.uid ?? 0) >>> 0,
    gid: (stat.gid ?? 0) >>> 0,
    size: stat.size >>> 0,
  };
}

export const NO_STAT: IndexStat = {
  ctimeSeconds: 0,
  ctimeNanos: 0,
  mtimeSeconds: 0,
  mtimeNanos: 0,
  dev: 0,
  ino: 0,
  uid: 0,
  gid: 0,
  size: 0,
};

/**
 * "same": as staged, unless racy. "modified": certain without reading it. "unknown": the stat differs or was never known, the
 * content may be the same.
 */
type StatVerdict = "same" | "modified" | "unknown";

/** `mode`, `mtimeSeconds` and `size` are the entry's. The entry is no gitlink. */
export function compareStat(
  mode: number,
  mtimeSeconds: number,
  size: number,
  isEmptyBlob: boolean,
  stat: FileStat,
  trust: ModeTrust,
): StatVerdict {
  if (stagedMode(stat, trust, mode) !== mode) return "modified";
  const sameSize = size === stat.size >>> 0;
  if (!sameSize && size !== 0) return "modified";
  // Size 0 for a nonempty file: never known, or smudged.
  if (size === 0 && !isEmptyBlob) return "unknown";
  if (!sameSize || mtimeSeconds !== Math.floor(stat.mtimeMs / 1000) >>> 0) return "unknown";
  return "same";
}

export function compareEntryStat(entry: IndexEntry, stat: FileStat, trust: ModeTrust): StatVerdict {
  const { mtimeSeconds, size } = entry.stat;
  return compareStat(entry.mode, mtimeSeconds, size, entry.oid === EMPTY_BLOB, stat, trust);
}

/** Staged in the second the index was written, or later: the file may have changed afterwards within the same tick. */
export function isRacy(mtimeSeconds: number, indexMtimeSeconds: number): boolean {
  return indexMtimeSeconds !== 0 && indexMtimeSeconds <= mtimeSeconds;
}

function split(milliseconds: number): [seconds: number, nanos: number] {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds >>> 0, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
