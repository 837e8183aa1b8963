/**
 * A content in pieces: runs of bytes in content rows. Pure arithmetic, no SQL. A run `[row, offset, length, count]` is `length`
 * bytes from `offset` of `row`, and of the `count - 1` rows after it (then `offset` is 0); row 0 is a hole of zeros.
 * A stream of a gigabyte is one run; a positional write splits one run into three and copies nothing.
 */
export type Run = readonly [row: number, offset: number, length: number, count: number];

export interface Piece {
  readonly row: number;
  readonly offset: number;
  readonly length: number;
}

export const HOLE = 0;

export function totalLength(runs: readonly Run[]): number {
  let total = 0;
  for (const run of runs) total += run[2] * run[3];
  return total;
}

export function hole(length: number): Run[] {
  return length > 0 ? [[HOLE, 0, length, 1]] : [];
}

/** The runs of `[start, end)`. */
export function sliceRuns(runs: readonly Run[], start: number, end: number): Run[] {
  const slice: Run[] = [];
  let at = 0;
  for (const run of runs) {
    const bytes = run[2] * run[3];
    const from = Math.max(start - at, 0);
    const to = Math.min(end - at, bytes);
    if (from < to) cut(run, from, to, slice);
    at += bytes;
    if (at >= end) break;
  }
  return slice;
}

/** `insert` in the place of `[at, at + insert's length)`; what lies between the end and `at` becomes a hole. */
export function overwriteRuns(runs: readonly Run[], at: number, insert: readonly Run[]): Run[] {
  const size = totalLength(runs);
  const end = at + totalLength(insert);
  return joinRuns(sliceRuns(runs, 0, at), hole(at - size), insert, sliceRuns(runs, end, size));
}

export function truncateRuns(runs: readonly Run[], length: number): Run[] {
  return joinRuns(sliceRuns(runs, 0, length), hole(length - totalLength(runs)));
}

/** Concatenates, and folds neighbours that one run can say. */
export function joinRuns(...lists: readonly (readonly Run[])[]): Run[] {
  const joined: Run[] = [];
  for (const list of lists) for (const run of list) push(joined, run);
  return joined;
}

/** Rows and ranges to read for `[start, end)`, in order. */
export function* piecesOf(runs: readonly Run[], start: number, end: number): Generator<Piece> {
  for (const [row, offset, length, count] of sliceRuns(runs, start, end)) {
    for (let i = 0; i < count; i++) yield { row: row === HOLE ? HOLE : row + i, offset, length };
  }
}

/** Every row a layout points at, once. */
export function rowsOf(runs: readonly Run[]): Set<number> {
  const rows = new Set<number>();
  for (const [row, , , count] of runs) {
    if (row !== HOLE) for (let i = 0; i < count; i++) rows.add(row + i);
  }
  return rows;
}

/** `[from, to)` of one run: at most a partial row, whole rows, and a partial row. */
function cut([row, offset, length, count]: Run, from: number, to: number, into: Run[]): void {
  if (count === 1) {
    into.push([row, row === HOLE ? 0 : offset + from, to - from, 1]);
    return;
  }
  let at = from;
  while (at < to) {
    const index = Math.floor(at / length);
    const within = at - index * length;
    const whole = within === 0 ? Math.floor((to - at) / length) : 0;
    if (whole > 0) {
      into.push([row + index, 0, length, whole]);
      at += whole * length;
    } else {
      const bytes = Math.min(length - within, to - at);
      into.push([row + index, within, bytes, 1]);
      at += bytes;
    }
  }
}

function push(into: Run[], run: Run): void {
  const last = into.at(-1);
  if (last === undefined) {
    into.push(run);
    return;
  }
  const [row, offset, length, count] = last;
  const [nextRow, nextOffset, nextLength, nextCount] = run;
  const bothHoles = row === HOLE && nextRow === HOLE;
  const sameRow = row !== HOLE && count === 1 && nextCount === 1 && row === nextRow && offset + length === nextOffset;
  const nextRows = row !== HOLE && row + count === nextRow && length === nextLength && offset === 0 && nextOffset === 0;
  if (bothHoles || sameRow) into[into.length - 1] = [row, offset, length + nextLength, 1];
  else if (nextRows) into[into.length - 1] = [row, 0, length, count + nextCount];
  else into.push(run);
}
