/**
 * A text as lines over its bytes, without copying them: line `i` is bytes[starts[i], starts[i + 1]), its "\n" included. The last
 * line may lack one. Bytes instead of strings, because a file need not be UTF-8 and diffs may be megabytes long.
 */

export interface TextLines {
  readonly bytes: Uint8Array;
  /** One more than the number of lines: the last is the length of the relevant bytes. */
  readonly starts: Uint32Array;
  readonly count: number;
}

const LF = 10;
const encoder = new TextEncoder();

export function toBytes(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? encoder.encode(text) : text;
}

export function splitLines(text: string | Uint8Array): TextLines {
  const bytes = toBytes(text);
  let starts = new Uint32Array(64 + (bytes.length >>> 5));
  let count = 0;
  let at = 0;
  while (at < bytes.length) {
    if (count + 2 > starts.length) starts = grown(starts);
    starts[count++] = at;
    at = nextLine(bytes, at);
  }
  starts[count] = bytes.length;
  return { bytes, starts: starts.subarray(0, count + 1), count };
}

/**
 * Most lines are short, and a native search call costs more than a loop over them; the rest of a long line is searched natively.
 */
const SHORT_LINE = 80;

function nextLine(bytes: Uint8Array, start: number): number {
  const near = Math.min(start + SHORT_LINE, bytes.length);
  for (let at = start; at < near; at++) if (bytes[at] === LF) return at + 1;
  const end = near < bytes.length ? bytes.indexOf(LF, near) : -1;
  return end < 0 ? bytes.length : end + 1;
}

export function lineBytes(lines: TextLines, index: number): Uint8Array {
  return lines.bytes.subarray(lines.starts[index], lines.starts[index + 1]);
}

/** The bytes of `count` lines from `start`. */
export function sliceLines(lines: TextLines, start: number, count: number): Uint8Array {
  return lines.bytes.subarray(lines.starts[start], lines.starts[start + count]);
}

/** Whether the last line lacks its "\n". */
export function isIncomplete(lines: TextLines): boolean {
  return lines.count > 0 && lines.bytes[(lines.starts[lines.count] as number) - 1] !== LF;
}

function grown(starts: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(starts.length * 2);
  more.set(starts);
  return more;
}
