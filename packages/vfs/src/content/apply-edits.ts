/**
 * Makes the next version of a content: append, positional write and truncate, without copying unchanged bytes. Small results are
 * one row; larger ones are a tree of extents that shares rows and nodes with the previous version. An append that fits the last row
 * changes neither: the row grows.
 */
import { FsError } from "../api/errors.ts";
import type { Mutation } from "../mutation/mutation.ts";
import type { Inode } from "../tree/inode.ts";
import { END, extentsOf } from "./extent.ts";
import { HOLE, joinRuns, type Run, rowsOf, totalLength } from "./layout.ts";
import { ContentReader, type ContentRef, readRuns } from "./reader.ts";
import type { Reservation } from "./reservations.ts";
import { Nodes } from "./tree.ts";
import { TreeEditor } from "./tree-editor.ts";

/** The buffered edits of a handle, in order. Bytes, or rows that a spool has written. */
export type Edit =
  | { readonly kind: "write"; readonly at: number | "end"; readonly data: EditData }
  | { readonly kind: "truncate"; readonly length: number };

export type EditData =
  | { readonly bytes: Uint8Array }
  | { readonly runs: readonly Run[]; readonly blocks: readonly Reservation[] };

export const dataLength = (data: EditData) => ("bytes" in data ? data.bytes.length : totalLength(data.runs));

/** `retainedBytes`: how many bytes of the replaced content only history needs; all of them if absent. */
export type RewrittenContent = ContentRef & { readonly retainedBytes?: number };

/** `growInPlace: false` after another owner has grown the row. */
export function applyEdits(
  mutation: Mutation,
  inode: Inode,
  edits: readonly Edit[],
  growInPlace = true,
): RewrittenContent {
  const { limits } = mutation.volume;
  const size = sizeAfter(inode.size, edits);
  if (size > limits.fileBytes) throw new FsError("EFBIG", { syscall: "write" });
  if (size === 0) return { content: 0, size: 0 };
  const only = edits.length === 1 ? edits[0] : undefined;
  if (only?.kind === "truncate" && only.length <= inode.size) return { content: inode.content, size };
  if (growInPlace && only !== undefined) {
    const grown = appendInPlace(mutation, inode, only, size);
    if (grown !== null) return grown;
  }
  const appends = only?.kind === "write" && (only.at === "end" || only.at === inode.size);
  // One row is read fastest. If most of it is unchanged, each small write would copy it.
  const mostlyNew = !appends && writtenBytes(edits) * 2 >= size;
  if (size <= limits.chunkBytes || (size <= limits.rowBytes && mostlyNew)) return oneRow(mutation, inode, edits, size);
  return newTree(mutation, inode, edits, growInPlace);
}

function writtenBytes(edits: readonly Edit[]): number {
  return edits.reduce((sum, edit) => sum + (edit.kind === "write" ? dataLength(edit.data) : 0), 0);
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
function appendInPlace(mutation: Mutation, inode: Inode, edit: Edit, size: number): ContentRef | null {
  if (
    edit.kind !== "write" ||
    !("bytes" in edit.data) ||
    inode.content <= 0 ||
    size > mutation.volume.limits.chunkBytes
  )
    return null;
  if (edit.at !== "end" && edit.at !== inode.size) return null;
  mutation.appends.push({ id: inode.content, length: inode.size, bytes: edit.data.bytes });
  return { content: inode.content, size };
}

function oneRow(mutation: Mutation, inode: Inode, edits: readonly Edit[], size: number): ContentRef {
  let bytes = new Uint8Array(Math.max(size, inode.size));
  bytes.set(new ContentReader(mutation.volume.store.db, inode).read());
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

function newTree(mutation: Mutation, inode: Inode, edits: readonly Edit[], growInPlace: boolean): RewrittenContent {
  const { volume } = mutation;
  const firstNew = volume.store.allocateContentIds(0);
  const editor = new TreeEditor(new Nodes(volume.store.db), volume.limits.nodeEntries, Math.max(0, -inode.content));
  if (inode.content > 0) editor.replace(0, END, [[0, inode.content, 0]]);
  let size = inode.size;
  let held = 0;
  // Drops what other versions have beyond the size of this one.
  if (size > 0) editor.cut(size);
  const extend = (to: number) => {
    if (to > size) editor.replace(size, END, [[size, HOLE, 0]]);
    size = Math.max(size, to);
  };
  for (const edit of edits) {
    if (edit.kind === "truncate") {
      if (edit.length < size) editor.cut(edit.length);
      held += Math.max(0, size - edit.length);
      extend(edit.length);
      size = edit.length;
      continue;
    }
    extend(edit.at === "end" ? size : edit.at);
    const at = edit.at === "end" ? size : edit.at;
    if (at === size && growInPlace && growLastRow(mutation, editor, size, edit.data, firstNew)) {
      size += dataLength(edit.data);
      continue;
    }
    const write = withDenseLeaf(mutation, inode, editor, { at, data: edit.data }, size);
    const end = write.at + dataLength(write.data);
    held += Math.min(end, size) - write.at;
    editor.replace(write.at, end < size ? end : END, extentsOf(rowsFor(mutation, write.data), write.at));
    size = Math.max(size, end);
  }
  if (!editor.changed) return { content: inode.content, size };
  const rows = editor.rows();
  dropUnused(mutation, edits, rows, firstNew);
  if (inode.content > 0 && rows.has(inode.content)) mutation.addReference(inode.content);
  const { root, nodes } = editor.finish(() => volume.store.allocateContentIds(1));
  mutation.nodes.push(...nodes);
  return { content: -root, size, retainedBytes: held + nodes.length * NODE_BYTES };
}

/** Approximate size of a node. */
const NODE_BYTES = 512;

interface TreeWrite {
  readonly at: number;
  readonly data: EditData;
}

/**
 * A leaf full of small pieces is not split: the write rewrites the other bytes of the leaf together with its own as one row. This
 * bounds the number of pieces of a content, and copies little.
 */
function withDenseLeaf(
  { volume, appends }: Mutation,
  inode: Inode,
  editor: TreeEditor,
  write: TreeWrite,
  size: number,
): TreeWrite {
  const { nodeEntries, denseBytes } = volume.limits;
  const leaf = editor.leafAt(write.at);
  const stop = Math.min(leaf.end, size);
  // The database does not have the earlier changes of this mutation.
  if (!("bytes" in write.data) || !leaf.old || appends.length > 0) return write;
  if (leaf.entries + 2 <= nodeEntries || stop - leaf.start > denseBytes) return write;
  const { bytes } = write.data;
  const end = Math.max(stop, write.at + bytes.length);
  const whole = new Uint8Array(end - leaf.start);
  whole.set(new ContentReader(volume.store.db, inode).read(leaf.start, stop));
  whole.set(bytes, write.at - leaf.start);
  return { at: leaf.start, data: { bytes: whole } };
}

/** Frees rows made or spooled for an edit that a later one overwrote or cut off. */
function dropUnused(mutation: Mutation, edits: readonly Edit[], used: ReadonlySet<number>, firstNew: number): void {
  const retained = mutation.contents.filter(([id]) => id < firstNew || used.has(id));
  mutation.contents.splice(0, mutation.contents.length, ...retained);
  for (const edit of edits) {
    if (edit.kind !== "write" || !("runs" in edit.data)) continue;
    for (const row of rowsOf(edit.data.runs)) if (!used.has(row)) mutation.discardedRuns.push([row, 0, 0, 1]);
  }
}

/** The last row has room and is in the database: it grows, and no node changes. */
function growLastRow(mutation: Mutation, editor: TreeEditor, size: number, data: EditData, firstNew: number): boolean {
  const last = editor.last();
  if (last === undefined || last[1] === HOLE || !("bytes" in data)) return false;
  const { chunkBytes } = mutation.volume.limits;
  const [at, first, offset, stride = chunkBytes, count = 1] = last;
  const row = first + count - 1;
  const length = offset + size - (at + (count - 1) * stride);
  if (length + data.bytes.length > Math.min(stride, chunkBytes)) return false;
  if (row >= firstNew || mutation.appends.some((grown) => grown.id === row)) return false;
  mutation.appends.push({ id: row, length, bytes: data.bytes });
  return true;
}

function rowsFor(mutation: Mutation, data: EditData): readonly Run[] {
  if ("runs" in data) {
    mutation.releasedBlocks.push(...data.blocks);
    return data.runs;
  }
  const size = mutation.volume.limits.chunkBytes;
  const runs: Run[] = [];
  for (let at = 0; at < data.bytes.length; at += size) {
    const bytes = data.bytes.subarray(at, at + size);
    const id = mutation.volume.store.allocateContentIds(1);
    mutation.contents.push([id, bytes]);
    runs.push([id, 0, bytes.length, 1]);
  }
  return joinRuns(runs);
}

function readSpooled(mutation: Mutation, runs: readonly Run[]): Uint8Array {
  return readRuns(mutation.volume.store.db, runs, 0, totalLength(runs));
}

/** Spooled rows whose bytes went elsewhere. */
function releaseRuns(mutation: Mutation, data: { runs: readonly Run[]; blocks: readonly Reservation[] }): void {
  mutation.discardedRuns.push(...data.runs);
  mutation.releasedBlocks.push(...data.blocks);
}
