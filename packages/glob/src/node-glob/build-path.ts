/**
 * Builds the automaton states of a whole Node glob: its segments joined by slashes, and `**` between them. Node has two readings of
 * `**`, and both are supported. Its walker (`fs.glob`) lets `**` cross a dotted name that the next segment matches, and yields the
 * directory before a final `**`. Its matcher (`path.matchesGlob`, `exclude`) never crosses such a name, and matches the directory
 * before a final `**` only as a directory.
 */
import { notSlash } from "../automaton/char-set.ts";
import { ACCEPT, ACCEPT_DIRECTORY, FAIL, type Nfa } from "../automaton/nfa.ts";
import { buildSegment } from "./build-segment.ts";
import type { Alternative, Segment } from "./parse-pattern.ts";

export type Reading = "walk" | "match";

export function buildPath(nfa: Nfa, alternative: Alternative, reading: Reading): number {
  const { segments, ending } = splitEnding(alternative);
  const accept = ending === "slash" ? ACCEPT_DIRECTORY : ACCEPT;
  if (segments.length === 0) return FAIL;
  if (reading === "walk" && isDots(segments)) return FAIL;

  // `at` holds at the start of segment i; `after` right behind segment i-1.
  let at: number = FAIL;
  let after: number = accept;
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i]!;
    const isLast = i === segments.length - 1;
    if (segment.kind === "globstar") {
      const before = segments[i - 1];
      at = isLast ? buildFinalGlobstar(nfa, ending, accept) : buildGlobstar(nfa, segments[i + 1]!, at, reading);
      after = nfa.slash(at);
      if (isLast && before && ending !== "dot") after = nfa.split(after, acceptsItself(segments, reading, ending));
    } else {
      const then = isLast && ending === "dot" ? acceptsDot(segments) : after;
      at = buildOne(nfa, segment, then);
      after = nfa.slash(at);
    }
  }
  return at;
}

type Ending = "plain" | "slash" | "dot";

/** Splits off an ending that is not a name, as in `a/` and `a/.`. */
function splitEnding(alternative: Alternative): { segments: readonly Segment[]; ending: Ending } {
  const last = alternative.at(-1);
  if (alternative.length < 2 || last?.kind !== "literal") return { segments: alternative, ending: "plain" };
  if (last.text === "") return { segments: alternative.slice(0, -1), ending: "slash" };
  if (last.text === ".") return { segments: alternative.slice(0, -1), ending: "dot" };
  return { segments: alternative, ending: "plain" };
}

/** Whether the pattern is only `.`, `..` or `/`, which match nothing. */
function isDots(segments: readonly Segment[]): boolean {
  const only = segments.length === 1 ? segments[0]! : null;
  return only?.kind === "literal" && (only.text === "." || only.text === ".." || only.text === "");
}

function buildOne(nfa: Nfa, segment: Segment, next: number): number {
  if (segment.kind === "literal") return nfa.text(segment.text, next);
  return segment.kind === "magic" ? buildSegment(nfa, segment.sequence, next) : FAIL;
}

/** Any number of segments, none of them dotted, followed by `next`. */
function buildGlobstar(nfa: Nfa, following: Segment, next: number, reading: Reading): number {
  const { loop } = nfa.loop(next, (again) => {
    const behind = nfa.slash(again);
    const plain = nfa.notDot(nfa.segment(behind));
    return reading === "walk" ? nfa.split(plain, nfa.dot(buildOne(nfa, following, behind))) : plain;
  });
  return loop;
}

/** At least one segment, none dotted. */
function buildFinalGlobstar(nfa: Nfa, ending: Ending, accept: number): number {
  if (ending === "dot") return FAIL;
  const { body } = nfa.loop(FAIL, (again) => {
    const rest = nfa.split(accept, nfa.slash(again));
    return nfa.notDot(nfa.consume(notSlash, nfa.segment(rest)));
  });
  return body;
}

/**
 * A final `**` and the entry before it: a directory matches, and if its name is literal the walker does not check its type.
 */
function acceptsItself(segments: readonly Segment[], reading: Reading, ending: Ending): number {
  return reading === "walk" && ending === "plain" && isNamed(segments, -2) ? ACCEPT : ACCEPT_DIRECTORY;
}

/** The same for a final `.`. */
function acceptsDot(segments: readonly Segment[]): number {
  return isNamed(segments, -1) ? ACCEPT : ACCEPT_DIRECTORY;
}

function isNamed(segments: readonly Segment[], index: number): boolean {
  return segments.at(index)?.kind === "literal" && segments.at(index - 1)?.kind !== "globstar";
}
