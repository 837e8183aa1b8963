/**
 * The trailers of a message: the last paragraph, when it looks like one. It does when every line is a trailer, or when one line
 * is of git's own making and at least a quarter are trailers; lines that begin with a space go on the one before.
 */

export interface Trailer {
  /** Null: a line in the block that is none. */
  readonly key: string | null;
  readonly value: string;
  /** As it stands, without the last newline. */
  readonly raw: string;
}

export interface TrailerBlock {
  /** Where it begins in the message; its end is `end`. Both are the message's length when there is none. */
  readonly start: number;
  readonly end: number;
  readonly trailers: readonly Trailer[];
  /** The line before it is blank (or there is none). */
  readonly blankBefore: boolean;
}

const GIT_MADE = ["Signed-off-by: ", "(cherry picked from commit "];

export interface TrailerOptions {
  readonly separators?: string;
  /** A line "---" ends the message; default true. */
  readonly divider?: boolean;
  /** Keys that make a paragraph one of trailers, as those of git's own do. */
  readonly known?: readonly string[];
}

export function parseTrailers(
  message: string,
  { separators = ":", divider = true, known = [] }: TrailerOptions = {},
): TrailerBlock {
  const end = endOfMessage(message, divider);
  const start = startOfTrailers(message.slice(0, end), separators, known);
  const lines = message.slice(start, end).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const trailers: { key: string | null; value: string; raw: string }[] = [];
  for (const line of start < end ? lines : []) {
    const last = trailers.at(-1);
    if (/^[ \t]/.test(line) && last !== undefined) {
      last.raw += `\n${line}`;
      if (last.key !== null) last.value = `${last.value}\n${line}`;
      continue;
    }
    const at = separatorAt(line, separators);
    if (at >= 1) trailers.push({ key: line.slice(0, at).trimEnd(), value: line.slice(at + 1).trim(), raw: line });
    else trailers.push({ key: null, value: line, raw: line });
  }
  for (const trailer of trailers) trailer.value = trailer.value.trimEnd();
  return { start, end, trailers, blankBefore: start === 0 || message.slice(0, start).endsWith("\n\n") };
}

/** Without trailing blank lines, and without a patch after "---". */
function endOfMessage(message: string, divider: boolean): number {
  const patch = divider ? /^---(\s|$)/m.exec(message) : null;
  const upTo = patch === null ? message.length : patch.index;
  const trimmed = message.slice(0, upTo).trimEnd();
  return trimmed.length === 0 ? 0 : Math.min(upTo, trimmed.length + 1);
}

function startOfTrailers(message: string, separators: string, known: readonly string[]): number {
  const lines = message.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const starts: number[] = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  // The title is never part of it.
  let firstBody = 0;
  while (firstBody < lines.length && (lines[firstBody] as string).trim() !== "") firstBody++;
  let onlySpaces = true;
  let recognized = false;
  let trailerLines = 0;
  let otherLines = 0;
  let continuations = 0;
  for (let i = lines.length - 1; i >= firstBody; i--) {
    const line = lines[i] as string;
    if (line.startsWith("#")) continue;
    if (line.trim() === "") {
      if (onlySpaces) continue;
      otherLines += continuations;
      if (recognized && trailerLines * 3 >= otherLines) return starts[i + 1] ?? message.length;
      if (trailerLines > 0 && otherLines === 0) return starts[i + 1] ?? message.length;
      return message.length;
    }
    onlySpaces = false;
    if (GIT_MADE.some((created) => line.startsWith(created))) {
      trailerLines++;
      continuations = 0;
      recognized = true;
    } else if (separatorAt(line, separators) >= 1 && !/^\s/.test(line)) {
      trailerLines++;
      continuations = 0;
      const key = line.slice(0, separatorAt(line, separators)).trimEnd().toLowerCase();
      if (known.some((one) => one.toLowerCase().startsWith(key))) recognized = true;
    } else if (/^\s/.test(line)) continuations++;
    else {
      otherLines += 1 + continuations;
      continuations = 0;
    }
  }
  return message.length;
}

/** Where the separator is: after letters, digits and dashes, and perhaps spaces. -1: there is none. */
export function separatorAt(line: string, separators: string): number {
  let space = false;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] as string;
    if (separators.includes(letter)) return at;
    if (!space && /[A-Za-z0-9-]/.test(letter)) continue;
    if (at > 0 && (letter === " " || letter === "\t")) {
      space = true;
      continue;
    }
    break;
  }
  return -1;
}
