/** Result of a walk through the tree, and the reasons why an entry is not synced. */
import type { Stats } from "node:fs";
import { type EntryKind, type Skipped, SYNC_LIMITS } from "@workspace/protocol";
import type { Owner } from "../jail/owner.ts";
import type { ManifestEntry } from "./manifest.ts";

export interface ChangedEntry {
  path: string;
  type: EntryKind;
  stat: Stats;
  target: string | null;
  known: ManifestEntry | undefined;
}

export interface WalkResult {
  entries: number;
  bytes: number;
  seen: number;
  changed: ChangedEntry[];
  skipped: Skipped[];
  /**
   * Directories, with a slash, that could not be listed: known entries below them do not count as
   * removed.
   */
  unread: string[];
  /** The top-level directory with the most entries, to report where a runaway tree is. */
  largest: { path: string; entries: number };
  /** Number of stat calls. */
  looks: number;
  /** Paths that stay in the container because they are not synced by default; `findMoved` searches them. */
  retained: Set<string>;
}

/** Root can read everything; an unprivileged daemon is bound by modes, as its commands are. */
export function isUnreadable({ mode, uid }: Stats): boolean {
  const user = process.getuid?.() ?? 0;
  return user !== 0 && uid === user && (mode & 0o400) === 0;
}

export function unfitness(path: string, stat: Stats, owner: Owner | null): string | null {
  if (Buffer.byteLength(path) > SYNC_LIMITS.pathBytes - 256) return "the path is too long";
  if (owner !== null && stat.uid !== owner.uid) return "it belongs to another user";
  return null;
}

export function skip(walked: Pick<WalkResult, "skipped">, path: string, reason: string): void {
  const { skipped } = walked;
  if (skipped.length < SYNC_LIMITS.reportItems) skipped.push({ path, reason });
  else {
    const more = Number(skipped[SYNC_LIMITS.reportItems]?.path ?? 0) + 1;
    skipped[SYNC_LIMITS.reportItems] = { path: String(more), reason: "more paths were skipped" };
  }
}
