/**
 * The `*** Begin Patch` format that OpenAI's models are trained on: files to add, delete, update or move; hunks without line
 * numbers, located by their lines, each after the previous one. Lines may differ in trailing space, then in all outer space, then
 * in typography.
 */

import { finishInTurns, type Work } from "../../definition/work.ts";
import { ToolError } from "../../errors.ts";
import { ComparableLines } from "./comparable-lines.ts";
import { checkFileCount, type PatchedFile, type ReadForPatch } from "./patch-plan.ts";

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";

export function isBeginPatch(text: string): boolean {
  return text.trimStart().startsWith(BEGIN);
}

interface Section {
  kind: "Add" | "Delete" | "Update";
  path: string;
  moveTo?: string;
  lines: { text: string; number: number }[];
}

interface PatchChunk {
  /** Lines named after `@@`, to skip past before the chunk. */
  anchors: string[];
  old: string[];
  next: string[];
  atEnd: boolean;
  number: number;
}

export async function planBeginPatch(text: string, read: ReadForPatch, maxFiles: number): Promise<PatchedFile[]> {
  const sections = sectionsOf(text);
  if (sections.length === 0) throw new ToolError("PATCH_CORRUPT", "The patch names no file.");
  checkFileCount(sections.length, maxFiles);
  const files: PatchedFile[] = [];
  for (const section of sections) files.push(await planSection(section, read));
  return files;
}

function sectionsOf(text: string): Section[] {
  const lines = text
    .trim()
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
  if (lines[0]?.trim() !== BEGIN) throw corrupt(1, `it must begin with "${BEGIN}"`);
  if (lines.at(-1)?.trim() !== END) throw corrupt(lines.length, `it must end with "${END}"`);
  const sections: Section[] = [];
  for (const [i, line] of lines.slice(1, -1).entries()) {
    const header = /^\*\*\* (Add|Delete|Update) File: (.+)$/.exec(line);
    if (header !== null) {
      sections.push({ kind: header[1] as Section["kind"], path: (header[2] as string).trim(), lines: [] });
      continue;
    }
    const section = sections.at(-1);
    const move = /^\*\*\* Move to: (.+)$/.exec(line);
    if (section === undefined) {
      if (line.trim() === "") continue;
      throw corrupt(i + 2, `a file header was expected, not ${JSON.stringify(line.slice(0, 80))}`);
    }
    if (move !== null && section.kind === "Update" && section.lines.length === 0)
      section.moveTo = (move[1] as string).trim();
    else section.lines.push({ text: line, number: i + 2 });
  }
  return sections;
}

async function planSection(section: Section, read: ReadForPatch): Promise<PatchedFile> {
  const { kind, path, moveTo, lines } = section;
  const present = await read(path);
  if (kind === "Add") {
    if (present !== null)
      throw new ToolError("PATCH_FAILED", `${path} exists already, and the patch would add it. Nothing was changed.`);
    const body = lines
      .filter(({ text }, i) => text !== "" || i < lines.length - 1)
      .map(({ text, number }) => {
        if (!text.startsWith("+")) throw corrupt(number, `every line of a new file begins with "+"`);
        return text.slice(1);
      });
    return { path, op: "add", bytes: encode(body.map((line) => `${line}\n`).join("")), added: body.length, removed: 0 };
  }
  if (present === null)
    throw new ToolError("PATCH_FAILED", `There is no file ${path} to ${kind.toLowerCase()}. Nothing was changed.`);
  // Any content: it is not parsed.
  if (kind === "Delete") return { path, op: "delete", bytes: null, added: 0, removed: linesIn(present.bytes) };
  const text = decode(path, present.bytes);
  const chunks = parseChunks(lines);
  if (chunks.length === 0 && moveTo === undefined)
    throw corrupt(lines[0]?.number ?? 0, `the update of ${path} has no lines`);
  if (moveTo !== undefined && moveTo !== path && (await read(moveTo)) !== null)
    throw new ToolError(
      "PATCH_FAILED",
      `${moveTo} exists already, and the patch would move ${path} there. Nothing was changed.`,
    );
  const bytes = encode(await finishInTurns(applyChunks(path, text, chunks)));
  const added = chunks.reduce((sum, chunk) => sum + chunk.next.length, 0);
  const removed = chunks.reduce((sum, chunk) => sum + chunk.old.length, 0);
  const retained = { bytes, mode: present.mode, added, removed };
  return moveTo === undefined || moveTo === path
    ? { path, op: "update", ...retained }
    : { path: moveTo, op: "move", from: path, ...retained };
}

function parseChunks(lines: Section["lines"]): PatchChunk[] {
  const chunks: PatchChunk[] = [];
  let chunk: PatchChunk | null = null;
  let anchors: string[] = [];
  const open = (number: number): PatchChunk => {
    const fresh: PatchChunk = { anchors, old: [], next: [], atEnd: false, number };
    anchors = [];
    chunks.push(fresh);
    return fresh;
  };
  for (const [i, { text, number }] of lines.entries()) {
    if (text.startsWith("@@")) {
      const anchor = text.replace(/^@@( -\d+(,\d+)? \+\d+(,\d+)? @@)?/, "").trim();
      if (anchor !== "") anchors.push(anchor);
      chunk = null;
    } else if (text === "*** End of File") {
      if (chunk !== null) chunk.atEnd = true;
      chunk = null;
    } else if (text === "" && i === lines.length - 1) {
      // A blank line before the end of the patch does not belong to the file.
    } else {
      chunk ??= open(number);
      const mark = text[0];
      if (mark === "+") chunk.next.push(text.slice(1));
      else if (mark === "-") chunk.old.push(text.slice(1));
      else if (mark === " " || text === "") {
        chunk.old.push(text.slice(1));
        chunk.next.push(text.slice(1));
      } else throw corrupt(number, `a line begins with " ", "+" or "-", not ${JSON.stringify(text.slice(0, 40))}`);
    }
  }
  return chunks;
}

function* applyChunks(path: string, text: string, chunks: readonly PatchChunk[]): Work<string> {
  const ending = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split("\n").map((line) => (ending === "\r\n" ? line.replace(/\r$/, "") : line));
  const endsWithLine = lines.at(-1) === "";
  if (endsWithLine) lines.pop();
  const file = new ComparableLines(lines);
  const out: string[] = [];
  let at = 0;
  for (const [i, { anchors, old, next, atEnd, number }] of chunks.entries()) {
    let from = at;
    for (const anchor of anchors) {
      const found = yield* file.seek([anchor], from, false);
      if (found === null) throw failed(path, i, number, anchor, lines.length);
      from = found + 1;
    }
    const place =
      old.length === 0
        ? anchors.length > 0
          ? from
          : lines.length
        : ((yield* file.seek(old, from, atEnd)) ?? (yield* file.seek(withoutLastBlank(old), from, atEnd)));
    if (place === null) throw failed(path, i, number, yield* file.firstMissing(old, from), lines.length);
    const used = (yield* file.isAt(old, place)) ? old.length : withoutLastBlank(old).length;
    for (let line = at; line < place; line++) out.push(lines[line] as string);
    for (const line of keepOwn(lines, place, used, old, next)) out.push(line);
    yield place - at + next.length;
    at = place + used;
  }
  for (let line = at; line < lines.length; line++) out.push(lines[line] as string);
  return out.join(ending) + (endsWithLine || lines.length === 0 ? ending : "");
}

/** Context lines keep the file's bytes, at `place` and the `used` lines from there. */
function keepOwn(
  lines: readonly string[],
  place: number,
  used: number,
  old: readonly string[],
  next: readonly string[],
): string[] {
  const where = new Map<string, number[]>();
  for (let i = old.length - 1; i >= 0; i--) {
    const places = where.get(old[i] as string);
    if (places === undefined) where.set(old[i] as string, [i]);
    else places.push(i);
  }
  let from = 0;
  return next.map((line) => {
    const places = where.get(line);
    while (places !== undefined && (places.at(-1) ?? from) < from) places.pop();
    const i = places?.at(-1);
    if (i === undefined || i >= used) return line;
    from = i + 1;
    return lines[place + i] as string;
  });
}

function withoutLastBlank(lines: readonly string[]): readonly string[] {
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function failed(path: string, index: number, number: number, line: string, count: number): ToolError {
  const message = `Change ${index + 1} of ${path} (line ${number} of the patch) does not apply; nothing was changed. The file (${count} lines) has no ${JSON.stringify(line.slice(0, 200))} where it is expected. Read the file and make the patch anew.`;
  return new ToolError("PATCH_FAILED", message, { path, hunk: index + 1, line: number, expected: line.slice(0, 200) });
}

function corrupt(line: number, reason: string): ToolError {
  return new ToolError("PATCH_CORRUPT", `The patch cannot be read: line ${line}: ${reason}. Nothing was changed.`, {
    line,
  });
}

function linesIn(bytes: Uint8Array): number {
  let lines = bytes.length > 0 && bytes.at(-1) !== LF ? 1 : 0;
  for (const byte of bytes) if (byte === LF) lines++;
  return lines;
}

const LF = 10;

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolError("ENCODING", `${path} is not UTF-8, and would be damaged by a patch; nothing was changed.`);
  }
}
