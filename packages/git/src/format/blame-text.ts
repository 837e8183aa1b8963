/** The output of `blame`: lines with commit and author for users, or blocks for programs. */
import { lineBytes, type TextLines } from "@workspace/text";
import { type DateMode, formatDate } from "../date/format-date.ts";
import type { LocalTime } from "../date/local-time.ts";
import { ZERO_OID } from "../object/oid.ts";
import type { BlameBlock, BlamedCommit, BlamedPerson } from "../porcelain/blame/describe-blame.ts";
import { quotePath } from "../text/quote-path.ts";
import { textWidth } from "../text/text-width.ts";

export interface BlameStyle {
  readonly long: boolean;
  readonly blankBoundary: boolean;
  readonly noAuthor: boolean;
  readonly email: boolean;
  readonly rawTime: boolean;
  readonly showName: boolean;
  readonly showNumber: boolean;
  /** As `git annotate`. */
  readonly annotate: boolean;
  readonly markIgnored: boolean;
  readonly markUnblamable: boolean;
  /** Digits of an id, including the boundary's sign. */
  readonly abbrev: number;
  readonly date: DateMode;
  readonly dateWidth: number;
  readonly time: LocalTime;
}

type Write = (data: string | Uint8Array) => void;

export function writeBlame(out: Write, text: TextLines, blocks: readonly BlameBlock[], style: BlameStyle): void {
  const nameOf = ({ author }: BlamedCommit) => (style.email ? author.mail : author.name);
  const width = (of: (block: BlameBlock) => number) => Math.max(0, ...blocks.map(of));
  const authorWidth = width(({ commit }) => textWidth(nameOf(commit)));
  const pathWidth = width(({ path }) => path.length);
  const digits = (last: number) => String(Math.max(last, 1)).length;
  const lineDigits = digits(width(({ line, count }) => line + count));
  const originDigits = digits(width(({ originLine, count }) => originLine + count));
  for (const { commit, path, line, originLine, count, ignored, unblamable } of blocks) {
    const marks = (unblamable && style.markUnblamable ? "*" : "") + (ignored && style.markIgnored ? "?" : "");
    const id = displayId(commit, style, marks);
    const time = displayTime(commit.author, style);
    const name = nameOf(commit);
    for (let i = 0; i < count; i++) {
      if (style.annotate) out(`${id}\t(${name.padStart(10)}\t${time.padStart(10)}\t${line + i + 1})`);
      else {
        let head = id;
        if (style.showName) head += ` ${path.padEnd(pathWidth)}`;
        if (style.showNumber) head += ` ${String(originLine + i + 1).padStart(originDigits)}`;
        if (!style.noAuthor) {
          head += ` (${name}${" ".repeat(Math.max(0, authorWidth - textWidth(name)))} ${time.padStart(10)}`;
        }
        out(`${head} ${String(line + i + 1).padStart(lineDigits)}) `);
      }
      writeText(out, lineBytes(text, line + i));
    }
  }
}

function writeText(out: Write, line: Uint8Array): void {
  out(line);
  if (line[line.length - 1] !== 10) out("\n");
}

function displayId(
  { oid, boundary }: BlamedCommit,
  { long, abbrev, blankBoundary, annotate }: BlameStyle,
  marks: string,
): string {
  const length = long ? 40 : abbrev;
  const isBlank = boundary && blankBoundary;
  const id = isBlank ? " ".repeat(length) : (oid ?? ZERO_OID);
  return ((boundary && !isBlank && !annotate ? "^" : "") + marks + id).slice(0, length);
}

function displayTime({ seconds, zone }: BlamedPerson, { rawTime, date, dateWidth, time }: BlameStyle): string {
  if (rawTime) return `${seconds} ${zone}`;
  const displayed = formatDate(seconds, minutesOf(zone), date, time);
  return displayed + " ".repeat(Math.max(0, dateWidth - textWidth(displayed)));
}

function minutesOf(zone: string): number {
  const number = Number(zone) || 0;
  return Math.sign(number) * (Math.floor(Math.abs(number) / 100) * 60 + (Math.abs(number) % 100));
}

/** `everyLine`: the commit's full data before each line, not only the first time. */
export function writePorcelain(
  out: Write,
  text: TextLines,
  blocks: readonly BlameBlock[],
  { everyLine }: { everyLine: boolean },
): void {
  const displayed = new Set<BlamedCommit>();
  const paths = new Map<BlamedCommit, Set<string>>();
  for (const { commit, path } of blocks) paths.set(commit, (paths.get(commit) ?? new Set()).add(path));
  for (const block of blocks) {
    const { commit, line, originLine, count } = block;
    const id = commit.oid ?? ZERO_OID;
    for (let i = 0; i < count; i++) {
      out(`${id} ${originLine + i + 1} ${line + i + 1}${i === 0 ? ` ${count}` : ""}\n`);
      const isFirst = !displayed.has(commit);
      if (i === 0 || everyLine) {
        if (isFirst || everyLine) out(details(block));
        if (isFirst || everyLine || (paths.get(commit)?.size ?? 0) > 1) out(fileDetails(block));
        displayed.add(commit);
      }
      out("\t");
      writeText(out, lineBytes(text, line + i));
    }
  }
}

/** In order of discovery; without text. */
export function writeIncremental(out: Write, blocks: readonly BlameBlock[]): void {
  const displayed = new Set<BlamedCommit>();
  for (const block of blocks) {
    const { commit, line, originLine, count } = block;
    out(`${commit.oid ?? ZERO_OID} ${originLine + 1} ${line + 1} ${count}\n`);
    if (!displayed.has(commit)) out(details(block));
    displayed.add(commit);
    out(fileDetails(block));
  }
}

function details({ commit }: BlameBlock): string {
  const person = (who: string, { name, mail, seconds, zone }: BlamedPerson) =>
    `${who} ${name}\n${who}-mail ${mail}\n${who}-time ${seconds}\n${who}-tz ${zone}\n`;
  const both = person("author", commit.author) + person("committer", commit.committer);
  return `${both}summary ${commit.summary}\n${commit.boundary ? "boundary\n" : ""}`;
}

function fileDetails({ path, previous }: BlameBlock): string {
  const before = previous ? `previous ${previous.oid} ${quotePath(previous.path)}\n` : "";
  return `${before}filename ${quotePath(path)}\n`;
}
