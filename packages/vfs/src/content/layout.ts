/**
 * Bytes that a spool has written: runs of content rows. Pure arithmetic, no SQL. A run `[row, offset, length, count]` is `length`
 * bytes from `offset` of `row`, and of the `count - 1` rows after it (then `offset` is 0); row 0 is a hole of zeros.
 */
export type Run = readonly [row: number, offset: number, length: number, count: number];

export interface RowSlice {
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

/** Concatenates, and merges neighbors that fit one run. */
export function joinRuns(...lists: readonly (readonly Run[])[]): Run[] {
  const joined: Run[] = [];
  for (const list of lists) for (const run of list) push(joined, run);
  return joined;
}

/** Every row that the runs point at, once. */
export function rowsOf(runs: readonly Run[]): Set<number> {
  const rows = new Set<number>();
  for (const [row, , , count] of runs) {
    if (row !== HOLE) for (let i = 0; i < count; i++) rows.add(row + i);
  }
  return rows;
}

function push(into: Run[], run: Run): void {
  const last = into.at(-1);
  const follows = last !== undefined && last[0] + last[3] === run[0] && last[2] === run[2] && last[1] + run[1] === 0;
  if (follows) into[into.length - 1] = [last[0], 0, last[2], last[3] + run[3]];
  else into.push(run);
}
