/**
 * The messages of `rg --json`, ripgrep's and ours, as lines to compare: `path:number:M @offset [start,end]… text`, `C` for
 * context, and `path:binary @offset` for a file abandoned at a NUL.
 */

/** Text, or base64 where it is not UTF-8. */
export type Data = { text: string } | { bytes: string };

export type Message =
  | { type: "begin"; data: { path: Data } }
  | { type: "end"; data: { path: Data; binary_offset: number | null } }
  | { type: "match" | "context"; data: LineData }
  | { type: "summary"; data: { stats: { searches: number } } };

export interface LineData {
  path: Data;
  lines: Data;
  line_number: number;
  absolute_offset: number;
  submatches: { match: Data; start: number; end: number }[];
}

const encoder = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What a message says, or null when there is nothing to compare. `pathOf` makes a path relative to the tree. */
export function describeMessage(message: Message, pathOf: (path: string) => string): string | null {
  switch (message.type) {
    case "begin":
    case "summary":
      return null;
    case "end": {
      const { path, binary_offset: offset } = message.data;
      return offset === null ? null : `${pathOf(textOf(path))}:binary @${offset}`;
    }
    case "match":
    case "context":
      return describeLine(message.type === "match", message.data, pathOf(textOf(message.data.path)));
    default:
      return message satisfies never;
  }
}

function describeLine(match: boolean, data: LineData, path: string): string {
  const bytes = bytesOf(data.lines);
  const ranges = data.submatches.map((submatch) => {
    const found = bytes.subarray(submatch.start, submatch.end);
    const isRight = describeBytes(found) === describeBytes(bytesOf(submatch.match));
    return `[${submatch.start},${submatch.end}]${isRight ? "" : ` WRONG MATCH ${JSON.stringify(submatch.match)} `}`;
  });
  return `${path}:${data.line_number}:${match ? "M" : "C"} @${data.absolute_offset} ${ranges.join("")} ${describeBytes(bytes)}`;
}

/** Text as JSON where it is UTF-8, else hexadecimal. */
function describeBytes(bytes: Uint8Array): string {
  try {
    return JSON.stringify(strict.decode(bytes));
  } catch {
    return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }
}

export function bytesOf(data: Data): Uint8Array {
  if ("text" in data) return encoder.encode(data.text);
  return Uint8Array.from(atob(data.bytes), (character) => character.charCodeAt(0));
}

function textOf(data: Data): string {
  return new TextDecoder().decode(bytesOf(data));
}
