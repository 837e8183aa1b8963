/** `--check`: whitespace errors and leftover conflict markers on added lines. */
import { lineBytes, walkHunk } from "@workspace/text";
import type { DiffOptions } from "../diff/diff-options.ts";
import type { FileContents } from "../diff/file-contents.ts";
import { exists, type FilePair } from "../diff/file-pair.ts";
import { checkLine, describeErrors, whitespaceRules } from "../diff/whitespace-rules.ts";
import type { OutputBuffer } from "./output-buffer.ts";
import { writeChecked } from "./patch-lines.ts";
import { stripped } from "./patch-names.ts";
import { blankTailStart, diffText, hunksOf } from "./patch-text.ts";

/** True: something was found. */
export async function writeCheck(
  sink: OutputBuffer,
  contents: FileContents,
  pair: FilePair,
  options: DiffOptions,
): Promise<boolean> {
  if (pair.unmerged || !exists(pair.new) || (await contents.isBinary(pair.new))) return false;
  const [before, after] = [await contents.content(pair.old), await contents.content(pair.new)];
  if (before === null || after === null) return false;
  const rules = whitespaceRules(options.whitespaceRules, contents.whitespaceAttribute(pair.new.path));
  const diff = diffText(before, after, options);
  const name = stripped(pair.new.path, options.relative);
  const { linePrefix, color } = options;
  const [set, reset, error] = [color?.new ?? "", color?.reset ?? "", color?.whitespace ?? ""];
  const markerSize = contents.markerSize(pair.new.path);
  let found = false;
  for (const hunk of hunksOf(diff, { ...options, context: 1, functionContext: false })) {
    walkHunk(hunk, (sign, line) => {
      if (sign !== "+") return;
      const bytes = lineBytes(diff.new, line);
      const at = `${linePrefix}${name}:${line + 1}:`;
      if (isConflictMarker(bytes, markerSize)) {
        found = true;
        sink.text(`${at} leftover conflict marker\n`);
      }
      const errors = checkLine(bytes, rules);
      if (errors.found.size === 0) return;
      found = true;
      sink.text(`${at} ${describeErrors(errors.found)}.\n${linePrefix}${set}+${reset}`);
      writeChecked(sink, bytes, errors, set, { reset, whitespace: error });
      if (bytes[bytes.length - 1] !== 10) sink.text("\n");
    });
  }
  const blank = rules.blankAtEof ? blankTailStart(diff) : Number.POSITIVE_INFINITY;
  if (blank < Number.POSITIVE_INFINITY) {
    found = true;
    sink.text(`${linePrefix}${name}:${blank + 1}: new blank line at EOF.\n`);
  }
  return found;
}

function isConflictMarker(line: Uint8Array, size: number): boolean {
  const sign = line[0] as number;
  if (!"=><|".includes(String.fromCharCode(sign))) return false;
  for (let at = 1; at < size; at++) if (line[at] !== sign) return false;
  const after = line[size];
  if (after === undefined) return sign === 61;
  return after === 32 || (after >= 9 && after <= 13);
}
