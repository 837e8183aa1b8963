/** Text algorithms: diff, three-way merge, patches, line endings, edit distance. Pure functions without imports. */
export {
  type DiffAlgorithm,
  type DiffLinesOptions,
  diffLines,
  type LineChange,
} from "./diff/diff-lines.ts";
export { defaultFunctionName, type FunctionName, MAX_HEADING } from "./diff/function-name.ts";
export { groupHunks, type Hunk, type HunkOptions } from "./diff/hunks.ts";
export { type HunkLineKind, hunkRange, unifiedHunks, walkHunk } from "./diff/unified.ts";
export {
  type ConflictStyle,
  type Favor,
  type MergeLevel,
  type MergeTextOptions,
  type MergeTextResult,
  mergeText,
} from "./merge/merge-text.ts";
export { type AppliedHunk, type AppliedHunks, type ApplyHunksOptions, applyHunks } from "./patch/apply-hunks.ts";
export {
  type BinaryHunk,
  type BinaryPatch,
  type FilePatch,
  PatchError,
  type PatchHunk,
  type PatchLine,
} from "./patch/file-patch.ts";
export type { StripGuess } from "./patch/parse-header.ts";
export { type ParsePatchOptions, parsePatch } from "./patch/parse-patch.ts";
export { isIncomplete, lineBytes, sliceLines, splitLines, type TextLines } from "./text-lines.ts";
export { isBlankLine, isSpace, type WhitespaceRule } from "./whitespace.ts";
