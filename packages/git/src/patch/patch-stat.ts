/** `--stat`, `--numstat`, `--shortstat`: added and removed lines of each file, and git's layout for a given width. */
import type { DiffOptions } from "../diff/diff-options.ts";
import type { FilePair } from "../diff/file-pair.ts";
import { isSymlinkMode } from "../object/file-mode.ts";
import { quotePath } from "../text/quote-path.ts";
import { textWidth } from "../text/text-width.ts";
import type { OutputBuffer } from "./output-buffer.ts";
import { renamedName, stripped } from "./patch-names.ts";

export interface FileStatistic {
  readonly pair: FilePair;
  /** Lines; bytes of a binary file. */
  readonly added: number;
  readonly deleted: number;
  readonly binary: boolean;
}

export function writeNumstat(sink: OutputBuffer, statistics: readonly FileStatistic[], options: DiffOptions): void {
  for (const { pair, added, deleted, binary } of statistics) {
    if (pair.unmerged && added + deleted === 0) {
      sink.text(`0\t0\t${plainName(pair, options)}${options.nul ? "\0" : "\n"}`);
      continue;
    }
    sink.text(options.linePrefix + (binary ? "-\t-\t" : `${added}\t${deleted}\t`));
    if (!options.nul) sink.text(`${plainName(pair, options)}\n`);
    else if (isRenamed(pair)) {
      const names = [pair.old.path, pair.new.path].map((path) => stripped(path, options.relative));
      sink.text(`\0${names.join("\0")}\0`);
    } else sink.text(`${stripped(pair.new.path, options.relative)}\0`);
  }
}

/** Two names, for any reason: `diff a:x b:y` is shown like a rename. */
function isRenamed({ old, new: fresh }: FilePair): boolean {
  return old.path !== fresh.path;
}

function plainName(pair: FilePair, options: DiffOptions): string {
  if (isRenamed(pair)) return renamedName(pair.old.path, pair.new.path, options);
  return quotePath(stripped(pair.new.path, options.relative), { full: options.quotePath });
}

function statName(pair: FilePair, options: DiffOptions): string {
  const comment = options.compactSummary ? compactComment(pair) : null;
  return plainName(pair, options) + (comment ? ` (${comment})` : "");
}

function compactComment(pair: FilePair): string | null {
  const { old, new: fresh, status } = pair;
  const isExecutable = (mode: number) => (mode & 0o777) === 0o755;
  if (status === "A") return isSymlinkMode(fresh.mode) ? "new +l" : isExecutable(fresh.mode) ? "new +x" : "new";
  if (status === "D") return "gone";
  if (isSymlinkMode(old.mode) !== isSymlinkMode(fresh.mode)) return isSymlinkMode(fresh.mode) ? "mode +l" : "mode -l";
  if ((old.mode & 0o777) === 0o644 && isExecutable(fresh.mode)) return "mode +x";
  if (isExecutable(old.mode) && (fresh.mode & 0o777) === 0o644) return "mode -x";
  return null;
}

export function writeShortstat(sink: OutputBuffer, statistics: readonly FileStatistic[], options: DiffOptions): void {
  if (statistics.length > 0) sink.text(options.linePrefix + shortstat(statistics));
}

function shortstat(statistics: readonly FileStatistic[]): string {
  let added = 0;
  let deleted = 0;
  let files = 0;
  for (const statistic of statistics) {
    if (statistic.pair.unmerged) continue;
    files++;
    if (statistic.binary) continue;
    added += statistic.added;
    deleted += statistic.deleted;
  }
  return statSummary(files, added, deleted);
}

export function statSummary(files: number, added: number, deleted: number): string {
  if (files === 0) return " 0 files changed\n";
  const plural = (count: number) => (count === 1 ? "" : "s");
  let text = ` ${files} file${plural(files)} changed`;
  if (added > 0 || deleted === 0) text += `, ${added} insertion${plural(added)}(+)`;
  if (deleted > 0 || added === 0) text += `, ${deleted} deletion${plural(deleted)}(-)`;
  return `${text}\n`;
}

export function writeStat(
  sink: OutputBuffer,
  statistics: readonly FileStatistic[],
  options: DiffOptions,
  columns: number,
): void {
  if (statistics.length === 0) return;
  const displayed = statistics.slice(0, options.stat.count || statistics.length);
  const names = displayed.map(({ pair }) => statName(pair, options));
  const { nameWidth, numberWidth, graphWidth, maxChange } = widths(displayed, names, options, columns);
  const color = options.color;
  const paint = (text: string, code: string | undefined) =>
    color && text !== "" ? `${code}${text}${color.reset}` : text;
  for (const [i, { pair, added, deleted, binary }] of displayed.entries()) {
    const name = fitted(names[i] as string, nameWidth);
    const head = `${options.linePrefix} ${name} | `;
    if (binary) {
      sink.text(head + "Bin".padStart(numberWidth));
      const sizes = `${paint(String(deleted), color?.old)} -> ${paint(String(added), color?.new)} bytes`;
      sink.text(added === 0 && deleted === 0 ? "\n" : ` ${sizes}\n`);
    } else if (pair.unmerged) {
      // git 2.39 prints no newline here.
      sink.text(`${head}${"Unmerged".padStart(numberWidth)}`);
    } else {
      const total = added + deleted;
      const [plus, minus] = scaled(added, deleted, graphWidth, maxChange);
      sink.text(`${head}${String(total).padStart(numberWidth)}${total > 0 ? " " : ""}`);
      sink.text(`${paint("+".repeat(plus), color?.new)}${paint("-".repeat(minus), color?.old)}\n`);
    }
  }
  if (displayed.length < statistics.length && statistics.slice(displayed.length).some(({ pair }) => !pair.unmerged)) {
    sink.text(`${options.linePrefix} ...\n`);
  }
  sink.text(options.linePrefix + shortstat(statistics));
}

/** Names get the width they need and the graph the rest; if both need too much, the graph gets three eighths. */
function widths(
  statistics: readonly FileStatistic[],
  names: readonly string[],
  { stat, linePrefix }: DiffOptions,
  columns: number,
) {
  let longest = 0;
  let maxChange = 0;
  let numberWidth = 0;
  let binaryWidth = 0;
  for (const [i, { pair, added, deleted, binary }] of statistics.entries()) {
    longest = Math.max(longest, textWidth(names[i] as string));
    if (pair.unmerged) binaryWidth = Math.max(binaryWidth, 8);
    else if (binary) {
      binaryWidth = Math.max(binaryWidth, 14 + String(added).length + String(deleted).length);
      numberWidth = 3;
    } else maxChange = Math.max(maxChange, added + deleted);
  }
  numberWidth = Math.max(numberWidth, String(maxChange).length);
  const width = Math.max(stat.width || columns - linePrefix.length, 16 + 6 + numberWidth);
  let graphWidth = maxChange + 4 > binaryWidth ? maxChange : binaryWidth - 4;
  if (stat.graphWidth > 0) graphWidth = Math.min(graphWidth, stat.graphWidth);
  let nameWidth = stat.nameWidth > 0 ? Math.min(stat.nameWidth, longest) : longest;
  if (nameWidth + numberWidth + 6 + graphWidth > width) {
    const share = Math.floor((width * 3) / 8) - numberWidth - 6;
    if (graphWidth > share) graphWidth = Math.max(share, 6);
    if (stat.graphWidth > 0) graphWidth = Math.min(graphWidth, stat.graphWidth);
    if (nameWidth > width - numberWidth - 6 - graphWidth) nameWidth = width - numberWidth - 6 - graphWidth;
    else graphWidth = width - numberWidth - 6 - nameWidth;
  }
  return { nameWidth, numberWidth, graphWidth, maxChange };
}

/** A too long name is cut at its beginning, at a slash if there is one. */
function fitted(name: string, width: number): string {
  const taken = textWidth(name);
  if (taken <= width) return name + " ".repeat(width - taken);
  const room = width - 3;
  let rest = name.slice(taken - room);
  const slash = rest.indexOf("/");
  if (slash >= 0) rest = rest.slice(slash);
  return `...${rest}${" ".repeat(Math.max(0, room - textWidth(rest)))}`;
}

function scaled(added: number, deleted: number, width: number, max: number): [number, number] {
  if (width > max) return [added, deleted];
  const scale = (count: number) => (count === 0 ? 0 : 1 + Math.floor((count * (width - 1)) / max));
  let total = scale(added + deleted);
  if (total < 2 && added > 0 && deleted > 0) total = 2;
  if (added < deleted) return [scale(added), total - scale(added)];
  return [total - scale(deleted), scale(deleted)];
}
