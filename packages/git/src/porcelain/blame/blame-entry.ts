/** Lines of the final text, and the origin they are currently attributed to. */
import type { Oid } from "../../object/oid.ts";

/** A file in a commit. `commit` null: the work tree. */
export interface Origin {
  readonly commit: Oid | null;
  readonly path: string;
  readonly mode: number;
  /** Null: the work tree's own content. */
  readonly blob: Oid | null;
  /** The first file of a parent that lines were passed to. */
  previous: Origin | null;
  /** Lines attributed to it but not yet examined, in no order. */
  suspects: BlameEntry[];
}

export interface BlameEntry {
  /** In the final text, from 0. */
  readonly line: number;
  readonly count: number;
  readonly origin: Origin;
  /** In the origin's text. */
  readonly originLine: number;
  /** An ignored commit changed these lines; they are attributed to another one by a guess. */
  readonly ignored?: boolean;
  /** An ignored commit changed these lines, and they stayed with it, for at least one parent. */
  readonly unblamable?: boolean;
}

/** Passes [from, to) of the entry's origin to `parent`, starting at `parentLine`; keeps the rest. Null: no overlap. */
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

/** Joins adjacent entries of one origin. */
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
