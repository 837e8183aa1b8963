/**
 * From one content to the next: append, positional write, truncate, without copying what stays. Small results are one row;
 * larger ones are a layout that shares the rows of the one before (and its family, by which the collector knows).
 */
import { FsError } from "../errors.ts";
import type { Inode } from "../inode.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { selectLayout } from "../store/contents.ts";
import { hole, joinRuns, overwriteRuns, type Run, rowsOf, totalLength, truncateRuns } from "./layout.ts";
import { ContentReader, type ContentRef, readRuns } from "./reader.ts";
import { Spool } from "./spool.ts";

/** What a handle has gathered, in order. Bytes, or rows that a spool has written. */
export type Edit =
  | { readonly kind: "write"; readonly at: number | "end"; readonly data: EditData }
  | { readonly kind: "truncate"; readonly length: number };

export type EditData =
  | { readonly bytes: Uint8Array }
  | { readonly runs: readonly Run[]; readonly spools: readonly number[] };

export const dataLength = (data: EditData) => ("bytes" in data ? data.bytes.length : totalLength(data.runs));

/** `growInPlace: false` after a row turned out to be grown by another owner. */
export function applyEdits(mutation: Mutation, inode: Inode, edits: readonly Edit[], growInPlace = true): ContentRef {
  const { limits } = mutation.volume;
  const size = sizeAfter(inode.size, edits);
  if (size > limits.fileBytes) throw new FsError("EFBIG", { syscall: "write" });
  if (size === 0) return { content: 0, size: 0 };
  const only = edits.length === 1 ? edits[0] : undefined;
  if (only?.kind === "truncate" && only.length <= inode.size) return { content: inode.content, size };
  if (growInPlace && only !== undefined) {
    const grown = growRow(mutation, inode, only, size);
    if (grown !== null) return grown;
  }
  const appends = only?.kind === "write" && (only.at === "end" || only.at === inode.size);
  if (size <= limits.chunkBytes || (size <= limits.rowBytes && !appends)) return oneRow(mutation, inode, edits, size);
  return newLayout(mutation, inode, edits, size, growInPlace);
}

export function sizeAfter(size: number, edits: readonly Edit[]): number {
  let after = size;
  for (const edit of edits) {
    if (edit.kind === "truncate") after = edit.length;
    else after = Math.max(after, (edit.at === "end" ? after : edit.at) + dataLength(edit.data));
  }
  return after;
}

/** An append to a small file: the row grows, nothing else is written. */
function growRow(mutation: Mutation, inode: Inode, edit: Edit, size: number): ContentRef | null {
  if (
    edit.kind !== "write" ||
    !("bytes" in edit.data) ||
    inode.content <= 0 ||
    size > mutation.volume.limits.chunkBytes
  )
    return null;
  if (edit.at !== "end" && edit.at !== inode.size) return null;
  mutation.grown.push({ id: inode.content, length: inode.size, bytes: edit.data.bytes });
  return { content: inode.content, size };
}

function oneRow(mutation: Mutation, inode: Inode, edits: readonly Edit[], size: number): ContentRef {
  let bytes = new Uint8Array(Math.max(size, inode.size));
  bytes.set(new ContentReader(mutation.volume.db, inode).read());
  let length = inode.size;
  for (const edit of edits) {
    if (edit.kind === "truncate") {
      if (edit.length < length) bytes.fill(0, edit.length, length);
      length = edit.length;
    } else {
      const at = edit.at === "end" ? length : edit.at;
      const data = "bytes" in edit.data ? edit.data.bytes : readSpooled(mutation, edit.data.runs);
      if (at + data.length > bytes.length) {
        const wider = new Uint8Array(at + data.length);
        wider.set(bytes);
        bytes = wider;
      }
      bytes.set(data, at);
      length = Math.max(length, at + data.length);
      if ("runs" in edit.data) releaseRuns(mutation, edit.data);
    }
  }
  return mutation.content({ kind: "bytes", bytes: bytes.subarray(0, size) });
}

function newLayout(
  mutation: Mutation,
  inode: Inode,
  edits: readonly Edit[],
  size: number,
  growInPlace: boolean,
): ContentRef {
  const { volume } = mutation;
  const reader = new ContentReader(volume.db, inode);
  const scattered = reader.runs().length > volume.limits.layoutRuns;
  let runs: readonly Run[] = scattered ? compact(mutation, reader) : truncateRuns(reader.runs(), inode.size);
  for (const edit of edits) {
    if (edit.kind === "truncate") {
      runs = truncateRuns(runs, edit.length);
      continue;
    }
    const length = totalLength(runs);
    const at = edit.at === "end" ? length : edit.at;
    if (at === length && growInPlace) {
      const grown = growLastRun(mutation, runs, edit.data);
      if (grown !== null) {
        runs = grown;
        continue;
      }
    }
    runs = overwriteRuns(at > length ? joinRuns(runs, hole(at - length)) : runs, at, rowsFor(mutation, edit.data));
  }
  dropUnused(mutation, edits, runs);
  const family = inode.content < 0 && !scattered ? selectLayout(volume.db, -inode.content)?.family : undefined;
  if (inode.content > 0 && runs.some(([row]) => row === inode.content)) mutation.share(inode.content);
  return { content: mutation.layout(runs, family), size };
}

/** Rows made or spooled for an edit that a later one overwrote or cut off. */
function dropUnused(mutation: Mutation, edits: readonly Edit[], runs: readonly Run[]): void {
  const used = rowsOf(runs);
  const kept = mutation.contents.filter(([id]) => used.has(id));
  mutation.contents.splice(0, mutation.contents.length, ...kept);
  for (const edit of edits) {
    if (edit.kind !== "write" || !("runs" in edit.data)) continue;
    for (const row of rowsOf(edit.data.runs)) if (!used.has(row)) mutation.discardedRuns.push([row, 0, 0, 1]);
  }
}

/** The last row of a layout has room: it grows. */
function growLastRun(mutation: Mutation, runs: readonly Run[], data: EditData): Run[] | null {
  const last = runs.at(-1);
  if (last === undefined || !("bytes" in data)) return null;
  const [row, offset, length, count] = last;
  if (row === 0 || count !== 1 || offset + length + data.bytes.length > mutation.volume.limits.chunkBytes) return null;
  if (mutation.grown.some((grown) => grown.id === row)) return null;
  mutation.grown.push({ id: row, length: offset + length, bytes: data.bytes });
  return [...runs.slice(0, -1), [row, offset, length + data.bytes.length, 1]];
}

function rowsFor(mutation: Mutation, data: EditData): readonly Run[] {
  if ("runs" in data) {
    mutation.releasedSpools.push(...data.spools);
    return data.runs;
  }
  const size = mutation.volume.limits.chunkBytes;
  const runs: Run[] = [];
  for (let at = 0; at < data.bytes.length; at += size) {
    const bytes = data.bytes.subarray(at, at + size);
    const id = mutation.volume.takeContentIds(1);
    mutation.contents.push([id, bytes]);
    runs.push([id, 0, bytes.length, 1]);
  }
  return joinRuns(runs);
}

/** Too many pieces: the content before the edits is copied into rows of its own. */
function compact(mutation: Mutation, reader: ContentReader): readonly Run[] {
  const { volume } = mutation;
  const spool = new Spool(volume);
  const step = volume.limits.rowBytes;
  for (let at = 0; at < reader.size; at += step) spool.push(reader.read(at, at + step));
  const spooled = spool.finish();
  if (spooled.kind === "bytes") return rowsFor(mutation, { bytes: spooled.bytes });
  mutation.releasedSpools.push(...spooled.spools);
  return spooled.runs;
}

function readSpooled(mutation: Mutation, runs: readonly Run[]): Uint8Array {
  return readRuns(mutation.volume.db, runs, 0, totalLength(runs));
}

/** Spooled rows whose bytes went elsewhere. */
function releaseRuns(mutation: Mutation, data: { runs: readonly Run[]; spools: readonly number[] }): void {
  mutation.discardedRuns.push(...data.runs);
  mutation.releasedSpools.push(...data.spools);
}
