/**
 * Maps line ranges to the previous version: a change within a range is included whole; other lines shift by the changes before
 * them.
 */
import type { LineChange } from "@workspace/text";
import type { Range } from "../../diff/line-range-change.ts";
import { joinRanges } from "../blame/line-range.ts";

export interface MappedRanges {
  /** Changes within the ranges, in order. */
  readonly touched: readonly LineChange[];
  /** The same lines in the previous version; empty: these changes added them. */
  readonly before: readonly Range[];
}

/** `ranges`: sorted and disjoint, in the new version. */
export function mapRanges(ranges: readonly Range[], changes: readonly LineChange[]): MappedRanges {
  const touched = changes.filter((change) => {
    const end = change.newStart + change.newCount;
    return ranges.some(([from, to]) => change.newStart < to && from < end);
  });
  const before: Range[] = touched.map(({ oldStart, oldCount }) => [oldStart, oldStart + oldCount]);
  for (const [from, to] of ranges) {
    let at = from;
    for (const { newStart, newCount } of touched) {
      if (newStart + newCount <= at || newStart >= to) continue;
      if (newStart > at) before.push(moved([at, newStart], changes));
      at = Math.max(at, newStart + newCount);
    }
    if (at < to) before.push(moved([at, to], changes));
  }
  return { touched, before: joinRanges(before.filter(([from, to]) => from < to)) };
}

function moved([from, to]: Range, changes: readonly LineChange[]): Range {
  let shift = 0;
  for (const { newStart, newCount, oldCount } of changes) if (newStart <= from) shift += oldCount - newCount;
  return [from + shift, to + shift];
}
