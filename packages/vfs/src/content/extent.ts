/**
 * Locates the bytes of a large content. An extent covers position `at` up to the next extent: in `row` from `offset` on, or, with a
 * stride, in `count` rows from `row` on, `stride` bytes each and the last one perhaps shorter. Row 0 is a hole of zeros. The last
 * extent has no end: the reader knows the size, so a row can grow at its end without a change of extents. A write never moves
 * bytes: every piece of a row stays at the same distance from the row's home, the position of its first byte.
 */
import { HOLE, type RowSlice, type Run } from "./layout.ts";

export type Extent = readonly [at: number, row: number, offset: number, stride?: number, count?: number];

/** Beyond every position of a file. */
export const END = Number.MAX_SAFE_INTEGER;

/** Consecutive rows become one extent, with a shorter row at their end. */
export function extentsOf(runs: readonly Run[], at: number): Extent[] {
  const extents: Extent[] = [];
  let position = at;
  let full = false;
  for (const [row, offset, length, count] of runs) {
    const last = extents.at(-1);
    const [lastAt = 0, lastRow = 0, lastOffset = 0, stride = position - lastAt, rows = 1] = last ?? [];
    const follows = last !== undefined && lastRow !== HOLE && full && lastOffset === 0 && row === lastRow + rows;
    if (follows && offset === 0 && count === 1 && length <= stride) {
      extents[extents.length - 1] = [lastAt, lastRow, 0, stride, rows + 1];
      full = length === stride;
    } else {
      extents.push(count === 1 ? [position, row, row === HOLE ? 0 : offset] : [position, row, 0, length, count]);
      full = true;
    }
    position += length * count;
  }
  return extents;
}

/** Clips an extent to `[from, to)`, which begins in it. An extent that stays whole stays the same object. */
export function clipExtent(extent: Extent, from: number, to: number): Extent[] {
  const [at, row, offset, stride, count] = extent;
  if (from >= to) return [];
  if (stride === undefined || count === undefined) {
    if (from === at) return [extent];
    return [[from, row, row === HOLE ? 0 : offset + from - at]];
  }
  const index = Math.floor((from - at) / stride);
  if (index >= count) return [];
  const within = from - at - index * stride;
  const next = from - within + stride;
  if (within > 0) return [[from, row + index, within], ...(next < to ? clipExtent(extent, next, to) : [])];
  const rows = Math.min(count - index, Math.ceil((to - from) / stride));
  if (index === 0 && rows === count) return [extent];
  return [rows === 1 ? [from, row + index, 0] : [from, row + index, 0, stride, rows]];
}

/** Whether an extent only continues the one before it. */
export function continues([at, row, offset, stride]: Extent, next: Extent): boolean {
  if (stride !== undefined || next[3] !== undefined || row !== next[1]) return false;
  return row === HOLE || next[2] - offset === next[0] - at;
}

/** The parts of rows that hold `[from, to)`, which lies in the extent. */
export function* piecesOfExtent([at, row, offset, stride]: Extent, from: number, to: number): Generator<RowSlice> {
  if (stride === undefined) {
    yield { row, offset: row === HOLE ? 0 : offset + from - at, length: to - from };
    return;
  }
  for (let position = from; position < to; ) {
    const index = Math.floor((position - at) / stride);
    const within = position - at - index * stride;
    const length = Math.min(stride - within, to - position);
    yield { row: row + index, offset: within, length };
    position += length;
  }
}

/** The first and the last row that an extent has in `[from, to)`; null for a hole, and where it has none. */
export function rowSpan(
  [at, row, , stride, count]: Extent,
  from: number,
  to: number,
): readonly [number, number] | null {
  if (row === HOLE || from >= to) return null;
  if (stride === undefined || count === undefined) return [row, row];
  const first = Math.floor((from - at) / stride);
  const last = Math.min(count - 1, Math.floor((to - 1 - at) / stride));
  return first > last ? null : [row + first, row + last];
}

/** The position of the first byte of a row that the extent names. */
export function homeOf([at, first, offset, stride]: Extent, row: number): number {
  return stride === undefined ? at - offset : at + (row - first) * stride;
}
