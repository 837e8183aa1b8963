/** The patch of `log -L`: every range completely, without context. */
import { lineBytes, type TextLines } from "@workspace/text";
import type { DiffOptions } from "../diff/diff-options.ts";
import type { LineRangeChange } from "../diff/line-range-change.ts";
import { quotePath } from "../text/quote-path.ts";
import type { OutputBuffer } from "./output-buffer.ts";
import { writeFileName, writeHunkHeader, writeMeta } from "./patch-lines.ts";

const LF = 10;
const EMPTY = new Uint8Array(0);

export function writeLineRangeChange(sink: OutputBuffer, change: LineRangeChange, options: DiffOptions): void {
  const { oldPath, path } = change;
  const label = (prefix: string, name: string) => quotePath(`${prefix}/${name}`);
  writeMeta(sink, `diff --git ${label("a", oldPath ?? path)} ${label("b", path)}`, options);
  writeFileName(sink, "---", oldPath === null ? "/dev/null" : label("a", oldPath), options);
  writeFileName(sink, "+++", label("b", path), options);
  // A change that spans two ranges is shown with the first.
  let next = 0;
  const { changes } = change;
  for (const [from, to] of change.ranges) {
    while (next < changes.length && changeEnd(changes[next] as LineLogChange) < from) next++;
    const first = next;
    while (next < changes.length && (changes[next] as LineLogChange).newStart < to) next++;
    if (next > first) writeRange(sink, change, [from, to], changes.slice(first, next), options);
  }
}

type LineLogChange = LineRangeChange["changes"][number];

function changeEnd({ newStart, newCount }: LineLogChange): number {
  return newStart + newCount;
}

function writeRange(
  sink: OutputBuffer,
  { before, after }: LineRangeChange,
  [from, to]: readonly [number, number],
  changes: readonly LineLogChange[],
  options: DiffOptions,
): void {
  const [first, last] = [changes[0] as LineLogChange, changes.at(-1) as LineLogChange];
  const start = first.oldStart - Math.max(0, first.newStart - from);
  const end = last.oldStart + last.oldCount + Math.max(0, to - changeEnd(last));
  const old = start === 0 && end === 0 ? "0,0" : `${start + 1},${end - start}`;
  writeHunkHeader(sink, `@@ -${old} +${from + 1},${to - from} @@`, EMPTY, options);
  let at = from;
  const upTo = (line: number, kind: "new" | "context") => {
    for (; at < Math.min(line, to); at++) writeWholeLine(sink, after, at, kind, options);
  };
  for (const change of changes) {
    upTo(change.newStart, "context");
    for (let i = 0; i < change.oldCount; i++) writeWholeLine(sink, before, change.oldStart + i, "old", options);
    upTo(changeEnd(change), "new");
  }
  upTo(to, "context");
}

/** In one color, including the sign. */
function writeWholeLine(
  sink: OutputBuffer,
  lines: TextLines,
  index: number,
  kind: "old" | "new" | "context",
  { color, linePrefix }: DiffOptions,
): void {
  const line = lineBytes(lines, index);
  const ends = line.at(-1) === LF;
  const sign = kind === "old" ? "-" : kind === "new" ? "+" : " ";
  sink.text(`${linePrefix}${color ? color[kind] : ""}${sign}`);
  sink.bytes(ends ? line.subarray(0, -1) : line);
  sink.text(`${color ? color.reset : ""}\n`);
  if (!ends) sink.text(`${linePrefix}\\ No newline at end of file\n`);
}
