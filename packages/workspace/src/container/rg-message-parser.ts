/**
 * Streaming parser for `rg --json`: turns each message into calls on a `MatchSink`. The output is untrusted: a line that is not a
 * ripgrep message is an error. ripgrep does not say whether a context line belongs before or after a hit: the lines directly after
 * a hit, up to `after` of them, follow it, and all others precede the next.
 */
import type { GrepQuery, GrepStats } from "@workspace/protocol";
import type { MatchedLine, MatchSink } from "@workspace/vfs";

const LF = 0x0a;
const MAX_MESSAGE = 64 * 1024 * 1024;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export interface RgMessageParserOptions {
  sink: MatchSink;
  query: GrepQuery;
  /** Maps ripgrep's path to a workspace path; null if the file is not synced, and so not in the workspace. */
  pathOf(shown: string): string | null;
  /** The query names the file; it was not found by a walk. */
  named: boolean;
}

export class RgMessageParser {
  readonly stats: GrepStats = {
    filesSearched: 0,
    filesWithHits: 0,
    lines: 0,
    bytesSearched: 0,
    filesSkippedByIndex: 0,
    skippedBinary: 0,
    skippedTooLarge: 0,
    filesIgnored: 0,
    filesLimited: 0,
    steps: 0,
  };
  /** The sink stopped the search. */
  stopped = false;
  complete = false;
  readonly #options: RgMessageParserOptions;
  #held: Uint8Array[] = [];
  #bufferedBytes = 0;
  #path: string | null = null;
  #skipFile = false;
  #matches = 0;
  #afterLeft = 0;
  #lastLine = -1;

  constructor(options: RgMessageParserOptions) {
    this.#options = options;
  }

  push(bytes: Uint8Array): void {
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0 && !this.stopped; end = bytes.indexOf(LF, start)) {
      this.#held.push(bytes.subarray(start, end));
      start = end + 1;
      const line = joined(this.#held);
      this.#held = [];
      this.#bufferedBytes = 0;
      this.#message(JSON.parse(decoder.decode(line)) as RgMessage);
    }
    if (start >= bytes.length) return;
    this.#held.push(new Uint8Array(bytes.subarray(start)));
    this.#bufferedBytes += bytes.length - start;
    if (this.#bufferedBytes > MAX_MESSAGE) throw new Error("a message of ripgrep's that does not end");
  }

  #message({ type, data }: RgMessage): void {
    const { sink, pathOf } = this.#options;
    switch (type) {
      case "begin":
        this.#path = pathOf(rgText(data.path));
        this.#skipFile = this.#path === null;
        this.#matches = 0;
        this.#afterLeft = 0;
        this.#lastLine = -1;
        if (this.#path !== null) sink.begin(this.#path);
        return;
      case "match":
        return this.#matched(data);
      case "context":
        return this.#context(data);
      case "end":
        return this.#end(data);
      case "summary":
        this.complete = true;
        this.stats.filesSearched = Number(data.stats?.searches ?? 0);
        this.stats.bytesSearched = Number(data.stats?.bytes_searched ?? 0);
        return;
      default:
        throw new Error(`a message "${String(type)}" that ripgrep does not have`);
    }
  }

  #matched(data: RgData): void {
    if (this.#skipFile) return;
    const { sink, query } = this.#options;
    const found = toMatchedLine(data);
    // If only files are counted, a line counts once, however many matches it has.
    const line = query.mode === "count" || query.mode === "files" ? { ...found, ranges: [] } : found;
    this.#reportGap(line);
    this.#matches++;
    this.stats.lines++;
    this.#afterLeft = query.after;
    const answer = sink.matched(line);
    if (answer === false) this.stopped = true;
    if (answer !== true) this.#skipFile = true;
  }

  #context(data: RgData): void {
    if (this.#skipFile) return;
    const line = toMatchedLine(data);
    const follows = this.#afterLeft > 0 && line.number === this.#lastLine + 1;
    this.#reportGap(line);
    if (follows) this.#afterLeft--;
    this.#options.sink.context(line, follows ? "after" : "before");
  }

  #reportGap(line: MatchedLine): void {
    const { sink, query } = this.#options;
    if (query.before + query.after > 0 && this.#lastLine >= 0 && line.number > this.#lastLine + 1) sink.gap();
    this.#lastLine = line.number + countLines(line.bytes) - 1;
  }

  #end(data: RgData): void {
    if (this.#path === null) return;
    const { sink, query, named } = this.#options;
    const binaryOffset = typeof data.binary_offset === "number" ? data.binary_offset : null;
    const stoppedAtBinary = binaryOffset !== null && !query.binary && !named;
    const limited = this.#matches >= query.maxPerFile;
    if (stoppedAtBinary) this.stats.skippedBinary++;
    if (limited) this.stats.filesLimited++;
    this.stats.filesWithHits++;
    const bytesSearched = Number(data.stats?.bytes_searched ?? 0);
    const goOn = sink.end({ path: this.#path, binaryOffset, stoppedAtBinary, bytesSearched, limited });
    this.#path = null;
    this.stopped ||= !goOn;
  }
}

interface RgData {
  path?: RgText;
  lines?: RgText;
  line_number?: number;
  absolute_offset?: number;
  submatches?: { start: number; end: number }[];
  binary_offset?: number | null;
  stats?: { searches?: number; bytes_searched?: number };
}

interface RgMessage {
  type: string;
  data: RgData;
}

type RgText = { text: string } | { bytes: string };

function toMatchedLine({ lines, line_number, absolute_offset, submatches = [] }: RgData): MatchedLine {
  const ranges: number[] = [];
  for (const { start, end } of submatches) ranges.push(start, end);
  return { number: line_number ?? 0, offset: absolute_offset ?? 0, bytes: rgBytes(lines), ranges };
}

function rgBytes(data: RgText | undefined): Uint8Array {
  if (data === undefined) throw new Error("a line without its bytes");
  if ("text" in data) return encoder.encode(data.text);
  return Uint8Array.from(atob(data.bytes), (character) => character.charCodeAt(0));
}

/** A path that is not UTF-8 is never synced, so the workspace has none. */
function rgText(data: RgText | undefined): string {
  return data !== undefined && "text" in data ? data.text : "";
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) count++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== LF ? count + 1 : Math.max(1, count);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0] as Uint8Array;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
