/**
 * The in-memory table of what the search index covers: the position of each content's bits. It is read once, and again after a
 * rollback (detected by the epoch). A content is identified by its number and by its number of indexed bytes, because a row may
 * have grown since. A number may be reused after its content was collected, so a segment covers only contents that existed when it
 * was created.
 */

import type { StoredSegment } from "../../store/search-index.ts";
import type { Inode } from "../../tree/inode.ts";

export interface IndexSegment extends StoredSegment {
  /** Bytes in the row of one hash value. */
  readonly stride: number;
  /** Hash values in one block. */
  readonly perBlock: number;
}

const BLOCK_BYTES = 32 * 1024;
const COLUMNS = 2 ** 16;

export class SegmentTable {
  readonly epoch: string;
  readonly groups = new Map<number, IndexSegment>();
  /** By content: segment and column as `segment * 2^16 + column`. */
  readonly #slots = new Map<number, number>();

  constructor(epoch: string, groups: readonly StoredSegment[]) {
    this.epoch = epoch;
    for (const group of groups) this.add(group);
  }

  add(group: StoredSegment): void {
    this.groups.set(group.id, shapeOf(group));
    for (let i = 0; i < group.documents.length; i += 2) {
      const content = group.documents[i] as number;
      // 0: a column that was left empty.
      if (content !== 0) this.#slots.set(content, group.id * COLUMNS + i / 2);
    }
  }

  remove(ids: readonly number[]): void {
    for (const id of ids) {
      const group = this.groups.get(id);
      this.groups.delete(id);
      for (let i = 0; group !== undefined && i < group.documents.length; i += 2) {
        const content = group.documents[i] as number;
        if (this.#slots.get(content) === id * COLUMNS + i / 2) this.#slots.delete(content);
      }
    }
  }

  /** The slot of a file's bits, for `slotGroup` and `slotColumn`; -1 when they are not known for certain. */
  slotOf(inode: Inode): number {
    const slot = this.#slots.get(inode.content);
    if (slot === undefined) return -1;
    const { documents, rev } = this.groups.get(slotGroup(slot)) as IndexSegment;
    return documents[slotColumn(slot) * 2 + 1] === inode.size && inode.contentRev <= rev ? slot : -1;
  }

  get nextId(): number {
    return Math.max(0, ...this.groups.keys()) + 1;
  }
}

export function slotGroup(slot: number): number {
  return Math.floor(slot / COLUMNS);
}

export function slotColumn(slot: number): number {
  return slot % COLUMNS;
}

export function shapeOf(group: StoredSegment): IndexSegment {
  const stride = Math.ceil(group.documents.length / 2 / 8);
  return { ...group, stride, perBlock: Math.max(1, Math.floor(BLOCK_BYTES / Math.max(1, stride))) };
}
