/** Searches one file: text or binary, whole or in windows, by lines or across them; ripgrep's choices, in one place. */
import { ByteScan } from "../byte-scan.ts";
import type { Matcher, MatcherLine } from "../matcher.ts";
import { BlockSearch } from "./block-search.ts";
import { hasMark, toUtf8 } from "./decode.ts";
import { LineSearch } from "./line-search.ts";
import { NulDetector } from "./nul-detector.ts";
import type { LineSink, SearcherOptions } from "./searcher-options.ts";
import { type BinaryPolicy, type ReadBytes, searchWindows } from "./windows.ts";

export interface FileResult {
  readonly binaryOffset: number | null;
  readonly bytesSearched: number;
  readonly limited: boolean;
  readonly tooLong: boolean;
}

type SearchStep = (bytes: number) => Promise<void> | undefined;

/** Bytes checked for NUL before anything else; ripgrep's buffer. */
const HEAD = 64 * 1024;
/** A larger text is searched in windows, so that other requests and the reader of a stream can run between them. */
export const MAX_UNWINDOWED_BYTES = 256 * 1024;
/** A larger text is not even scanned at once, which is much faster. */
const MAX_AT_ONCE = 4 * 1024 * 1024;

/** How ripgrep would read a file. */
export interface Reading {
  readonly nul: BinaryPolicy;
  /** Named explicitly, not found by a walk. */
  readonly isExplicit: boolean;
}

/**
 * `first`: the result of `firstLine`. `step` is called after every window, with its size. Returns a promise only for a text that is
 * searched in windows.
 */
export function searchBytes(
  matcher: Matcher,
  settings: SearcherOptions,
  sink: LineSink,
  raw: Uint8Array,
  { nul, isExplicit }: Reading,
  first: MatcherLine | null,
  step: SearchStep,
): FileResult | Promise<FileResult> {
  const bytes = toUtf8(raw);
  if (matcher.spansLines) return searchAcross(matcher, settings, sink, bytes, nul);
  // ripgrep maps an explicitly named file, unless it must decode it, and reads others through a buffer, whose windows are sometimes
  // visible.
  const limited = settings.invert && settings.after > 0 && settings.maxPerFile < bytes.length;
  const shows = limited || matcher.perLine;
  if (isExplicit && !hasMark(raw)) {
    const head = nul === "text" ? -1 : firstNul(bytes.subarray(0, HEAD));
    const watch = nul === "text" || head >= 0 ? null : new NulDetector(sink);
    const search = new LineSearch(matcher, settings, watch ?? sink, first);
    const noted = (end: FileResult) => ({ ...end, binaryOffset: head >= 0 ? head : (watch?.found ?? null) });
    if (shows || bytes.length <= MAX_UNWINDOWED_BYTES) return noted(searchOnce(search, bytes));
    return searchInWindows(new LineSearch(matcher, settings, watch ?? sink), bytes, "text", step).then(noted);
  }
  const hasNul = nul !== "text" && firstNul(bytes) >= 0;
  if (hasNul || shows || bytes.length > MAX_UNWINDOWED_BYTES)
    return searchInWindows(new LineSearch(matcher, settings, sink), bytes, nul, step);
  return searchOnce(new LineSearch(matcher, settings, sink, first), bytes);
}

/**
 * The first line of a file that is a hit, found without checking for NUL bytes or counting lines. Null: there is none; undefined:
 * not known without a full search.
 */
export function firstLine(
  matcher: Matcher,
  settings: SearcherOptions,
  raw: Uint8Array,
): MatcherLine | null | undefined {
  if (settings.invert || hasMark(raw)) return undefined;
  if (matcher.spansLines || raw.length > MAX_UNWINDOWED_BYTES)
    return raw.length <= MAX_AT_ONCE && matcher.lacks(raw) ? null : undefined;
  return matcher.nextLine(raw, 0, raw.length);
}

function searchOnce(search: LineSearch, bytes: Uint8Array): FileResult {
  search.search(bytes);
  return { binaryOffset: null, bytesSearched: bytes.length, limited: search.limited, tooLong: false };
}

async function searchInWindows(
  search: LineSearch,
  bytes: Uint8Array,
  nul: BinaryPolicy,
  step: SearchStep,
): Promise<FileResult> {
  const read: ReadBytes = (start, length) => bytes.subarray(start, start + length);
  const end = await searchWindows(search, read, nul, async (size) => step(size));
  return { ...end, limited: search.limited };
}

function firstNul(bytes: Uint8Array): number {
  return new ByteScan(bytes).hasNul(bytes.length) ? bytes.indexOf(0) : -1;
}

function searchAcross(
  matcher: Matcher,
  settings: SearcherOptions,
  sink: LineSink,
  bytes: Uint8Array,
  nul: BinaryPolicy,
): FileResult {
  const head = nul === "text" ? -1 : bytes.subarray(0, HEAD).indexOf(0);
  if (nul === "quit" && head >= 0) return { binaryOffset: head, bytesSearched: 0, limited: false, tooLong: false };
  const search = new BlockSearch(matcher, settings, sink, bytes, nul);
  search.search();
  const binaryOffset = head >= 0 ? head : search.binaryOffset;
  return { binaryOffset, bytesSearched: bytes.length, limited: search.limited, tooLong: false };
}
