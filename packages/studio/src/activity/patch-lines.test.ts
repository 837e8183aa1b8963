import { describe, expect, it } from "vitest";
import { patchLines } from "./patch-lines.ts";

describe("patchLines", () => {
  it("patchLines numbers both sides, keeps content that begins with a sign, and skips other lines", () => {
    const patch = [
      "diff --git a/x b/x",
      "--- a/x",
      "+++ b/x",
      "@@ -3,3 +3,3 @@ heading",
      " same",
      "--- gone",
      "+++ come",
      " end",
      "\\ No newline at end of file",
      "",
    ].join("\n");
    expect(patchLines(patch)).toEqual([
      { kind: "hunk", text: "Line 3 heading" },
      { kind: "same", text: "same", before: 3, after: 3 },
      { kind: "removed", text: "-- gone", before: 4 },
      { kind: "added", text: "++ come", after: 4 },
      { kind: "same", text: "end", before: 5, after: 5 },
    ]);
  });
});
