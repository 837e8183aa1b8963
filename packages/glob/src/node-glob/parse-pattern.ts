/**
 * Parses a Node glob into alternatives of segments: expands braces, splits at slashes, then parses each segment. A backslash is a
 * slash on every platform, as in Node's glob.
 */
import { GlobError } from "../errors.ts";
import { MAX_PATTERN_LENGTH, MAX_SEGMENT_LENGTH } from "../limits.ts";
import { expandBraces } from "./expand-braces.ts";
import { parseSegment, type SegmentGroup, type Sequence } from "./parse-segment.ts";
import { literalText, parseSegmentText } from "./parse-segment-text.ts";
import { splitParts } from "./split-parts.ts";

export type Segment =
  | { readonly kind: "globstar" }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "magic"; readonly sequence: Sequence };

/** A leading literal "" means absolute, a trailing one "directories only". */
export type Alternative = readonly Segment[];

export function parsePattern(pattern: string): Alternative[] {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new GlobError(pattern, MAX_PATTERN_LENGTH, `longer than ${MAX_PATTERN_LENGTH}`);
  }
  const nul = pattern.indexOf("\0");
  if (nul >= 0) throw new GlobError(pattern, nul, "NUL character");
  if (pattern === "") return [];
  const parsed = new Map<string, Segment>();
  const segmentOf = (part: string): Segment => {
    if (part.length > MAX_SEGMENT_LENGTH) {
      throw new GlobError(pattern, Math.max(0, pattern.indexOf(part)), `segment longer than ${MAX_SEGMENT_LENGTH}`);
    }
    const segment = parsed.get(part) ?? toSegment(part);
    parsed.set(part, segment);
    return segment;
  };
  return expandBraces(pattern.replaceAll("\\", "/")).map((text) => splitParts(text).map(segmentOf));
}

function toSegment(part: string): Segment {
  if (part === "**") return { kind: "globstar" };
  const sequence = parseSegment(part);
  const [first, ...others] = sequence;
  if (typeof first === "object" && others.length === 0 && isEmptyGroup(first)) {
    return { kind: "literal", text: `${first.type}(${"|".repeat(first.alternatives.length - 1)})` };
  }
  const text = sequenceText(sequence);
  return text === null ? { kind: "magic", sequence } : { kind: "literal", text };
}

function sequenceText(sequence: Sequence): string | null {
  let all = "";
  for (const part of sequence) {
    const text = typeof part === "string" ? literalText(parseSegmentText(part)) : null;
    if (text === null) return null;
    all += text;
  }
  return all;
}

/** `@()` and the like, alone in a segment, are names to Node. */
function isEmptyGroup({ type, alternatives }: SegmentGroup): boolean {
  return type !== "!" && alternatives.every((sequence) => sequence.length === 0);
}
