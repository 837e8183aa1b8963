/** Converts a change to the event of one watcher, relative to the watched path; none if it is outside. */
import type { Change, WatchEvent } from "../api/file-system.ts";

/** The watched path, without symlinks. */
export interface WatchTarget {
  path: string;
  directory: boolean;
}

export function watchEvent(change: Change, watched: WatchTarget, recursive = false): WatchEvent | null {
  const eventType = change.op === "write" || change.op === "attr" ? "change" : "rename";
  for (const path of change.from === undefined ? [change.path] : [change.path, change.from]) {
    const filename = relativeTo(path, watched);
    if (filename !== null && (recursive || !filename.includes("/"))) return { eventType, filename, change };
  }
  return null;
}

function relativeTo(path: string, watched: WatchTarget): string | null {
  if (path === watched.path) return path.slice(path.lastIndexOf("/") + 1);
  const prefix = watched.path === "/" ? "/" : `${watched.path}/`;
  return watched.directory && path.startsWith(prefix) ? path.slice(prefix.length) : null;
}
