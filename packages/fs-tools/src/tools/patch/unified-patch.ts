/**
 * Applies a unified diff, git's or plain, in memory: every hunk must find its lines near its line number. Counts in hunk headers
 * are recounted, as `git apply --recount` does, because models get them wrong. A patch in LF applies to a file in CRLF.
 */
import { type AppliedHunks, applyHunks, type FilePatch, PatchError, type PatchHunk, parsePatch } from "@workspace/text";
import { finishInTurns, type Work } from "../../definition/work.ts";
import { ToolError } from "../../errors.ts";
import { explainHunk } from "./explain-hunk.ts";
import { checkFileCount, type PatchedFile, type ReadForPatch } from "./patch-plan.ts";

const EXECUTABLE = 0o100755;
const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

/** `path` names the file for a patch that consists of hunks only. */
export async function planUnifiedPatch(
  text: string,
  path: string | undefined,
  read: ReadForPatch,
  maxFiles: number,
): Promise<PatchedFile[]> {
  const plain = withoutCrInHeaders(text);
  const source = path === undefined ? plain : withHeader(plain);
  const patches = parse(source, path !== undefined);
  if (patches.length === 0)
    throw new ToolError(
      "PATCH_CORRUPT",
      "There is no patch in it: give `--- a/file` and `+++ b/file` with hunks, a `*** Begin Patch` block, or bare hunks with path.",
    );
  if (path !== undefined && patches.length > 1)
    throw new ToolError("INVALID_INPUT", "With path the patch must be of that file alone.", { field: "patch" });
  checkFileCount(patches.length, maxFiles);
  const files: PatchedFile[] = [];
  for (const patch of patches)
    files.push(
      await planFile(
        path === undefined ? patch : { ...patch, oldName: path, newName: patch.isDelete === true ? null : path },
        read,
      ),
    );
  return files;
}

/**
 * For a patch sent with CRLF throughout: a name does not end in CR. Lines of hunks stay unchanged, since the CR may be the file's
 * own.
 */
function withoutCrInHeaders(text: string): string {
  if (!text.includes("\r\n")) return text;
  return text
    .replace(/^(--- .*)\r\n(\+\+\+ .*)\r\n/gm, (_, before: string, after: string) => `${before}\n${after}\n`)
    .replace(GIT_HEADER, (_, line: string) => `${line}\n`);
}

const GIT_HEADER =
  /^((?:diff --git|index|similarity index|rename from|rename to|copy from|copy to|(?:old|new|new file|deleted file) mode) .*)\r\n/gm;

/** Bare hunks get a header; an existing header stays, and its names are ignored. */
function withHeader(text: string): string {
  return /^(---|diff --git) /m.test(text) ? text : `--- a/file\n+++ b/file\n${text.replace(/^\n+/, "")}`;
}

/**
 * Uses the counts in the headers if they cover every line, otherwise recounts. A count that is too small would silently drop lines;
 * recounting alone would take the next file's header for lines of this one, so files are separated first.
 */
function parse(text: string, named: boolean): FilePatch[] {
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  const options = named ? { strip: 1 } : {};
  const counted = attempt(() => parsePatch(whole, options));
  if (Array.isArray(counted) && coversAll(whole, counted)) return counted;
  const apart = whole.replace(/^([ +\\-].*\n|\n)(?=--- .*\n\+\+\+ .*\n@@ )/gm, (line) => `${line}diff\n`);
  const recounted = attempt(() => parsePatch(apart, { ...options, recount: true }));
  if (Array.isArray(counted) && (!Array.isArray(recounted) || linesIn(counted) >= linesIn(recounted))) return counted;
  if (Array.isArray(recounted)) return recounted;
  const bare =
    !named && /^\s*@@ /.test(text) ? " These are hunks alone: pass path to say which file they are for." : "";
  const message = `The patch cannot be read: ${recounted.message}. Nothing was changed.${bare}`;
  throw new ToolError("PATCH_CORRUPT", message, { line: recounted.line }, { cause: recounted });
}

/** Only two lines of names, hunk headers and the lines they count: the patch is unambiguous. */
function coversAll(text: string, patches: readonly FilePatch[]): boolean {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  const headers = patches.reduce((sum, { hunks }) => sum + 2 + hunks.length, 0);
  return lines === headers + linesIn(patches);
}

function attempt<T>(created: () => T): T | PatchError {
  try {
    return created();
  } catch (error) {
    if (error instanceof PatchError) return error;
    throw error;
  }
}

function linesIn(patches: readonly FilePatch[]): number {
  return patches.reduce((sum, { hunks }) => sum + hunks.reduce((lines, hunk) => lines + hunk.lines.length, 0), 0);
}

async function planFile(patch: FilePatch, read: ReadForPatch): Promise<PatchedFile> {
  const { oldName, newName, hunks, added, removed } = patch;
  const name = newName ?? oldName ?? "";
  if (patch.binary !== null)
    throw new ToolError(
      "PATCH_FAILED",
      `The patch of ${name} is binary; only text can be patched. Nothing was changed.`,
    );
  if ((patch.newMode & 0o170000) === 0o120000)
    throw new ToolError(
      "PATCH_FAILED",
      `${name} would be a symbolic link; patches here are of files. Nothing was changed.`,
    );
  const mode = patch.newMode === 0 ? undefined : patch.newMode === EXECUTABLE ? 0o755 : 0o644;
  const before = oldName === null ? null : await read(oldName);
  if (oldName === null || patch.isNew === true || (before === null && patch.isNew === "maybe")) {
    if ((await read(name)) !== null)
      throw new ToolError(
        "PATCH_FAILED",
        `${name} exists already, and the patch would create it. Nothing was changed.`,
      );
    const bytes = await finishInTurns(apply(name, new Uint8Array(0), hunks));
    return { path: name, op: "add", bytes, ...(mode === undefined ? {} : { mode }), added, removed };
  }
  if (before === null)
    throw new ToolError("PATCH_FAILED", `There is no file ${oldName} to patch. Nothing was changed.`);
  const bytes = await finishInTurns(apply(oldName, before.bytes, hunks));
  if (newName === null || patch.isDelete === true) {
    if (bytes.length > 0)
      throw new ToolError("PATCH_FAILED", `${oldName} has more lines than the patch deletes. Nothing was changed.`);
    return { path: oldName, op: "delete", bytes: null, added, removed };
  }
  if (oldName !== newName && (await read(newName)) !== null)
    throw new ToolError(
      "PATCH_FAILED",
      `${newName} exists already, and the patch would ${patch.isCopy ? "copy" : "move"} ${oldName} there. Nothing was changed.`,
    );
  const retained = { bytes, mode: mode ?? before.mode, added, removed };
  if (oldName === newName) return { path: newName, op: "update", ...retained };
  return { path: newName, op: patch.isCopy ? "copy" : "move", from: oldName, ...retained };
}

function* apply(name: string, content: Uint8Array, hunks: readonly PatchHunk[]): Work<Uint8Array> {
  for (const tried of [hunks, withoutTrailingBlanks(hunks), inEndingOf(content, hunks), withoutCr(content, hunks)]) {
    if (tried === null) continue;
    const result = yield* applied(name, content, tried);
    if (result.hunks.every(({ at }) => at !== null)) return result.content;
  }
  const tried = inEndingOf(content, hunks) ?? hunks;
  if (yield* occurOnce(content, tried)) {
    const result = yield* applied(name, content, tried, true);
    if (result.hunks.every(({ at }) => at !== null)) return result.content;
  }
  const result = yield* applied(name, content, tried);
  const failed = result.hunks.findIndex(({ at }) => at === null);
  const hunk = tried[Math.max(failed, 0)] as PatchHunk;
  yield content.length;
  throw explainHunk(name, content, hunk, Math.max(failed, 0) + 1, decoder);
}

/** Maximum lines compared and moved in one synchronous call. */
const MAX_STEPS = 10_000_000;

function* applied(
  name: string,
  content: Uint8Array,
  hunks: readonly PatchHunk[],
  unidiffZero = false,
): Work<AppliedHunks> {
  const result = attempt(() => applyHunks(content, hunks, { unidiffZero, maxSteps: MAX_STEPS }));
  if (result instanceof PatchError)
    throw new ToolError(
      "TOO_LARGE",
      `The patch of ${name} takes too much work: its hunks are too many, or too far from the lines that they name. Nothing was changed. Make it anew from the present file, or apply it in parts.`,
    );
  yield result.steps;
  return result;
}

/** Hunks without context, as the tool::* family has them, whose lines occur in the file once: their place is unambiguous. */
function* occurOnce(content: Uint8Array, hunks: readonly PatchHunk[]): Work<boolean> {
  if (hunks.some(({ leading, trailing }) => leading + trailing > 0)) return false;
  const latin1 = new TextDecoder("latin1");
  const own = latin1.decode(content).split(/(?<=\n)/);
  const places = new Map<string, number[]>();
  for (const [line, text] of own.entries()) {
    const known = places.get(text);
    if (known === undefined) places.set(text, [line]);
    else known.push(line);
  }
  yield content.length;
  for (const { lines } of hunks) {
    const old = lines.filter(({ kind }) => kind !== "+").map(({ text }) => latin1.decode(text));
    if (old.length === 0) return false;
    const counts = old.map((text) => places.get(text)?.length ?? 0);
    // The rarest line has the fewest places to check.
    const rarest = counts.reduce((best, count, i) => (count < (counts[best] as number) ? i : best), 0);
    const starts = (places.get(old[rarest] as string) ?? []).map((line) => line - rarest);
    yield old.length * (starts.length + 1);
    if (old.length * starts.length > MAX_STEPS) return false;
    if (starts.filter((start) => old.every((text, i) => own[start + i] === text)).length !== 1) return false;
  }
  return true;
}

/** Drops blank lines at the end of the patch that were parsed as context. */
function withoutTrailingBlanks(hunks: readonly PatchHunk[]): readonly PatchHunk[] | null {
  const last = hunks.at(-1);
  if (last === undefined) return null;
  let end = last.lines.length;
  while (end > 0 && last.lines[end - 1]?.kind === " " && last.lines[end - 1]?.text.length === 1) end--;
  const cut = last.lines.length - end;
  if (cut === 0) return null;
  const shorter = {
    ...last,
    lines: last.lines.slice(0, end),
    oldCount: last.oldCount - cut,
    newCount: last.newCount - cut,
    trailing: Math.max(last.trailing - cut, 0),
  };
  return [...hunks.slice(0, -1), shorter];
}

const CR = 13;
const LF = 10;

/** The hunks for a file whose lines all end in CRLF; null if that does not apply. */
function inEndingOf(content: Uint8Array, hunks: readonly PatchHunk[]): PatchHunk[] | null {
  const first = content.indexOf(LF);
  if (first <= 0 || content[first - 1] !== CR) return null;
  for (let at = first; at >= 0; at = content.indexOf(LF, at + 1)) if (content[at - 1] !== CR) return null;
  const isPlain = (text: Uint8Array) => text.at(-1) !== LF || text.at(-2) !== CR;
  if (!hunks.every(({ lines }) => lines.every(({ text }) => isPlain(text)))) return null;
  return hunks.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.map((line) => (line.text.at(-1) === LF ? { ...line, text: withCr(line.text) } : line)),
  }));
}

/** The hunks of a CRLF patch for a file without any CR; null if that does not apply. */
function withoutCr(content: Uint8Array, hunks: readonly PatchHunk[]): PatchHunk[] | null {
  const hasCr = (text: Uint8Array) => text.at(-1) === LF && text.at(-2) === CR;
  if (content.includes(CR) || !hunks.every(({ lines }) => lines.every(({ text }) => text.at(-1) !== LF || hasCr(text))))
    return null;
  return hunks.map((hunk) => ({
    ...hunk,
    lines: hunk.lines.map((line) =>
      hasCr(line.text) ? { ...line, text: line.text.with(-2, LF).subarray(0, -1) } : line,
    ),
  }));
}

function withCr(text: Uint8Array): Uint8Array {
  const longer = new Uint8Array(text.length + 1);
  longer.set(text.subarray(0, -1));
  longer.set([CR, LF], text.length - 1);
  return longer;
}
