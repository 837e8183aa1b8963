/** `diff --cc` and `-c`: a merged file compared with all parents, one column of signs for each. */
import { lineBytes, splitLines, type TextLines } from "@workspace/text";
import type { CombinedPath } from "../diff/diff-combined.ts";
import type { DiffOptions } from "../diff/diff-options.ts";
import { bufferIsBinary, FileContents } from "../diff/file-contents.ts";
import { exists, type FileSpec } from "../diff/file-pair.ts";
import { GitError } from "../errors.ts";
import { isGitlinkMode, octal } from "../object/file-mode.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { type CombinedLine, chooseHunks, combineLines, MAX_PARENTS } from "./combined-lines.ts";
import { OutputBuffer, type Write } from "./output-buffer.ts";
import { displayName, prefixedName } from "./patch-names.ts";
import { lineOptions } from "./patch-text.ts";

/** Raw lines, names and patches; statistics of merges are against the first parent, and written elsewhere. */
export async function writeCombined(
  out: Write,
  repo: Repository,
  paths: readonly CombinedPath[],
  options: DiffOptions,
  { separate = false }: { separate?: boolean } = {},
): Promise<void> {
  const sink = new OutputBuffer(out);
  const { formats } = options;
  const listed = formats.has("raw") || formats.has("name-only") || formats.has("name-status");
  if (listed) for (const path of paths) await writeRawLine(sink, repo, path, options);
  if (formats.has("patch") && paths.length > 0) {
    if (listed || separate) sink.text(`${options.linePrefix}${options.nul ? "\0" : "\n"}`);
    const contents = new FileContents(repo);
    for (const path of paths) await writeCombinedPatch(sink, contents, path, options);
  }
  sink.flush();
}

async function writeRawLine(sink: OutputBuffer, repo: Repository, path: CombinedPath, options: DiffOptions) {
  const { formats, linePrefix, nul, abbrev } = options;
  const between = nul ? "\0" : "\t";
  if (formats.has("raw")) {
    const modes = [...path.parents, path].map(({ mode }) => octal(mode)).join(" ");
    const ids: string[] = [];
    for (const { oid } of [...path.parents, path]) ids.push(await displayId(repo, oid, abbrev === 0 ? 40 : abbrev));
    sink.text(`${linePrefix}${":".repeat(path.parents.length)}${modes} ${ids.join(" ")} `);
  }
  if (formats.has("raw") || formats.has("name-status")) {
    sink.text(path.parents.map(({ status }) => status).join("") + between);
  }
  if (options.combinedAllPaths) {
    for (const parent of path.parents) sink.text(displayName(parent.path, options) + between);
  }
  sink.text(displayName(path.path, options) + (nul ? "\0" : "\n"));
}

async function displayId({ odb }: Repository, oid: Oid | null, abbrev: number | null): Promise<string> {
  const id = oid ?? ZERO_OID;
  if (abbrev === 40) return id;
  if (id !== ZERO_OID) return odb.abbreviate(id, abbrev ?? undefined);
  return id.slice(0, abbrev ?? (await odb.abbreviate(ZERO_OID)).length);
}

async function writeCombinedPatch(
  sink: OutputBuffer,
  contents: FileContents,
  path: CombinedPath,
  options: DiffOptions,
): Promise<void> {
  if (path.parents.length > MAX_PARENTS) {
    throw new GitError("ETOOBIG", `a merge of more than ${MAX_PARENTS} parents cannot be shown combined`);
  }
  const sides: FileSpec[] = path.parents.map((parent) => ({ path: path.path, mode: parent.mode, oid: parent.oid }));
  const result: FileSpec = { path: path.path, mode: path.mode, oid: path.oid };
  await contents.prepare(sides.map((side) => ({ old: side, new: result, status: "M", score: 0 })));
  const bodies: (Uint8Array | null)[] = [];
  for (const side of sides) bodies.push(await contents.content(side));
  const { worktree } = path;
  const isDeleted = worktree ? worktree.content === null : !exists(result);
  const body = worktree ? (worktree.content ?? new Uint8Array(0)) : await contents.content(result);
  const modeDiffers = path.parents.some(({ mode }) => mode !== path.mode);
  const header = (withNames: boolean) => writeHeader(sink, contents, path, options, modeDiffers, withNames);
  if (await isBinary(contents, [...sides, result], [...bodies, body])) {
    await header(false);
    sink.text(`${options.linePrefix}Binary files differ\n`);
    return;
  }
  const text = splitLines(body as Uint8Array);
  const parents = isDeleted ? [] : bodies.map((bytes) => splitLines(bytes as Uint8Array));
  const lines = combineLines(text, parents, {
    ...lineOptions({ ...options, ignoreBlankLines: false, ignoreLines: [] }),
    trimTail: true,
  });
  const dense = options.combined !== "combined";
  const hasHunks = chooseHunks(lines, text.count, path.parents.length, options.context, dense);
  if (!hasHunks && !modeDiffers && !worktree) return;
  await header(true);
  if (!isDeleted) writeHunks(sink, lines, text, path.parents.length, options);
}

async function isBinary(
  contents: FileContents,
  sides: readonly FileSpec[],
  bodies: readonly (Uint8Array | null)[],
): Promise<boolean> {
  const first = sides.find((side) => exists(side) && !isGitlinkMode(side.mode));
  const forced = first ? contents.driver(first).binary : null;
  if (forced !== null) return forced;
  return bodies.some((bytes) => bytes === null || bufferIsBinary(bytes));
}

async function writeHeader(
  sink: OutputBuffer,
  contents: FileContents,
  path: CombinedPath,
  options: DiffOptions,
  modeDiffers: boolean,
  withNames: boolean,
): Promise<void> {
  const { color, linePrefix } = options;
  const [meta, reset] = [color?.meta ?? "", color?.reset ?? ""];
  const repo = contents.repo as Repository;
  const abbrev = options.fullIndex ? 40 : options.abbrev || null;
  const name = (prefix: string, file: string) => prefixedName(prefix, file, options);
  const dense = options.combined !== "combined";
  sink.text(`${linePrefix}${meta}diff --${dense ? "cc" : "combined"} ${name("", path.path)}${reset}\n`);
  const ids: string[] = [];
  for (const { oid } of path.parents) ids.push(await displayId(repo, oid, abbrev));
  const resultId = await displayId(repo, path.oid, abbrev);
  sink.text(`${linePrefix}${meta}index ${ids.join(",")}..${resultId}${reset}\n`);
  const isDeleted = modeDiffers && path.mode === 0;
  const isAdded = modeDiffers && !isDeleted && path.parents.every(({ status }) => status === "A");
  if (isAdded) sink.text(`${linePrefix}${meta}new file mode ${octal(path.mode)}${reset}\n`);
  else if (modeDiffers) {
    if (isDeleted) sink.text(`${linePrefix}${meta}deleted file `);
    const modes = path.parents.map(({ mode }) => octal(mode)).join(",");
    sink.text(`mode ${modes}${path.mode === 0 ? "" : `..${octal(path.mode)}`}${reset}\n`);
  }
  if (!withNames) return;
  const prefixes = options.prefixes ?? { old: "a/", new: "b/" };
  const old = isAdded ? "/dev/null" : name(prefixes.old, path.path);
  const fresh = isDeleted ? "/dev/null" : name(prefixes.new, path.path);
  if (options.combinedAllPaths) {
    for (const { status, path: before } of path.parents) {
      sink.text(`${linePrefix}${meta}--- ${status === "A" ? "/dev/null" : name(prefixes.old, before)}${reset}\n`);
    }
  } else sink.text(`${linePrefix}${meta}--- ${old}${reset}\n`);
  sink.text(`${linePrefix}${meta}+++ ${fresh}${reset}\n`);
}

function writeHunks(
  sink: OutputBuffer,
  lines: readonly CombinedLine[],
  text: TextLines,
  parents: number,
  options: DiffOptions,
): void {
  const { color, linePrefix, context } = options;
  const reset = color?.reset ?? "";
  const count = text.count;
  let at = 0;
  for (;;) {
    let heading: Uint8Array | null = null;
    while (at <= count && !(lines[at] as CombinedLine).displayed) {
      if (at < count && isHeading(lineBytes(text, at))) heading = lineBytes(text, at);
      at++;
    }
    if (at > count) return;
    let end = at + 1;
    while (end <= count && (lines[end] as CombinedLine).displayed) end++;
    let displayLines = end - at - (count < end ? 1 : 0);
    let blank = 0;
    if (context === 0) {
      // Lines that only carry removed lines are not shown themselves.
      for (let j = at; j < end; j++) if ((lines[j] as CombinedLine).added === 0) blank++;
      displayLines -= blank;
    }
    const ranges = Array.from({ length: parents }, (_, n) => {
      const first = (lines[at] as CombinedLine).numbers[n] as number;
      return ` -${first},${unsigned(((lines[end] as CombinedLine).numbers[n] as number) - first - blank)}`;
    });
    const signs = "@".repeat(parents + 1);
    sink.text(
      `${linePrefix}${color?.frag ?? ""}${signs}${ranges.join("")} +${at + 1},${unsigned(displayLines)} ${signs}`,
    );
    if (heading) writeHeading(sink, heading, options);
    sink.text(`${reset}\n`);
    for (; at < end; at++) {
      const line = lines[at] as CombinedLine;
      for (const lost of line.hidesLost ? [] : line.lost) {
        sink.text(linePrefix + (color?.old ?? ""));
        for (let n = 0; n < parents; n++) sink.text(lost.parents & (1 << n) ? "-" : " ");
        writeToEnd(sink, lost.line, reset);
      }
      if (at >= count) continue;
      if (line.added === 0 && context === 0) continue;
      sink.text(linePrefix + (line.added === 0 ? (color?.context ?? "") : (color?.new ?? "")));
      for (let n = 0; n < parents; n++) sink.text(line.added & (1 << n) ? "+" : " ");
      const bytes = lineBytes(text, at);
      writeToEnd(sink, bytes[bytes.length - 1] === 10 ? bytes.subarray(0, -1) : bytes, reset);
    }
  }
}

/** git's count is unsigned: a hunk that only carries removed lines at the very end wraps below zero. */
function unsigned(count: number): string {
  return count < 0 ? BigInt.asUintN(64, BigInt(count)).toString() : String(count);
}

function isHeading(line: Uint8Array): boolean {
  const byte = line[0] ?? 0;
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte === 95 || byte === 36;
}

const MAX_HEADING = 40;

/** As git 2.39 truncates it: at forty bytes, and without the last nonblank one of them. */
function writeHeading(sink: OutputBuffer, line: Uint8Array, { color }: DiffOptions): void {
  let end = 0;
  for (let i = 0; i < MAX_HEADING && i < line.length; i++) {
    const byte = line[i] as number;
    if (byte === 0 || byte === 10) break;
    if (byte !== 32 && byte !== 9 && byte !== 13) end = i;
  }
  if (end > 0) sink.text(color ? `${color.reset}${color.context} ${color.reset}${color.func}` : " ");
  sink.bytes(line.subarray(0, end));
}

/** A carriage return is outside the color. */
function writeToEnd(sink: OutputBuffer, line: Uint8Array, reset: string): void {
  const hasCr = line[line.length - 1] === 13;
  sink.bytes(hasCr ? line.subarray(0, -1) : line);
  sink.text(`${reset}${hasCr ? "\r" : ""}\n`);
}
