/**
 * Runs an automaton over texts as a lazily built DFA. One flat table caches its rows and transitions, so a known text costs one
 * array read per symbol. A new transition costs at most one pass over the automaton, so matching is linear in the text for any
 * pattern. Memory is bounded: beyond MAX_ROWS, the cache is cleared.
 */
import { MAX_CELLS, MAX_ROW_STATES, MAX_ROWS, MAX_SYMBOLS } from "../limits.ts";
import { DOT, SLASH } from "./char-set.ts";
import type { Nfa } from "./nfa.ts";
import { createStepper, type Stepper, type StepRow } from "./step.ts";

export interface MatcherOptions {
  /** A surrogate pair is one symbol instead of two. */
  readonly codePoints?: boolean;
}

/** What the end of a text means; "below" leaves open what follows it after a slash. */
export type TextEnd = "file" | "directory" | "below";

/** Row 0 is "not yet known" in the table; row 1 is the empty row. The start rows follow, rebuilt on every reset. */
const UNKNOWN = 0;
const DEAD = 1;
const FILE = 2;
const DIRECTORY = 3;
const BELOW = 4;

const LATIN = 256;
const FIRST_STRIDE = 32;
const MIN_ROWS = 16;

export class Matcher {
  readonly #nfa: Nfa;
  readonly #stepper: Stepper;
  readonly #codePoints: boolean;
  readonly #ruleOfState: Int32Array;
  readonly #ends: StepRow[];
  #rows: StepRow[] = [];
  #rowStates = 0;
  #rules: number[] = [];
  #ids = new Map<string, number>();
  #table = new Int32Array(0);
  #stride = FIRST_STRIDE;
  #resets = 0;
  readonly #latin = new Int32Array(LATIN);
  readonly #wide = new Map<number, number>();
  readonly #symbols = new Map<string, number>();

  constructor(nfa: Nfa, { codePoints = false }: MatcherOptions = {}) {
    this.#nfa = nfa;
    this.#stepper = createStepper(nfa);
    this.#codePoints = codePoints;
    this.#ruleOfState = new Int32Array(nfa.states.length).fill(-1);
    nfa.starts.forEach((state, rule) => {
      this.#ruleOfState[state] = rule;
    });
    this.#ends = [[], this.#stepper.end(false), this.#stepper.end(true)];
    this.#reset();
  }

  /** The last rule that matches `text` from offset `from` on, or -1. */
  match(text: string, isDirectory: boolean, from = 0): number {
    return this.ruleOf(this.#run(text, from, isDirectory ? DIRECTORY : FILE));
  }

  /** The last rule that could match something below the directory `text`, or -1. No false negatives. */
  matchBelow(text: string, from = 0): number {
    return this.ruleOf(this.#run(text, from, this.#belowStart()));
  }

  // For a text in parts, its end first: many texts with the same beginning share its effect on a row. A row is valid while
  // `resets` stays the same.

  endRow(text: string, end: TextEnd): number {
    return this.#run(text, 0, end === "below" ? this.#belowStart() : end === "directory" ? DIRECTORY : FILE);
  }

  /** The row before `text`, if `row` is the one after it. */
  rowBefore(row: number, text: string): number {
    return this.#run(text, 0, row);
  }

  /** The result at the start of a text. */
  ruleOf(row: number): number {
    return this.#rules[row]!;
  }

  get resets(): number {
    return this.#resets;
  }

  /** The last rule that could match any text at all, or -1. */
  matchAny(): number {
    return this.#lastRule(this.#stepper.viable());
  }

  /** States visited so far; for tests. */
  get work(): number {
    return this.#stepper.work;
  }

  #belowStart(): typeof BELOW {
    if (this.#ends.length === BELOW - 1) {
      this.#ends.push(this.#stepper.before(this.#stepper.viable(), SLASH));
      this.#reset();
    }
    return BELOW;
  }

  // May reset all rows: lookups with the result must come afterwards.
  #run(text: string, from: number, start: number): number {
    const canDie = !this.#nfa.negates;
    const latin = this.#latin;
    let table = this.#table;
    let stride = this.#stride;
    let row = start;
    for (let i = text.length - 1; i >= from; i--) {
      let code = text.charCodeAt(i);
      const symbol = code < LATIN ? latin[code]! : 0;
      let next = symbol > 0 ? table[row * stride + symbol]! : UNKNOWN;
      if (next === UNKNOWN) {
        if (this.#codePoints && isLow(code) && i > from && isHigh(text.charCodeAt(i - 1))) {
          code = text.codePointAt(--i)!;
        }
        next = this.#step(row, code);
        table = this.#table;
        stride = this.#stride;
      }
      row = next;
      if (row === DEAD && canDie) break;
    }
    return row;
  }

  #step(row: number, code: number): number {
    const held = this.#rows[row]!;
    const symbol = this.#symbolOf(code);
    // Adding the symbol may have reset everything, including `row`.
    if (this.#rows[row] === held) {
      const known = this.#table[row * this.#stride + symbol]!;
      if (known !== UNKNOWN) return known;
    }
    const next = this.#stepper.before(held, code);
    if (this.#isFull()) this.#reset();
    const id = this.#intern(next);
    if (this.#rows[row] === held) this.#table[row * this.#stride + symbol] = id;
    return id;
  }

  #isFull(): boolean {
    const count = this.#rows.length;
    if (count < MIN_ROWS) return false;
    return count >= MAX_ROWS || count * this.#stride >= MAX_CELLS || this.#rowStates >= MAX_ROW_STATES;
  }

  #intern(row: StepRow): number {
    const key = row.join();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#rows.push(row) - 1;
    this.#ids.set(key, id);
    this.#rules.push(this.#lastRule(row));
    this.#rowStates += row.length;
    if ((id + 1) * this.#stride > this.#table.length) {
      const larger = new Int32Array(Math.max(this.#table.length * 2, MIN_ROWS * this.#stride));
      larger.set(this.#table);
      this.#table = larger;
    }
    return id;
  }

  #lastRule(row: StepRow): number {
    let last = -1;
    for (const state of row) last = Math.max(last, this.#ruleOfState[state]!);
    return last;
  }

  /** Symbols that no set distinguishes share a column. Columns start at 1: 0 is "not yet known" in `#latin`. */
  #symbolOf(code: number): number {
    const known = code < LATIN ? this.#latin[code] : this.#wide.get(code);
    if (known) return known;
    let signature = code === DOT ? "." : code === SLASH ? "/" : "";
    for (const set of this.#nfa.sets) signature += set.has(code) ? "1" : "0";
    let symbol = this.#symbols.get(signature);
    if (symbol === undefined) {
      if (this.#symbols.size + 1 >= this.#stride) this.#reset(this.#stride * 2);
      symbol = this.#symbols.size + 1;
      this.#symbols.set(signature, symbol);
    }
    if (code < LATIN) this.#latin[code] = symbol;
    else if (this.#wide.size < MAX_SYMBOLS) this.#wide.set(code, symbol);
    return symbol;
  }

  #reset(stride = this.#stride): void {
    this.#resets++;
    this.#stride = stride;
    this.#rows = [[]];
    this.#rowStates = 0;
    this.#rules = [-1];
    this.#ids = new Map();
    this.#table = new Int32Array(0);
    // The start rows keep their numbers even where two of them, or one and the empty row, are equal.
    for (const row of this.#ends) {
      this.#ids.delete(row.join());
      this.#intern(row);
    }
    this.#ids.set("", DEAD);
  }
}

function isLow(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}

function isHigh(code: number): boolean {
  return (code & 0xfc00) === 0xd800;
}
