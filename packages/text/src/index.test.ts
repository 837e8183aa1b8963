/** The public exports, listed a second time on purpose: every change to them must be repeated here. */
import { expect, test } from "vitest";
import * as text from "./index.ts";

test("index exports this list and nothing else", () => {
  expect(Object.keys(text).sort()).toEqual([
    "MAX_HEADING",
    "PatchError",
    "applyHunks",
    "defaultFunctionName",
    "diffLines",
    "groupHunks",
    "hunkRange",
    "isBlankLine",
    "isIncomplete",
    "isSpace",
    "lineBytes",
    "mergeText",
    "parsePatch",
    "sliceLines",
    "splitLines",
    "unifiedHunks",
    "walkHunk",
  ]);
});
