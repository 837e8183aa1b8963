/** Lines of the final text, and who is suspected of them so far. */
import type { Oid } from "../../oid.ts";

/** A file in a commit. `commit` null: the work tree. */
export interface Origin {
  readonly commit: Oid | null;
  readonly path: string;
  readonly mode: number;
  /** Null: the work tree's own content. */
  readonly blob: Oid | null;
  /** The parent's file that lines were passed to first. */
  previous: Origin | null;
  /** Lines it is suspected of and not yet tried, in no order. */
  suspects: BlameEntry[];
}

export interface BlameEntry {
  /** In the final text, from 0. */
  readonly line: number;
  readonly count: number;
  readonly origin: Origin;
  /** In the origin's text. */
  readonly originLine: number;
  /** A commit that does not count changed them, and they are someone else's by a guess. */
  readonly ignored?: boolean;
  /** Such a commit changed them, and they remained with it, for one parent at least. */
  readonly unblamable?: boolean;
}

/** Takes [from, to) of the entry's origin to `parent`, where it begins at `parentLine`; what is left stays. Null: nothing overlaps. */
export function splitEntry(
  entry: BlameEntry,
  from: number,
  to: number,
  parentLine: number,
  parent: Origin,
): { passed: BlameEntry; retained: BlameEntry[] } | null {
  const end = entry.originLine + entry.count;
  const start = Math.max(from, entry.originLine);
  const stop = Math.min(to, end);
  if (stop <= start) return null;
  const part = (begin: number, finish: number): BlameEntry => ({
    ...entry,
    line: entry.line + begin - entry.originLine,
    count: finish - begin,
    originLine: begin,
  });
  const retained: BlameEntry[] = [];
  if (start > entry.originLine) retained.push(part(entry.originLine, start));
  if (stop < end) retained.push(part(stop, end));
  return { passed: { ...part(start, stop), origin: parent, originLine: parentLine + start - from }, retained };
}

/** Neighbours of one origin become one. */
export function coalesce(entries: readonly BlameEntry[]): BlameEntry[] {
  const joined: BlameEntry[] = [];
  for (const entry of [...entries].sort((a, b) => a.line - b.line)) {
    const last = joined.at(-1);
    const follows =
      last !== undefined &&
      last.origin === entry.origin &&
      last.ignored === entry.ignored &&
      last.unblamable === entry.unblamable &&
      last.line + last.count === entry.line &&
      last.originLine + last.count === entry.originLine;
    if (follows) joined[joined.length - 1] = { ...last, count: last.count + entry.count };
    else joined.push(entry);
  }
  return joined;
}
