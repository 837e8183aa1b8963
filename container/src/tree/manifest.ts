/**
 * The state at the last sync, by path: the entry's stat on disk and its version in the workspace. A path with a different stat has
 * changed here; a path with a different version has changed in the workspace.
 */
import type { Stats } from "node:fs";
import type { EntryKind } from "@workspace/protocol";

/** Stat of an entry: any change alters one of these fields, except one within the clock's tick (`racy`). */
export interface StatFingerprint {
  ino: number;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
  mode: number;
}

export interface ManifestEntry extends StatFingerprint {
  type: EntryKind;
  /** SHA-256 of a file's bytes. */
  hash: string | null;
  target: string | null;
  /** Changed so shortly before the stat that another change could look the same: the next scan compares by hash. */
  racy: boolean;
  version: string | null;
  content: string | null;
  /** Number of the last scan that saw it. */
  seen: number;
}

/**
 * Two changes within this time may share a timestamp: kernels count in ticks of up to ten milliseconds. `now` is the disk's time.
 */
const TICK_MS = 20;

export function fingerprint({ ino, size, mtimeMs, ctimeMs, mode }: Stats): StatFingerprint {
  return { ino, size, mtimeMs, ctimeMs, mode };
}

export function sameFingerprint(a: StatFingerprint, b: StatFingerprint): boolean {
  return (
    a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.mode === b.mode
  );
}

export function isRacy(looks: StatFingerprint, now: number): boolean {
  return looks.ctimeMs >= now - TICK_MS || looks.mtimeMs >= now - TICK_MS;
}

export function entryKind(mode: number): EntryKind | null {
  switch (mode & 0o170000) {
    case 0o100000:
      return "file";
    case 0o040000:
      return "dir";
    case 0o120000:
      return "symlink";
    default:
      return null;
  }
}

export function microseconds(ms: number): number {
  return Math.max(0, Math.floor(ms * 1000));
}
