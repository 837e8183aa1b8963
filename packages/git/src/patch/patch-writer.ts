/**
 * Writes a finished diff in every requested format, in git's order: raw or names, statistics, summary, then the patch after an
 * empty line. The output of `diff`, `log`, `show` and the plumbing.
 */
import { splitLines } from "@workspace/text";
import type { DiffOptions } from "../diff/diff-options.ts";
import { exists, type FilePair } from "../diff/file-pair.ts";
import type { DiffResult } from "../diff/run-diffcore.ts";
import { SimilarityIndex } from "../diff/similarity-index.ts";
import { isTreeMode } from "../object/file-mode.ts";
import { MovedLines } from "./moved-lines.ts";
import { OutputBuffer, type Write } from "./output-buffer.ts";
import { writeCheck } from "./patch-check.ts";
import { type DirstatFile, writeDirstat } from "./patch-dirstat.ts";
import { writeFilePatch } from "./patch-file.ts";
import { summaryOf, writeNameOnly, writeRaw, writeStatus } from "./patch-raw.ts";
import { type FileStatistic, writeNumstat, writeShortstat, writeStat } from "./patch-stat.ts";
import { countLines, diffText } from "./patch-text.ts";

interface WrittenDiff {
  /** Something differs: for `--exit-code`. */
  readonly changed: boolean;
  /** `--check` found something. */
  readonly faulty: boolean;
}

export interface WriteDiffOptions {
  /** Available columns for `--stat`; default 80. */
  columns?: number;
  /** Prefixes of the sides with `diff.mnemonicPrefix`: "i/" and "w/". */
  mnemonics?: { readonly old: string; readonly new: string };
}

const DEFAULT_PREFIXES = { old: "a/", new: "b/" };

export async function writeDiff(
  out: Write,
  diff: DiffResult,
  options: DiffOptions,
  { columns = 80, mnemonics = DEFAULT_PREFIXES }: WriteDiffOptions = {},
): Promise<WrittenDiff> {
  const sink = new OutputBuffer(out);
  const formats = effectiveFormats(options);
  const has = (...names: DiffOptions["formats"] extends Set<infer F> ? F[] : never) =>
    names.some((n) => formats.has(n));
  const { pairs, contents, inPatch = pairs } = diff;
  let separate = false;
  let faulty = false;
  let changed = pairs.length > 0;
  if (inPatch.length === 0) return { changed, faulty };
  if (has("raw", "name-status", "name-only", "check")) {
    if (has("check")) await contents.prepare(pairs);
    for (const pair of pairs) {
      if (has("check")) faulty = (await writeCheck(sink, contents, pair, options)) || faulty;
      else if (has("raw")) await writeRaw(sink, contents, pair, options);
      else if (has("name-status")) {
        sink.text(options.linePrefix);
        writeStatus(sink, pair, options);
      } else writeNameOnly(sink, pair, options);
      contents.release(pair.old, pair.new);
    }
    separate = true;
  }
  const byLines = has("dirstat") && options.dirstat.by === "lines";
  if (has("stat", "shortstat", "numstat") || byLines) {
    const statistics = await collectStatistics(diff, options);
    if (has("numstat")) writeNumstat(sink, statistics, options);
    if (has("stat")) writeStat(sink, statistics, options, columns);
    if (has("shortstat")) writeShortstat(sink, statistics, options);
    if (byLines) writeDirstat(sink, statistics.map(lineDamage), options);
    separate = true;
  }
  if (has("dirstat") && !byLines) writeDirstat(sink, await contentDamages(diff, options), options);
  if (has("summary")) {
    const summary = pairs.map((pair) => summaryOf(pair, options)).join("");
    sink.text(summary);
    if (summary !== "") separate = true;
  }
  if (has("patch")) {
    await contents.prepare(pairs);
    if (separate) sink.text(`${options.linePrefix}${options.nul ? "\0" : "\n"}`);
    changed = (await writePatches(sink, diff, options, mnemonics)) || !looksInside(options);
  } else if (looksInside(options)) changed = has("none") && (await anyInside(diff, options));
  sink.flush();
  return { changed, faulty };
}

async function writePatches(
  sink: OutputBuffer,
  diff: DiffResult,
  options: DiffOptions,
  mnemonics: { old: string; new: string },
): Promise<boolean> {
  const { color, colorMoved } = options;
  if (color === null || colorMoved === null) return writeOnce(sink, diff, options, mnemonics);
  const moved = new MovedLines(colorMoved, color);
  await writeOnce(new OutputBuffer(() => {}), diff, { ...options, moved }, mnemonics);
  moved.flush();
  return writeOnce(sink, diff, { ...options, moved }, mnemonics);
}

async function writeOnce(
  sink: OutputBuffer,
  { pairs: compared, contents, inPatch: pairs = compared }: DiffResult,
  options: DiffOptions,
  mnemonics: { old: string; new: string },
): Promise<boolean> {
  const input = options.prefixes ?? mnemonics;
  const prefixes = options.reverse ? { old: input.new, new: input.old } : input;
  let any = false;
  for (const [i, pair] of pairs.entries()) {
    if (i % 50 === 0) await contents.prefetch(pairs.slice(i, i + 50).map((one) => one.new));
    if (isTreeMode(pair.old.mode) || isTreeMode(pair.new.mode)) continue;
    any = (await writeFilePatch({ sink, contents, options, prefixes }, pair)) || any;
    contents.release(pair.old, pair.new);
  }
  return any;
}

/**
 * With these, differing files may have no visible difference, and then do not count; nor do files that are only named or
 * counted.
 */
function looksInside(options: DiffOptions): boolean {
  return options.whitespace !== "none" || options.ignoreBlankLines || options.ignoreLines.length > 0;
}

async function anyInside(diff: DiffResult, options: DiffOptions): Promise<boolean> {
  await diff.contents.prepare(diff.pairs);
  return writePatches(new OutputBuffer(() => {}), diff, { ...options, color: null }, DEFAULT_PREFIXES);
}

/** Names, checks and -s suppress everything else. */
function effectiveFormats({ formats }: DiffOptions): DiffOptions["formats"] {
  const alone = ["name-only", "name-status", "check", "none"] as const;
  if (!alone.some((format) => formats.has(format))) return formats;
  return new Set([...formats].filter((format) => (alone as readonly string[]).includes(format)));
}

/** Without files that differ only in what the options ignore. */
export async function collectStatistics(diff: DiffResult, options: DiffOptions): Promise<FileStatistic[]> {
  const { pairs, contents } = diff;
  await contents.prepare(pairs);
  const statistics: FileStatistic[] = [];
  for (const [i, pair] of pairs.entries()) {
    if (i % 50 === 0) await contents.prefetch(pairs.slice(i, i + 50).map((one) => one.new));
    const statistic = await statisticOf(diff, pair, options);
    contents.release(pair.old, pair.new);
    const { status, old, new: fresh } = pair;
    const isNothing = statistic.added === 0 && statistic.deleted === 0 && status === "M" && old.mode === fresh.mode;
    if (!isNothing) statistics.push(statistic);
  }
  return statistics;
}

async function statisticOf({ contents }: DiffResult, pair: FilePair, options: DiffOptions): Promise<FileStatistic> {
  if (pair.unmerged) return { pair, added: 0, deleted: 0, binary: false };
  const same = (await contents.oid(pair.old)) === (await contents.oid(pair.new));
  const isBinary = (await contents.isBinary(pair.old)) || (await contents.isBinary(pair.new));
  if (isBinary && !options.text) {
    const [deleted, added] = same ? [0, 0] : [await contents.size(pair.old), await contents.size(pair.new)];
    return { pair, added, deleted, binary: true };
  }
  if (same) return { pair, added: 0, deleted: 0, binary: false };
  const [before, after] = [await contents.content(pair.old), await contents.content(pair.new)];
  if (before === null || after === null) {
    return { pair, added: await contents.size(pair.new), deleted: await contents.size(pair.old), binary: true };
  }
  if (pair.status === "M" && pair.score > 0) {
    return { pair, added: splitLines(after).count, deleted: splitLines(before).count, binary: false };
  }
  return { pair, ...countLines(diffText(before, after, options), options), binary: false };
}

function lineDamage({ pair, added, deleted, binary }: FileStatistic): DirstatFile {
  const damage = binary ? Math.ceil((added + deleted) / 64) : added + deleted;
  return { path: pair.new.path, damage };
}

async function contentDamages({ pairs, contents }: DiffResult, options: DiffOptions): Promise<DirstatFile[]> {
  await contents.prepare(pairs);
  const index = new SimilarityIndex(contents);
  const files: DirstatFile[] = [];
  for (const pair of pairs) {
    const { old, new: fresh } = pair;
    const path = fresh.path;
    if (old.oid !== null && old.oid === fresh.oid) files.push({ path, damage: 0 });
    else if (options.dirstat.by === "files") files.push({ path, damage: 1 });
    else if (!exists(old)) files.push({ path, damage: Math.max(1, await index.size(fresh)) });
    else if (!exists(fresh)) files.push({ path, damage: Math.max(1, await index.size(old)) });
    else {
      const changes = await index.changes(old, fresh);
      const damage = changes ? (await index.size(old)) - changes.copied + changes.added : 1;
      files.push({ path, damage: Math.max(1, damage) });
    }
  }
  return files;
}
