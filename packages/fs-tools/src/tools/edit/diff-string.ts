/** Diffs for people and models: numbered lines, or a unified patch. */
import { diffLines, groupHunks, lineBytes, splitLines, type TextLines, unifiedHunks, walkHunk } from "@workspace/text";
import { changedRegion } from "./changed-region.ts";

const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

export interface DiffString {
  /** Lines marked `+`, `-` or blank, each with its number; a line `…` separates hunks. */
  diff: string;
  /** In the new text, from 1; undefined when nothing changed. */
  firstChangedLine: number | undefined;
}

export function generateDiffString(before: string, after: string, contextLines = 4): DiffString {
  const [oldLines, newLines] = [splitLines(before), splitLines(after)];
  const changes = diffLines(oldLines, newLines);
  const width = String(Math.max(oldLines.count, newLines.count)).length;
  const out: string[] = [];
  for (const hunk of groupHunks(oldLines, newLines, changes, { context: contextLines })) {
    if (hunk.oldStart > 0 || hunk.newStart > 0) out.push("…");
    walkHunk(hunk, (kind, line) => {
      const text = decoder.decode(lineBytes(kind === "-" ? oldLines : newLines, line)).replace(/\r?\n$/, "");
      out.push(`${kind}${String(line + 1).padStart(width)} ${text}`);
    });
  }
  const first = changes[0];
  return { diff: out.join("\n"), firstChangedLine: first === undefined ? undefined : first.newStart + 1 };
}

/** Creates a unified diff with headers, as `git diff` does; empty if the texts are equal. A long diff is truncated. */
export function generateUnifiedPatch(path: string, before: string, after: string, contextLines = 3): string {
  const region = changedRegion(before, after);
  const options = { context: contextLines, linesBefore: region.linesBefore };
  const [oldLines, newLines] = [splitLines(region.before), splitLines(region.after)];
  const hunks = decoder.decode(unifiedHunks(firstLines(oldLines), firstLines(newLines), options));
  const name = path.replace(/^\/+/, "");
  const rest = Math.max(oldLines.count, newLines.count) > MAX_DIFF_LINES ? REST : "";
  return hunks === "" ? rest : `--- a/${name}\n+++ b/${name}\n${hunks}${rest}`;
}

/** The cost of a diff grows faster than its lines. */
export const MAX_DIFF_LINES = 20_000;
const REST = `[only the first ${MAX_DIFF_LINES} lines from the first change on are compared]\n`;

function firstLines({ bytes, starts, count }: TextLines): TextLines {
  const shown = Math.min(count, MAX_DIFF_LINES);
  return { bytes: bytes.subarray(0, starts[shown]), starts: starts.subarray(0, shown + 1), count: shown };
}
