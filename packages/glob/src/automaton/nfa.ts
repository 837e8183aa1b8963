/**
 * The NFA of all three glob dialects. It is built from the end of a pattern to its start, so that each state is created with its
 * successor and equal suffixes are shared. "State s holds at offset i" means: s accepts the text from i to its end. A negation
 * examines the rest of its segment, and its body is always built first.
 */
import { GlobError } from "../errors.ts";
import { MAX_NEGATION_STATES, MAX_STATES } from "../limits.ts";
import { type CharSet, notSlash, oneSymbol, SLASH } from "./char-set.ts";

export interface NfaState {
  readonly kind:
    | "fail" // never holds
    | "accept" // holds at the end of the text
    | "acceptDirectory" // holds at the end of a directory's text
    | "segmentEnd" // holds before a "/" and at the end
    | "consume" // one symbol of `set`, then `next`
    | "star" // any number of symbols of `set`, then `next`
    | "split" // `next` or `other`
    | "loop" // `next`, or the body `other` that comes back here
    | "loopEnd" // closes the states of the loop `next`
    | "dot" // `next`, if a "." follows
    | "notDot" // `next`, if no "." follows
    | "not"; // `next`, unless `other` holds too
  readonly set: CharSet | null;
  readonly next: number;
  other: number;
}

export const FAIL = 0;
export const ACCEPT = 1;
export const ACCEPT_DIRECTORY = 2;
export const SEGMENT_END = 3;

/** Above any state number, so that a state and its sharing key fit one number. */
const SPAN = 2 ** 20;
const DOT_CODE = 0;
const NOT_DOT_CODE = 1;

export class Nfa {
  readonly states: NfaState[] = [];
  readonly sets: CharSet[] = [];
  /** Where each rule starts; the result of a match is the index of the last one that holds. */
  readonly starts: number[] = [];
  negates = false;
  readonly #setIds = new Map<string, number>();
  readonly #shared = new Map<number, number>();

  /** `subject` is the text that an error names. */
  constructor(readonly subject: string) {
    for (const kind of ["fail", "accept", "acceptDirectory", "segmentEnd"] as const) this.#add(kind, null, 0, 0);
  }

  consume(set: CharSet, next: number): number {
    return next === FAIL ? FAIL : this.#share(2 + 2 * this.#setId(set), "consume", set, next);
  }

  star(set: CharSet, next: number): number {
    const following = this.states[next]!;
    if (following.kind === "star" && following.set!.key === set.key) return next;
    return next === FAIL ? FAIL : this.#share(3 + 2 * this.#setId(set), "star", set, next);
  }

  slash(next: number): number {
    return this.consume(oneSymbol(SLASH), next);
  }

  /** One segment or part of one: any number of symbols but "/". */
  segment(next: number): number {
    return this.star(notSlash, next);
  }

  text(text: string, next: number): number {
    let state = next;
    for (let i = text.length - 1; i >= 0; i--) state = this.consume(oneSymbol(text.charCodeAt(i)), state);
    return state;
  }

  split(one: number, other: number): number {
    if (one === FAIL || one === other) return other;
    if (other === FAIL) return one;
    const key = -(Math.min(one, other) * SPAN + Math.max(one, other));
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const created = this.#add("split", null, one, other);
    this.#shared.set(key, created);
    return created;
  }

  anyOf(states: readonly number[]): number {
    return states.reduce((all, state) => this.split(all, state), FAIL);
  }

  dot(next: number): number {
    return next === FAIL ? FAIL : this.#share(DOT_CODE, "dot", null, next);
  }

  notDot(next: number): number {
    return next === FAIL ? FAIL : this.#share(NOT_DOT_CODE, "notDot", null, next);
  }

  not(body: number, next: number): number {
    this.negates = true;
    return this.#add("not", null, next, body);
  }

  /** Repeats the result of `build` any number of times before `exit`. Returns the loop and the start of its body. */
  loop(exit: number, build: (loop: number) => number): { loop: number; body: number } {
    const loop = this.#add("loop", null, exit, FAIL);
    const body = build(loop);
    this.states[loop]!.other = body;
    this.#add("loopEnd", null, loop, 0);
    return { loop, body };
  }

  /** `code` stands for kind and set. */
  #share(code: number, kind: NfaState["kind"], set: CharSet | null, next: number): number {
    const key = code * SPAN + next;
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const made = this.#add(kind, set, next, 0);
    this.#shared.set(key, made);
    return made;
  }

  #setId(set: CharSet): number {
    const known = this.#setIds.get(set.key);
    if (known !== undefined) return known;
    const id = this.sets.push(set) - 1;
    this.#setIds.set(set.key, id);
    return id;
  }

  #add(kind: NfaState["kind"], set: CharSet | null, next: number, other: number): number {
    const limit = this.negates ? MAX_NEGATION_STATES : MAX_STATES;
    if (this.states.length >= limit) throw new GlobError(this.subject, 0, `needs more than ${limit} states`);
    return this.states.push({ kind, set, next, other }) - 1;
  }
}
