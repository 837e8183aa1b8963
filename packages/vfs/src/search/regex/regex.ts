/**
 * A compiled pattern: finds the best match, or only whether there is one, in time linear in the text. Two DFAs share an alphabet:
 * one runs forwards to the end of the best match, the other back from there to its start.
 */
import { Alphabet, characterInfo, EDGE, INVALID, WORD } from "./alphabet.ts";
import type { Node } from "./ast.ts";
import { Dfa } from "./dfa.ts";
import { buildNfa, SetTable } from "./nfa.ts";
import { type StepBudget, spend } from "./step-budget.ts";
import { decodeAt, decodeBefore } from "./utf8.ts";

/** The range to search: `[from, to)` of a text that is `[start, end)` of the bytes. */
export interface Span {
  readonly bytes: Uint8Array;
  /** Look-around sees the bytes between `start` and `end`, and nothing outside. */
  readonly start: number;
  readonly end: number;
}

export class Regex {
  readonly #forward: Dfa;
  readonly #unanchored: number;
  readonly #reverse: Dfa;
  readonly #reverseStart: number;
  readonly #alphabet: Alphabet;
  readonly #looks: boolean;
  readonly #work: StepBudget;

  constructor(node: Node, pattern: string, newlines: boolean, work: StepBudget) {
    const table = new SetTable();
    const forward = buildNfa(node, "forward", table, pattern);
    const reverse = buildNfa(node, "reverse", table, pattern);
    this.#alphabet = new Alphabet(table.sets, forward.looks, newlines, work);
    this.#looks = forward.looks;
    this.#work = work;
    this.#forward = new Dfa(forward, this.#alphabet, true, work);
    this.#reverse = new Dfa(reverse, this.#alphabet, false, work);
    this.#unanchored = forward.unanchored;
    this.#reverseStart = reverse.start;
  }

  /** A position in or after the match that ends first, at or after the end of that match; -1 when there is none. */
  earliest(span: Span, given: number): number {
    const from = this.#pastCharacter(span, given);
    return from < 0 ? given : this.#endOf("earliest", span, from);
  }

  /** The best match at or after `from`: start and end as `[start, end]`; null when there is none. */
  find(span: Span, given: number): readonly [number, number] | null {
    const from = this.#pastCharacter(span, given);
    if (from < 0) return [given, given];
    const end = this.#endOf("best", span, from);
    return end < 0 ? null : [this.#startOfBest(span, from, end), end];
  }

  /** The end of the match at or after `from` that ends first, or of the preferred one; -1 when there is none. */
  #endOf(which: "earliest" | "best", { bytes, start, end }: Span, from: number): number {
    const dfa = this.#forward;
    const { ascii } = this.#alphabet;
    let id = dfa.start(this.#unanchored, this.#infoBefore(bytes, start, from));
    let best = -1;
    let i = from;
    while (i < end) {
      // The table changes only below: it is constant within this loop, so that V8 can optimize it.
      const { table } = dfa;
      let next = 0;
      while (i < end) {
        next = table[id + (ascii[bytes[i] as number] as number)] as number;
        if (next <= 0) break;
        id = next;
        i++;
      }
      if (i >= end) break;
      const packed = decodeAt(bytes, i, end);
      id = next !== 0 ? next : dfa.step(id, this.#classOf(packed, bytes, start, i + 1));
      if (id < 0) {
        id = -id;
        if (dfa.isMatch(id)) best = i;
        if (dfa.isDead(id) || (best >= 0 && which === "earliest")) {
          spend(this.#work, i - from);
          return best;
        }
      }
      i += packed < 0 ? 1 : packed & 7;
    }
    spend(this.#work, end - from);
    return dfa.endsInMatch(id) ? end : best;
  }

  #startOfBest({ bytes, start, end }: Span, from: number, matchEnd: number): number {
    const dfa = this.#reverse;
    const { ascii } = this.#alphabet;
    const after = matchEnd === end ? EDGE : this.#looks ? infoOfPacked(decodeAt(bytes, matchEnd, end)) : 0;
    let id = dfa.start(this.#reverseStart, after);
    let best = matchEnd;
    let i = matchEnd;
    while (i > from) {
      const { table } = dfa;
      let next = 0;
      while (i > from) {
        next = table[id + (ascii[bytes[i - 1] as number] as number)] as number;
        if (next <= 0) break;
        id = next;
        i--;
      }
      if (i <= from) break;
      const packed = decodeBefore(bytes, start, i);
      id = next !== 0 ? next : dfa.step(id, this.#classOf(packed, bytes, start, i));
      if (id < 0) {
        id = -id;
        if (dfa.isMatch(id)) best = i;
        if (dfa.isDead(id)) {
          spend(this.#work, matchEnd - i);
          return best;
        }
      }
      i -= packed < 0 ? 1 : packed & 7;
    }
    spend(this.#work, matchEnd - from);
    return i === from && dfa.endsInMatch(id, this.#infoBefore(bytes, start, from)) ? from : best;
  }

  /** The start position when `from` is within a character: after it, unless nothing matches right here (then -1). */
  #pastCharacter({ bytes, start, end }: Span, from: number): number {
    if (from <= start || from >= end || ((bytes[from] as number) & 0xc0) !== 0x80) return from;
    for (let i = from - 1; i >= start && i > from - 4; i--) {
      const length = decodeAt(bytes, i, end) & 7;
      if (decodeAt(bytes, i, end) < 0 || i + length <= from) continue;
      const id = this.#forward.start(this.#unanchored, INVALID);
      return this.#forward.endsInMatch(id, INVALID) ? -1 : i + length;
    }
    return from;
  }

  #infoBefore(bytes: Uint8Array, start: number, at: number): number {
    if (at === start) return EDGE;
    return this.#looks ? infoOfLast(bytes, start, at) : 0;
  }

  /** `end`: after the byte, if it is invalid. */
  #classOf(packed: number, bytes: Uint8Array, start: number, end: number): number {
    if (packed >= 0) return this.#alphabet.classOf(packed >> 3);
    return this.#alphabet.invalid(this.#looks ? infoOfLast(bytes, start, end) : 0);
  }
}

/** The character that Rust sees before `at`: the last one that starts there, though stray bytes may follow it. */
function infoOfLast(bytes: Uint8Array, start: number, at: number): number {
  const min = Math.max(start, at - 4);
  let i = at - 1;
  while (i > min && ((bytes[i] as number) & 0xc0) === 0x80) i--;
  const packed = decodeAt(bytes, i, at);
  const info = infoOfPacked(packed);
  return packed < 0 || i + (packed & 7) === at ? info : info & WORD;
}

function infoOfPacked(packed: number): number {
  return packed < 0 ? INVALID : characterInfo(packed >> 3);
}
