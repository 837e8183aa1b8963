/** One file of a patch: its header, then hunks, words, a binary patch or the message that binary files differ. */
import { isIncomplete, lineBytes, splitLines, type TextLines } from "@workspace/text";
import type { DiffOptions } from "../diff/diff-options.ts";
import type { FileContents } from "../diff/file-contents.ts";
import { exists, type FilePair, type FileSpec, missingFile, percent } from "../diff/file-pair.ts";
import { type WhitespaceRules, whitespaceRules } from "../diff/whitespace-rules.ts";
import { isGitlinkMode, isSameType, octal } from "../object/file-mode.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import { equalBytes } from "../text/bytes.ts";
import type { OutputBuffer } from "./output-buffer.ts";
import { writeBinaryPatch } from "./patch-binary.ts";
import { writeFileName, writeLine, writeMeta, writeNoNewline } from "./patch-lines.ts";
import { displayName, prefixedName, stripped } from "./patch-names.ts";
import { diffText, writeHunks } from "./patch-text.ts";
import { writeWordDiff } from "./patch-words.ts";

interface PatchContext {
  readonly sink: OutputBuffer;
  readonly contents: FileContents;
  readonly options: DiffOptions;
  /** "a/" and "b/", already swapped for -R. */
  readonly prefixes: { readonly old: string; readonly new: string };
}

/** False: no visible difference. */
export async function writeFilePatch(context: PatchContext, pair: FilePair): Promise<boolean> {
  const { sink, options } = context;
  const { old, new: fresh } = pair;
  if (pair.unmerged) {
    const name = displayName(fresh.path, { ...options, nul: false });
    sink.text(`${options.linePrefix}* Unmerged path ${name}\n`);
    return true;
  }
  if (pair.headers && !exists(old) && !exists(fresh)) {
    const { old: left, new: right } = headerNames(context, pair);
    for (const line of [`diff --git ${left} ${right}`, ...pair.headers]) writeMeta(sink, line, options);
    return true;
  }
  if (exists(old) && exists(fresh) && !isSameType(old.mode, fresh.mode)) {
    // A file that became a link is two patches: a deletion and a creation.
    await writeOne(context, { ...pair, new: missingFile(fresh.path), score: 0, status: "D" });
    await writeOne(context, { ...pair, old: missingFile(old.path), score: 0, status: "A" });
    return true;
  }
  if (options.submodule !== "short" && (isGitlinkMode(old.mode) || isGitlinkMode(fresh.mode))) {
    await writeSubmodule(context, pair);
    return true;
  }
  return writeOne(context, pair);
}

/** `--submodule=log`: its commits are in another repository, which is never read. */
async function writeSubmodule({ sink, contents, options }: PatchContext, { old, new: fresh }: FilePair): Promise<void> {
  const id = (side: FileSpec) => displayId(contents, side.oid ?? ZERO_OID, { ...options, abbrev: null }, false);
  const what = !exists(old) ? "new submodule" : !exists(fresh) ? "submodule deleted" : "commits not present";
  const path = (exists(fresh) ? fresh : old).path;
  const line = `Submodule ${path} ${await id(old)}...${await id(fresh)} (${what})`;
  writeMeta(sink, line, { ...options, color: null });
}

interface Names {
  readonly old: string;
  readonly new: string;
  /** As printed after "---" and "+++". */
  readonly oldLabel: string;
  readonly newLabel: string;
}

async function writeOne(context: PatchContext, pair: FilePair): Promise<boolean> {
  const { sink, contents, options } = context;
  const { old, new: fresh } = pair;
  const names = headerNames(context, pair);
  const { lines, isNeeded } = await headerLines(context, pair, names);
  let headed = false;
  const header = () => {
    if (headed) return;
    headed = true;
    for (const line of lines) writeMeta(sink, line, options);
  };
  if (isNeeded) header();
  const oldDriver = isGitlinkMode(old.mode) || !exists(old) ? null : contents.driver(old);
  const newDriver = isGitlinkMode(fresh.mode) || !exists(fresh) ? null : contents.driver(fresh);
  if (options.irreversibleDelete && !exists(fresh)) {
    header();
    return true;
  }
  if (!options.text && ((await contents.isBinary(old)) || (await contents.isBinary(fresh)))) {
    return (await writeBinary(context, pair, names, header)) || isNeeded;
  }
  const [before, after] = [await contents.content(old), await contents.content(fresh)];
  if (before === null || after === null) return (await writeBinary(context, pair, names, header)) || isNeeded;
  const withNames = () => {
    header();
    writeFileName(sink, "---", names.oldLabel, options);
    writeFileName(sink, "+++", names.newLabel, options);
  };
  const rules = whitespaceRules(options.whitespaceRules, contents.whitespaceAttribute(fresh.path));
  if (pair.status === "M" && pair.score > 0) {
    withNames();
    writeRewrite(sink, splitLines(before), splitLines(after), options, rules);
    return true;
  }
  const diff = diffText(before, after, options);
  const functionName = oldDriver?.functionName ?? newDriver?.functionName ?? null;
  if (options.wordDiff) {
    const wordRegex = options.wordDiff.regex ?? oldDriver?.wordRegex ?? newDriver?.wordRegex ?? null;
    return writeWordDiff(sink, diff, options, { functionName, wordRegex, before: withNames }) || isNeeded;
  }
  return writeHunks(sink, diff, options, { functionName, rules, before: withNames }) || isNeeded;
}

function headerNames({ options, prefixes }: PatchContext, { old, new: fresh }: FilePair): Names {
  // An absolute path, as `--no-index` takes it, loses its slash.
  const bare = (path: string) => stripped(path, options.relative).replace(/^\//, () => "");
  const [a, b] = [bare((exists(old) ? old : fresh).path), bare((exists(fresh) ? fresh : old).path)];
  const [left, right] = [prefixedName(prefixes.old, a, options), prefixedName(prefixes.new, b, options)];
  return {
    old: left,
    new: right,
    oldLabel: exists(old) ? left : "/dev/null",
    newLabel: exists(fresh) ? right : "/dev/null",
  };
}

/** `isNeeded`: the header is informative by itself, and is printed even if no line differs. */
async function headerLines({ contents, options }: PatchContext, pair: FilePair, names: Names) {
  const { old, new: fresh, status, score } = pair;
  const lines = [`diff --git ${names.old} ${names.new}`];
  let isNeeded = false;
  if (!exists(old)) {
    lines.push(`new file mode ${octal(fresh.mode)}`);
    isNeeded = true;
  } else if (!exists(fresh)) {
    lines.push(`deleted file mode ${octal(old.mode)}`);
    isNeeded = true;
  } else if (old.mode !== fresh.mode) {
    lines.push(`old mode ${octal(old.mode)}`, `new mode ${octal(fresh.mode)}`);
    isNeeded = true;
  }
  if (status === "C" || status === "R") {
    const what = status === "C" ? "copy" : "rename";
    const displayed = (side: FileSpec) => displayName(side.path, { ...options, nul: false });
    lines.push(
      `similarity index ${percent(score)}%`,
      `${what} from ${displayed(old)}`,
      `${what} to ${displayed(fresh)}`,
    );
    isNeeded = true;
  } else if (status === "M" && score > 0) {
    lines.push(`dissimilarity index ${percent(score)}%`);
    isNeeded = true;
  }
  if (pair.headers) {
    lines.push(...pair.headers);
    isNeeded = true;
  }
  const [from, to] = [await contents.oid(old), await contents.oid(fresh)];
  if (from !== to) {
    const whole = options.fullIndex || (options.binary && (await contents.isBinaryPair(pair)));
    const ids = `${await displayId(contents, from, options, whole)}..${await displayId(contents, to, options, whole)}`;
    lines.push(`index ${ids}${old.mode === fresh.mode ? ` ${octal(old.mode)}` : ""}`);
  }
  return { lines, isNeeded };
}

async function displayId(contents: FileContents, oid: Oid, options: DiffOptions, whole: boolean): Promise<string> {
  if (whole) return oid;
  const length = options.abbrev || undefined;
  if (contents.repo === null) return oid.slice(0, length ?? 7);
  if (oid !== ZERO_OID) return contents.repo.odb.abbreviate(oid, length);
  return oid.slice(0, length ?? (await contents.repo.odb.abbreviate(ZERO_OID)).length);
}

async function writeBinary(context: PatchContext, pair: FilePair, names: Names, header: () => void): Promise<boolean> {
  const { sink, contents, options } = context;
  const [before, after] = [await contents.content(pair.old), await contents.content(pair.new)];
  const isSame = before !== null && after !== null ? equalBytes(before, after) : await contents.isSame(pair);
  if (isSame) return false;
  header();
  if (options.binary && before !== null && after !== null) {
    const level = contents.repo?.config.getInt("core.compression") ?? 1;
    writeBinaryPatch(sink, before, after, { linePrefix: options.linePrefix, level });
  } else sink.text(`${options.linePrefix}Binary files ${names.oldLabel} and ${names.newLabel} differ\n`);
  return true;
}

/** A rewritten file: all old lines are removed, all new ones added. */
function writeRewrite(
  sink: OutputBuffer,
  old: TextLines,
  fresh: TextLines,
  options: DiffOptions,
  rules: WhitespaceRules,
): void {
  const range = ({ count }: TextLines) => (count === 0 ? "0,0" : count === 1 ? "1" : `1,${count}`);
  const { color, linePrefix } = options;
  const head = `@@ -${range(old)} +${range(fresh)} @@`;
  sink.text(color ? `${linePrefix}${color.frag}${head}${color.reset}\n` : `${linePrefix}${head}\n`);
  for (const [lines, kind] of [
    [old, "old"],
    [fresh, "new"],
  ] as const) {
    for (let i = 0; i < lines.count; i++) writeLine(sink, lineBytes(lines, i), { kind, rules }, options);
    if (isIncomplete(lines)) writeNoNewline(sink, options);
  }
}
