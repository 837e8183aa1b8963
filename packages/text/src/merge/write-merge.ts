/** Writes the merged text: our text, with each region replaced by the chosen side or by a conflict with markers. */

import { joinBytes } from "../join-bytes.ts";
import { sliceLines, type TextLines } from "../text-lines.ts";
import type { MergeRegion } from "./merge-regions.ts";
import type { MergeTextOptions, MergeTexts } from "./merge-text.ts";

const LF = 10;
const CR = 13;
const encoder = new TextEncoder();

export function writeMerge(texts: MergeTexts, regions: readonly MergeRegion[], options: MergeTextOptions): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const region of regions) {
    const { ourStart, ourCount, theirStart, theirCount } = region;
    const take = region.take === "conflict" && options.favor ? options.favor : region.take;
    if (take === "same") continue;
    parts.push(sliceLines(texts.ours, at, ourStart - at));
    if (take === "conflict") parts.push(...conflict(texts, region, options));
    if (take === "ours") parts.push(sliceLines(texts.ours, ourStart, ourCount));
    if (take === "union") parts.push(...ended(texts.ours, ourStart, ourCount, lineEnd(texts, region)));
    if (take === "theirs" || take === "union") parts.push(sliceLines(texts.theirs, theirStart, theirCount));
    at = ourStart + ourCount;
  }
  parts.push(sliceLines(texts.ours, at, texts.ours.count - at));
  return joinBytes(parts);
}

function conflict(texts: MergeTexts, region: MergeRegion, options: MergeTextOptions): Uint8Array[] {
  const { labels = {}, style = "merge" } = options;
  const size = options.markerSize && options.markerSize > 0 ? options.markerSize : 7;
  const end = lineEnd(texts, region);
  const marker = (sign: string, label?: string) =>
    encoder.encode(`${sign.repeat(size)}${label === undefined ? "" : ` ${label}`}${end}`);
  return [
    marker("<", labels.ours),
    ...ended(texts.ours, region.ourStart, region.ourCount, end),
    ...(style === "merge"
      ? []
      : [marker("|", labels.base), ...ended(texts.base, region.baseStart, region.baseCount, end)]),
    marker("="),
    ...ended(texts.theirs, region.theirStart, region.theirCount, end),
    marker(">", labels.theirs),
  ];
}

/** The lines, with a line ending added to the last one if it lacks one. */
function ended(lines: TextLines, start: number, count: number, end: string): Uint8Array[] {
  if (count === 0) return [];
  const bytes = sliceLines(lines, start, count);
  return bytes[bytes.length - 1] === LF ? [bytes] : [bytes, encoder.encode(end)];
}

/** Markers end like the lines around them: "\r\n" when both sides and the base do so. */
function lineEnd({ base, ours, theirs }: MergeTexts, { ourStart, theirStart }: MergeRegion): string {
  for (const [lines, start] of [
    [ours, ourStart],
    [theirs, theirStart],
  ] as const) {
    if (endsWithCr(lines, Math.max(start - 1, 0)) === false) return "\n";
  }
  return endsWithCr(base, 0) === true ? "\r\n" : "\n";
}

/** Null: no line ending to decide by. */
function endsWithCr(lines: TextLines, line: number): boolean | null {
  if (lines.count === 0) return null;
  const isLast = line >= lines.count - 1;
  if (!isLast || lines.bytes[(lines.starts[line + 1] as number) - 1] === LF) return crBeforeEnd(lines, line);
  return line === 0 ? null : crBeforeEnd(lines, line - 1);
}

function crBeforeEnd(lines: TextLines, line: number): boolean {
  const end = lines.starts[line + 1] as number;
  return end - (lines.starts[line] as number) > 1 && lines.bytes[end - 2] === CR;
}
