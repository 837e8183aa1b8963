/** Selects the files of one patch: places their names, reverses them for -R, and checks their white space. */
import { type FilePatch, PatchError, type PatchHunk, type PatchLine, parsePatch } from "@workspace/text";
import { checkLine, describeErrors, type WhitespaceRules } from "../../diff/whitespace-rules.ts";
import { GitError } from "../../errors.ts";
import { decode } from "../../text/bytes.ts";
import { wildmatch } from "../../text/wildmatch.ts";
import type { ApplyContext, ApplyOptions } from "./apply-options.ts";
import { patchName } from "./patch-name.ts";

export interface WhitespaceLog {
  /** Number of errors so far. */
  count: number;
  fixed: number;
  /** Prints an error, unless the limit is reached. */
  record(line: number, what: string, text: string): void;
}

const SQUELCH = 5;

export function createWhitespaceLog(print: (text: string) => void, source: string, action: string): WhitespaceLog {
  return {
    count: 0,
    fixed: 0,
    record(line, what, text) {
      this.count++;
      if (action === "error-all" || this.count <= SQUELCH) print(`${source}:${line}: ${what}.\n${text}\n`);
    },
  };
}

export interface ReadPatches {
  readonly patches: FilePatch[];
  readonly skipped: number;
}

/** Stops at text that is no patch; a malformed patch is git's error, exit code 128. */
export function readPatches(
  position: ApplyContext,
  input: Uint8Array,
  options: ApplyOptions,
  rulesOf: (path: string) => WhitespaceRules,
  log: WhitespaceLog,
): ReadPatches {
  let parsed: FilePatch[];
  try {
    parsed = parsePatch(input, {
      strip: options.strip,
      guess: position.guess,
      firstLine: position.firstLine,
      recount: options.recount,
      needsChange: options.apply || options.check,
    });
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    throw new GitError("EINVAL", error.message, { prefix: "error", exitCode: 128, cause: error });
  }
  const patches: FilePatch[] = [];
  let skipped = 0;
  for (const file of parsed) {
    const placed = placedPatch(position, file, options);
    const patch = options.reverse ? reversed(placed) : placed;
    const isMeant = isWanted(position, placed, options);
    if (isMeant) checkWhitespace(placed, options, rulesOf((placed.newName ?? placed.oldName) as string), log);
    if (isMeant && placed.isDelete !== true && placed.hunks.length > 0 && becomesEmpty(placed)) {
      position.print(`** warning: file ${placed.newName} becomes empty but is not deleted\n`);
    }
    if (!isMeant) {
      skipped++;
      if (options.verbosity === "verbose") position.print(`Skipped patch '${patchName(placed)}'.\n`);
    }
    if (!isMeant) continue;
    if (options.reverse) patches.unshift(patch);
    else patches.push(patch);
  }
  return { patches, skipped };
}

function becomesEmpty({ hunks }: FilePatch): boolean {
  return hunks.every(({ lines }) => lines.every(({ kind }) => kind === "-")) && hunks.length > 1;
}

/** Names in plain patches are relative to the current directory, in git's patches to the top. */
function placedPatch({ prefix }: ApplyContext, patch: FilePatch, { directory }: ApplyOptions): FilePatch {
  const before = `${patch.isGit ? "" : prefix}${directory}`;
  const put = (name: string | null) => (name === null ? null : before + name);
  return before === "" ? patch : { ...patch, oldName: put(patch.oldName), newName: put(patch.newName) };
}

function reversed(patch: FilePatch): FilePatch {
  const { binary } = patch;
  return {
    ...patch,
    oldName: patch.newName,
    newName: patch.oldName,
    ...(patch.newMode !== 0 || patch.isDelete === true ? { oldMode: patch.newMode, newMode: patch.oldMode } : {}),
    isNew: patch.isDelete,
    isDelete: patch.isNew,
    oldId: patch.newId,
    newId: patch.oldId,
    added: patch.removed,
    removed: patch.added,
    binary:
      binary === null || binary === "announced" || binary.backward === null
        ? binary
        : { forward: binary.backward, backward: binary.forward },
  };
}

function isWanted({ prefix }: ApplyContext, patch: FilePatch, { limits }: ApplyOptions): boolean {
  const path = (patch.newName ?? patch.oldName) as string;
  if (prefix !== "" && !path.startsWith(prefix)) return false;
  for (const { pattern, include } of limits) if (wildmatch(pattern, path)) return include;
  return !limits.some(({ include }) => include);
}

export function isBlankLine(line: Uint8Array): boolean {
  return line.every((byte) => byte === 32 || (byte >= 9 && byte <= 13));
}

export function hasCarriageReturns({ hunks }: FilePatch, reverse: boolean): boolean {
  return hunks.some(({ lines }) => lines.some((line) => isOldWithReturn(line, reverse)));
}

function isOldWithReturn({ kind, text }: Pick<PatchLine, "kind" | "text">, reverse: boolean): boolean {
  return kind !== (reverse ? "-" : "+") && text[text.length - 1] === 10 && text[text.length - 2] === 13;
}

function checkWhitespace(patch: FilePatch, options: ApplyOptions, rules: WhitespaceRules, log: WhitespaceLog): void {
  if (options.whitespace === "nowarn") return;
  const kinds = options.reverse ? "-" : options.whitespace === "fix" ? "+ " : "+";
  // New lines may end with a carriage return if old ones do.
  let known = rules;
  for (const hunk of patch.hunks as readonly PatchHunk[]) {
    for (const { kind, text, line } of hunk.lines) {
      if (isOldWithReturn({ kind, text }, options.reverse)) known = { ...rules, crAtEol: true };
      if (!kinds.includes(kind)) continue;
      const { found } = checkLine(text, known);
      if (found.size > 0)
        log.record(
          line,
          describeErrors(found),
          decode(text).replace(/\n$/, () => ""),
        );
    }
  }
}
