/** The lines of a unified diff's hunks, numbered on both sides, without file headers. */
export interface PatchLine {
  kind: "same" | "added" | "removed" | "hunk";
  text: string;
  before?: number;
  after?: number;
}

export function patchLines(patch: string): PatchLine[] {
  const lines: PatchLine[] = [];
  let before = 0;
  let after = 0;
  let inHunk = false;
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line);
    if (hunk !== null) {
      inHunk = true;
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      lines.push({ kind: "hunk", text: `Line ${after}${hunk[3] ?? ""}` });
    } else if (!inHunk) continue;
    else if (line.startsWith("+")) lines.push({ kind: "added", text: line.slice(1), after: after++ });
    else if (line.startsWith("-")) lines.push({ kind: "removed", text: line.slice(1), before: before++ });
    else if (line.startsWith(" ")) lines.push({ kind: "same", text: line.slice(1), before: before++, after: after++ });
  }
  return lines;
}
