/**
 * Builds the automaton states of one segment with wildcards. It implements Node's rule that a pattern must spell out a leading dot:
 * the rule applies to a `*`, `?` or class at the start of the segment, or of an alternative that starts it; in a repeated group it
 * applies once. A `!(…)` also forbids combinations with the text after it, so that text is built a second time, ending at the end
 * of the segment.
 */
import { notSlash } from "../automaton/char-set.ts";
import { FAIL, type Nfa, SEGMENT_END } from "../automaton/nfa.ts";
import type { SegmentGroup, Sequence } from "./parse-segment.ts";
import { parseSegmentText, type SegmentToken } from "./parse-segment-text.ts";

export function buildSegment(nfa: Nfa, sequence: Sequence, next: number): number {
  return buildChain(nfa, link(sequence, null, false).own, { start: true, end: true, allowDot: false }, next);
}

/** A sequence as a linked list. Each part links to the rest of its sequence, and to the rest of the segment. */
interface SequenceNode {
  readonly part: string | SegmentGroup;
  readonly rest: SequenceNode | null;
  readonly tail: SequenceNode | null;
  /** Built the second time, as the body of a negation; Node ignores `endsEmpty` there. */
  readonly copied: boolean;
  /** The states built so far, by a key of everything that they depend on. */
  readonly built: Map<string, number>;
}

interface SegmentPosition {
  /** Only negations precede it in the segment. */
  readonly start: boolean;
  /** Nothing follows it in the segment. */
  readonly end: boolean;
  /** A leading dot need not be explicit. */
  readonly allowDot: boolean;
}

/** `own` ends with the sequence, `whole` with the segment. */
function link(
  sequence: Sequence,
  outerTail: SequenceNode | null,
  copied: boolean,
): { own: SequenceNode | null; whole: SequenceNode | null } {
  let own: SequenceNode | null = null;
  let whole = outerTail;
  let tail = outerTail;
  for (const part of sequence.toReversed()) {
    own = { part, rest: own, tail, copied, built: new Map() };
    whole = { part, rest: whole, tail, copied, built: new Map() };
    tail = { part, rest: tail, tail, copied: true, built: new Map() };
  }
  return { own, whole };
}

function buildChain(nfa: Nfa, chain: SequenceNode | null, position: SegmentPosition, next: number): number {
  const noEmpty = position.start && position.end && isAllText(chain);
  const todo: { link: SequenceNode; place: SegmentPosition; first: boolean; key: string }[] = [];
  let { start } = position;
  for (let at = chain; at; at = at.rest) {
    const here = { start, end: position.end && at.rest === null, allowDot: position.allowDot };
    const first = at === chain;
    todo.push({
      link: at,
      place: here,
      first,
      key: `${here.start} ${position.end} ${here.allowDot} ${first} ${noEmpty} ${next}`,
    });
    start &&= typeof at.part === "object" && at.part.type === "!";
  }
  let state = next;
  for (const { link: at, place: here, first, key } of todo.reverse()) {
    const { part } = at;
    const known = at.built.get(key);
    if (known !== undefined) state = known;
    else if (typeof part === "object") state = buildGroup(nfa, at, part, here, state);
    else state = buildText(nfa, part, first && here.start && !here.allowDot, noEmpty, state);
    at.built.set(key, state);
  }
  return state;
}

function isAllText(chain: SequenceNode | null): boolean {
  for (let at = chain; at; at = at.rest) if (typeof at.part !== "string") return false;
  return true;
}

function buildGroup(nfa: Nfa, at: SequenceNode, group: SegmentGroup, position: SegmentPosition, next: number): number {
  const guarded = position.start && !position.allowDot;
  const guard = (state: number) => (guarded ? nfa.notDot(state) : state);
  // An empty alternative is ignored if the group is the whole segment.
  const linked = group.alternatives.map((sequence) => link(sequence, at.tail, at.copied));
  const counted = linked.filter(({ own }) => own !== null || !(position.start && position.end));
  if (counted.length === 0 && group.type !== "!") return next;
  const bodies = (allowDot: boolean, then: number) =>
    nfa.anyOf(counted.map(({ own }) => buildChain(nfa, own, { ...position, allowDot }, then)));
  switch (group.type) {
    case "@":
      return bodies(position.allowDot, next);
    case "?":
      return nfa.split(next, bodies(position.allowDot, next));
    case "*":
    case "+": {
      const { loop, body } = nfa.loop(next, (again) => bodies(position.allowDot || guarded, again));
      if (guarded) return group.type === "+" ? bodies(false, loop) : nfa.split(next, bodies(false, loop));
      return group.type === "+" ? body : loop;
    }
    case "!": {
      if (group.endsEmpty && !at.copied) return guard(nfa.consume(notSlash, nfa.segment(next)));
      const forbidden = linked.map(({ whole }) => buildChain(nfa, whole, { ...position, end: true }, SEGMENT_END));
      return nfa.not(nfa.anyOf(forbidden), guard(nfa.segment(next)));
    }
    default:
      return group.type satisfies never;
  }
}

function buildText(nfa: Nfa, text: string, guarded: boolean, noEmpty: boolean, next: number): number {
  const { tokens } = parseSegmentText(text);
  let state = next;
  for (const token of tokens.toReversed()) state = buildToken(nfa, token, state);
  // A segment of only stars matches at least one character.
  if (noEmpty && tokens.length === 1 && tokens[0]!.kind === "star") state = nfa.consume(notSlash, state);
  return guarded && isMagic(tokens[0]) ? nfa.notDot(state) : state;
}

function buildToken(nfa: Nfa, token: SegmentToken, next: number): number {
  switch (token.kind) {
    case "literal":
      return nfa.text(String.fromCharCode(token.code), next);
    case "set":
    case "mixedSet":
      return nfa.consume(token.set, next);
    case "star":
      return nfa.segment(next);
    case "never":
      return FAIL;
    default:
      return token satisfies never;
  }
}

function isMagic(token: SegmentToken | undefined): boolean {
  return token?.kind === "star" || token?.kind === "set";
}
