/** The change of a commit to selected lines of one file, for `log -L`. */
import type { LineChange, TextLines } from "@workspace/text";

/** [start, end) from 0. */
export type Range = readonly [number, number];

export interface LineRangeChange {
  /** Null: the commit created the file. */
  readonly oldPath: string | null;
  readonly path: string;
  readonly before: TextLines;
  readonly after: TextLines;
  /** Of the new version. */
  readonly ranges: readonly Range[];
  /** Those within the ranges. */
  readonly changes: readonly LineChange[];
}
