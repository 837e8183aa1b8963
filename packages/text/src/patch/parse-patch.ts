/**
 * Parses patches, git's and plain unified ones, with any surrounding text (a mail, a log). Refuses what git refuses, in its
 * words, and skips what git skips.
 */
import { toBytes } from "../text-lines.ts";
import { type BinaryPatch, type FilePatch, PatchError, type PatchHunk } from "./file-patch.ts";
import { parseBinary } from "./parse-binary.ts";
import { type Header, parseGitHeader, parsePlainHeader, type StripGuess } from "./parse-header.ts";
import { parseHunk, parseHunkHeader } from "./parse-hunk.ts";
import { PatchReader } from "./patch-reader.ts";

export interface ParsePatchOptions {
  /** Leading directories to strip from names; absent: 1, or 0 for plain names without any. */
  strip?: number;
  /** Used if `strip` is absent; default: detected per patch, at the top of a work tree. */
  guess?: StripGuess;
  /** The number of its first line, for errors and for `PatchLine.line`; default 1. */
  firstLine?: number;
  /** Do not trust the counts in hunk headers. */
  recount?: boolean;
  /** A file patch without a change is an error; default true. */
  needsChange?: boolean;
}

export function parsePatch(input: string | Uint8Array, options: ParsePatchOptions = {}): FilePatch[] {
  const reader = new PatchReader(toBytes(input));
  reader.line = options.firstLine ?? 1;
  const patches: FilePatch[] = [];
  for (let header = nextHeader(reader, options); header !== null; header = nextHeader(reader, options)) {
    patches.push(parseFile(reader, header, options));
  }
  return patches;
}

/** Moves to the line after the next header; null: there is none. */
function nextHeader(reader: PatchReader, { strip, guess: shared }: ParsePatchOptions): Header | null {
  const guess: StripGuess =
    strip === undefined && shared ? shared : { prefix: "", root: "", strip: strip ?? 1, isKnown: strip !== undefined };
  for (; !reader.isAtEnd; reader.skip()) {
    if (reader.startsWith("@@ -") && parseHunkHeader(reader.text()) !== null) {
      throw new PatchError(`patch fragment without header at line ${reader.line}: ${reader.text()}`, reader.line);
    }
    if (reader.startsWith("diff --git ")) {
      const [at, line] = [reader.at, reader.line];
      const header = parseGitHeader(reader, guess.strip);
      // A line like this alone, as a log quotes it, is not a header.
      if (header !== null && reader.line > line + 1) return header;
      reader.at = at;
      reader.line = line;
      continue;
    }
    if (!reader.startsWith("--- ")) continue;
    const next = reader.endOf();
    if (!reader.startsWith("+++ ", next) || !reader.startsWith("@@ -", reader.endOf(next))) continue;
    return parsePlainHeader(reader, guess);
  }
  return null;
}

function parseFile(reader: PatchReader, header: Header, options: ParsePatchOptions): FilePatch {
  const hunks: PatchHunk[] = [];
  let added = 0;
  let removed = 0;
  let context = 0;
  while (reader.startsWith("@@ -")) {
    const hunk = parseHunk(reader, options.recount ?? false);
    if (hunk === null) throw new PatchError(`corrupt patch at line ${reader.line}`, reader.line);
    for (const { kind } of hunk.lines) {
      if (kind === "+") added++;
      else if (kind === "-") removed++;
      else context++;
    }
    hunks.push(hunk);
  }
  const patch: FilePatch = { ...header, hunks, binary: null, added, removed };
  const [oldLines, newLines] = [removed + context, added + context];
  if (patch.isNew === "maybe" && (oldLines > 0 || hunks.length > 1)) patch.isNew = false;
  if (patch.isDelete === "maybe" && (newLines > 0 || hunks.length > 1)) patch.isDelete = false;
  if (patch.isNew === true && oldLines > 0) {
    throw new PatchError(`new file ${patch.newName} depends on old contents`, reader.line);
  }
  if (patch.isDelete === true && newLines > 0) {
    throw new PatchError(`deleted file ${patch.oldName} still has contents`, reader.line);
  }
  if (hunks.length > 0) return patch;
  const binary = parseBinaryPart(reader);
  if (binary === null && (options.needsChange ?? true) && !changesMetadata(patch)) {
    throw new PatchError(`patch with only garbage at line ${reader.line}`, reader.line);
  }
  return { ...patch, binary };
}

function parseBinaryPart(reader: PatchReader): BinaryPatch | null {
  if (reader.isAtEnd) return null;
  const text = reader.text();
  if (text === "GIT binary patch") {
    reader.skip();
    return parseBinary(reader);
  }
  if (!/^(Binary files |Files ).* differ$/.test(text.length < 20_000 ? text : "")) return null;
  reader.skip();
  return "announced";
}

function changesMetadata({ isNew, isDelete, isRename, isCopy, oldMode, newMode }: FilePatch): boolean {
  return isNew === true || isDelete === true || isRename || isCopy || (newMode !== 0 && oldMode !== newMode);
}
