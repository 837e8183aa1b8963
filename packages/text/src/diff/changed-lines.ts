/**
 * Result of a diff algorithm: for each line of both texts, whether it is changed. Algorithms only set marks. Later steps group
 * the marks into changes and choose the position of a change that can slide.
 */

export interface ChangedLines {
  /** 1: removed. */
  readonly old: Uint8Array;
  /** 1: added. */
  readonly new: Uint8Array;
}

/** A range of both texts: lines [oldStart, oldEnd) against [newStart, newEnd). */
export interface Range {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export function markRange(marks: ChangedLines, range: Range): void {
  marks.old.fill(1, range.oldStart, range.oldEnd);
  marks.new.fill(1, range.newStart, range.newEnd);
}
