/** One file: text or binary, whole or in windows, by lines or across them; ripgrep's choices, made in one place. */
import type { Matcher } from "../matcher.ts";
import { BlockSearch } from "./block-search.ts";
import { hasMark, toUtf8 } from "./decode.ts";
import { LineSearch } from "./line-search.ts";
import type { LineSink, Settings } from "./settings.ts";
import { type ReadBytes, searchWindows } from "./windows.ts";

export interface FileResult {
  readonly binaryOffset: number | null;
  readonly bytesSearched: number;
  readonly limited: boolean;
  readonly tooLong: boolean;
}

/** In which NUL bytes are looked for before anything else; ripgrep's buffer. */
const HEAD = 64 * 1024;
/** A larger text is searched in windows, so that others get in between them, and whoever reads a stream of hits. */
const AT_ONCE = 256 * 1024;

/**
 * `nul`: what to do with a file that has NUL bytes: "quit" when one is seen (files that a walk found), "note" it and go on (a
 * file that was named), or take it for "text". `step` is called after every window.
 */
export async function searchBytes(
  matcher: Matcher,
  settings: Settings,
  sink: LineSink,
  raw: Uint8Array,
  nul: "quit" | "note" | "text",
  step: () => Promise<void> | undefined,
): Promise<FileResult> {
  const bytes = toUtf8(raw);
  if (matcher.spansLines) return searchAcross(matcher, settings, sink, bytes, nul);
  const search = new LineSearch(matcher, settings, sink);
  const binaryAt = nul === "text" ? -1 : bytes.indexOf(0);
  if ((nul === "quit" && binaryAt >= 0) || bytes.length > AT_ONCE) {
    if (nul === "quit" && binaryAt >= 0 && binaryAt < HEAD)
      return { binaryOffset: binaryAt, bytesSearched: 0, limited: false, tooLong: false };
    const read: ReadBytes = (start, length) => bytes.subarray(start, start + length);
    const end = await searchWindows(search, read, nul === "quit", async () => step());
    const binaryOffset = nul === "note" && binaryAt >= 0 ? binaryAt : end.binaryOffset;
    return { ...end, binaryOffset, limited: search.limited };
  }
  search.search(bytes);
  return {
    binaryOffset: binaryAt < 0 ? null : binaryAt,
    bytesSearched: bytes.length,
    limited: search.limited,
    tooLong: false,
  };
}

/** Whether a file has no hit at all, told without looking for NUL bytes or counting lines. False where that is not certain. */
export function isWithoutHit(matcher: Matcher, settings: Settings, raw: Uint8Array): boolean {
  if (settings.invert || hasMark(raw)) return false;
  if (matcher.needle !== null && matcher.needle.find(raw, 0, raw.length) < 0) return true;
  return raw.length <= AT_ONCE && !matcher.spansLines && matcher.nextLine(raw, 0, raw.length) === null;
}

function searchAcross(
  matcher: Matcher,
  settings: Settings,
  sink: LineSink,
  bytes: Uint8Array,
  nul: "quit" | "note" | "text",
): FileResult {
  const head = nul === "text" ? -1 : bytes.subarray(0, HEAD).indexOf(0);
  if (nul === "quit" && head >= 0) return { binaryOffset: head, bytesSearched: 0, limited: false, tooLong: false };
  const search = new BlockSearch(matcher, settings, sink, bytes, nul);
  search.search();
  const binaryOffset = head >= 0 ? head : search.binaryOffset;
  return { binaryOffset, bytesSearched: bytes.length, limited: search.limited, tooLong: false };
}
