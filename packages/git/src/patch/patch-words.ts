/**
 * `--word-diff`: splits removed and added lines of a hunk into words, compares the words like lines, and writes the new text with
 * removed words inserted. Text between words is the new text's.
 */
import { diffLines, type FunctionName, hunkRange, lineBytes, splitLines, walkHunk } from "@workspace/text";
import type { DiffOptions, WordDiffMode } from "../diff/diff-options.ts";
import { GitError } from "../errors.ts";
import { compileRegex, type Regex } from "../regex/compile-regex.ts";
import { RegexError } from "../regex/parse-regex.ts";
import { concat, encode } from "../text/bytes.ts";
import { toLatin1 } from "../text/to-latin1.ts";
import type { OutputBuffer } from "./output-buffer.ts";
import { writeHunkHeader, writePainted } from "./patch-lines.ts";
import { hunksOf, type TextDiff } from "./patch-text.ts";

interface WordStyle {
  readonly functionName: FunctionName | null;
  /** Null: words are separated by whitespace. */
  readonly wordRegex: string | null;
  readonly before: () => void;
}

interface Part {
  readonly start: string;
  readonly end: string;
  readonly color: string;
}

interface Marks {
  readonly old: Part;
  readonly new: Part;
  readonly context: Part;
  readonly newline: string;
}

const LF = 10;

/** False: no hunk. */
export function writeWordDiff(sink: OutputBuffer, diff: TextDiff, options: DiffOptions, style: WordStyle): boolean {
  const hunks = hunksOf(diff, options, style.functionName);
  if (hunks.length === 0) return false;
  style.before();
  const mode = options.wordDiff?.mode ?? "plain";
  const writer = new WordWriter(sink, marksOf(mode, options), compileWords(style.wordRegex), options.linePrefix);
  const reset = options.color?.reset ?? "";
  for (const hunk of hunks) {
    writer.flush();
    writeHunkHeader(sink, hunkRange(hunk), hunk.heading, options);
    walkHunk(hunk, (sign, line) => {
      const bytes = ended(lineBytes(sign === "-" ? diff.old : diff.new, line));
      if (sign === "-") writer.old.push(bytes);
      else if (sign === "+") writer.new.push(bytes);
      else {
        writer.flush();
        sink.text(options.linePrefix);
        writePainted(sink, mode === "porcelain" ? " " : "", bytes, options.color?.context ?? "", reset);
        if (mode === "porcelain") sink.text("~\n");
      }
    });
  }
  writer.flush();
  return true;
}

function ended(line: Uint8Array): Uint8Array {
  return line[line.length - 1] === LF ? line : concat([line, Uint8Array.of(LF)]);
}

function marksOf(mode: WordDiffMode, { color }: DiffOptions): Marks {
  const part = (start: string, end: string, paint: string | undefined): Part => ({ start, end, color: paint ?? "" });
  switch (mode) {
    case "porcelain":
      return {
        old: part("-", "\n", color?.old),
        new: part("+", "\n", color?.new),
        context: part(" ", "\n", color?.context),
        newline: "~\n",
      };
    case "color":
      return {
        old: part("", "", color?.old),
        new: part("", "", color?.new),
        context: part("", "", color?.context),
        newline: "\n",
      };
    case "plain":
      return {
        old: part("[-", "-]", color?.old),
        new: part("{+", "+}", color?.new),
        context: part("", "", color?.context),
        newline: "\n",
      };
    default:
      return mode satisfies never;
  }
}

function compileWords(source: string | null): Regex | null {
  if (source === null) return null;
  try {
    return compileRegex(toLatin1(encode(source)), { syntax: "extended" });
  } catch (cause) {
    if (cause instanceof RegexError) throw new GitError("EINVAL", `invalid regular expression: ${source}`, { cause });
    throw cause;
  }
}

class WordWriter {
  readonly old: Uint8Array[] = [];
  readonly new: Uint8Array[] = [];

  constructor(
    readonly sink: OutputBuffer,
    readonly marks: Marks,
    readonly regex: Regex | null,
    readonly linePrefix: string,
  ) {}

  flush(): void {
    const [before, after] = [concat(this.old.splice(0)), concat(this.new.splice(0))];
    if (before.length + after.length > 0) this.sink.text(this.linePrefix);
    if (after.length === 0) {
      this.#write(this.marks.old, before);
      return;
    }
    const [from, to] = [findWords(before, this.regex), findWords(after, this.regex)];
    const changes = diffLines(splitLines(from.lines), splitLines(to.lines), { indentHeuristic: false, trimTail: true });
    let at = 0;
    for (const { oldStart, oldCount, newStart, newCount } of changes) {
      const removed = wordSpan(from.ends, from.starts, oldStart, oldCount);
      const added = wordSpan(to.ends, to.starts, newStart, newCount);
      this.#write(this.marks.context, after.subarray(at, added[0]));
      this.#write(this.marks.old, before.subarray(...removed));
      this.#write(this.marks.new, after.subarray(...added));
      at = added[1];
    }
    this.#write(this.marks.context, after.subarray(at));
  }

  #write({ start, end, color }: Part, text: Uint8Array): void {
    for (let at = 0; at < text.length; ) {
      if (at > 0) this.sink.text(this.linePrefix);
      const newline = text.indexOf(LF, at);
      if (newline !== at) {
        this.sink.text(color + start);
        this.sink.bytes(text.subarray(at, newline < 0 ? text.length : newline));
        this.sink.text(end + (color === "" ? "" : "\x1b[m"));
      }
      if (newline < 0) return;
      this.sink.text(this.marks.newline);
      at = newline + 1;
    }
  }
}

/** No words: the position after the previous word. */
function wordSpan(ends: readonly number[], starts: readonly number[], first: number, count: number): [number, number] {
  if (count > 0) return [starts[first] as number, ends[first + count - 1] as number];
  const position = first === 0 ? 0 : (ends[first - 1] as number);
  return [position, position];
}

/** Words as lines, with their positions. */
function findWords(text: Uint8Array, regex: Regex | null) {
  const starts: number[] = [];
  const ends: number[] = [];
  const lines: Uint8Array[] = [];
  const next = regex === null ? wordAfter : matchAfter(regex, toLatin1(text));
  for (let word = next(text, 0); word !== null; word = next(text, word[1])) {
    starts.push(word[0]);
    ends.push(word[1]);
    lines.push(text.subarray(...word), Uint8Array.of(LF));
  }
  return { starts, ends, lines: concat(lines) };
}

function wordAfter(text: Uint8Array, from: number): [number, number] | null {
  const isBlank = (at: number) => [9, 10, 13, 32].includes(text[at] as number);
  let start = from;
  while (start < text.length && isBlank(start)) start++;
  if (start >= text.length) return null;
  let end = start + 1;
  while (end < text.length && !isBlank(end)) end++;
  return [start, end];
}

/** A word never contains a line feed; an empty match is ignored. */
function matchAfter(regex: Regex, binary: string) {
  return (text: Uint8Array, from: number): [number, number] | null => {
    for (let at = from; at < text.length; ) {
      const match = regex.exec(binary, at);
      if (match === null) return null;
      const newline = binary.slice(match.start, match.end).indexOf("\n");
      const end = newline < 0 ? match.end : match.start + newline;
      if (end > match.start) return [match.start, end];
      at = match.start + 1;
    }
    return null;
  };
}
