/** Parses one hunk: its header and as many lines as the header states or, with `recount`, as there are. */
import type { PatchHunk, PatchLine } from "./file-patch.ts";
import type { PatchReader } from "./patch-reader.ts";

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const LF = 10;
/** Minimum length of a "\ No newline" line in any language. */
const MIN_MARKER = 12;

export interface HunkCounts {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** Null: not a hunk header. */
export function parseHunkHeader(text: string): HunkCounts | null {
  const match = HEADER.exec(text.length > 200 ? text.slice(0, 200) : text);
  if (!match) return null;
  const [, oldStart, oldCount = "1", newStart, newCount = "1"] = match;
  const counts = [oldStart, oldCount, newStart, newCount].map(Number);
  if (counts.some((count) => count > 0x7fffffff)) return null;
  const [a, b, c, d] = counts as [number, number, number, number];
  return { oldStart: a, oldCount: b, newStart: c, newCount: d };
}

/** Null: it is corrupt; `reader.line` is where. */
export function parseHunk(reader: PatchReader, recount: boolean): PatchHunk | null {
  const header = parseHunkHeader(reader.text());
  if (header === null) return null;
  const start = reader.at;
  const { line } = reader;
  reader.skip();
  const counts = recount ? recounted(reader, header) : header;
  let { oldCount: oldLeft, newCount: newLeft } = counts;
  const lines: PatchLine[] = [];
  let leading = 0;
  let trailing = 0;
  let changed = false;
  while (!reader.isAtEnd && (oldLeft > 0 || newLeft > 0)) {
    const text = reader.peek() as Uint8Array;
    if (text[text.length - 1] !== LF) return null;
    const first = String.fromCharCode(text[0] as number);
    switch (first) {
      case "\n":
      case " ":
        oldLeft--;
        newLeft--;
        if (!changed) leading++;
        trailing++;
        lines.push({ kind: " ", text: first === " " ? text.subarray(1) : text, line: reader.line });
        break;
      case "-":
        oldLeft--;
        changed = true;
        trailing = 0;
        lines.push({ kind: "-", text: text.subarray(1), line: reader.line });
        break;
      case "+":
        newLeft--;
        changed = true;
        trailing = 0;
        lines.push({ kind: "+", text: text.subarray(1), line: reader.line });
        break;
      case "\\":
        if (!isMarker(text)) return null;
        dropNewline(lines);
        break;
      default:
        return null;
    }
    reader.skip();
  }
  if (oldLeft !== 0 || newLeft !== 0) return null;
  if (!recount && !changed) return null;
  const after = reader.peek();
  if (after && isMarker(after)) {
    dropNewline(lines);
    reader.skip();
  }
  return { ...counts, lines, leading, trailing, line, text: reader.bytes.subarray(start, reader.at) };
}

function isMarker(text: Uint8Array): boolean {
  return text.length >= MIN_MARKER && text[0] === 92 && text[1] === 32;
}

function dropNewline(lines: PatchLine[]): void {
  const last = lines.pop();
  if (last)
    lines.push({ ...last, text: last.text[last.text.length - 1] === LF ? last.text.subarray(0, -1) : last.text });
}

/** Counts the existing lines up to the next header. */
function recounted(reader: PatchReader, header: HunkCounts): HunkCounts {
  let oldCount = 0;
  let newCount = 0;
  for (let at = reader.at; at < reader.bytes.length; at = reader.endOf(at)) {
    const first = reader.bytes[at];
    if (first === 32 || first === LF) {
      oldCount++;
      newCount++;
    } else if (first === 45) {
      // "-- " before a version number ends a mail.
      if (reader.startsWith("-- \n", at)) break;
      oldCount++;
    } else if (first === 43) newCount++;
    else if (first === 92) continue;
    else break;
  }
  return { ...header, oldCount, newCount };
}
