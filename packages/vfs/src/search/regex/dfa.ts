/**
 * A DFA built lazily: a known step is one array read, a new one a pass over the NFA. So time is linear in the text whatever the
 * pattern. Memory is bounded: when the table is full, it is cleared. A match is detected one character late, when its next
 * character is known, so that look-ahead needs nothing more.
 */
import { type Alphabet, EDGE, INFOS } from "./alphabet.ts";
import { looksBetween } from "./look.ts";
import { ANY, CHAR, LOOK, MATCH, type Nfa, SPLIT } from "./nfa.ts";
import { type StepBudget, spendThreads } from "./step-budget.ts";

/** Entries of the table, 4 bytes each; and of all states' lists together. */
const MAX_CELLS = 1 << 20;
const MAX_LISTED = 1 << 21;
const UNKNOWN = 0;
/** State numbers are multiples of the stride; the first is the state without threads. */
const FIRST_STRIDE = 16;

interface DfaState {
  /**
   * The positions of the threads, best first. When one of them `waits` for a look, all are where the last character left them: a
   * thread that the look lets through gets its rank only when they are followed together.
   */
  readonly threads: Int32Array;
  /** Properties of the previous character, when a thread waits for a look. */
  readonly info: number;
  readonly waits: boolean;
  /** A match ended before the character that led here. */
  readonly match: boolean;
}

export class Dfa {
  readonly #nfa: Nfa;
  readonly #alphabet: Alphabet;
  /** Only the best match counts, and worse threads end with it. */
  readonly #firstWins: boolean;
  readonly #work: StepBudget;
  readonly #ops: Uint8Array;
  readonly #args: Int32Array;
  /** Generation in which an NFA state was last added to the list being built. */
  readonly #marks: Uint32Array;
  #generation = 0;
  readonly #stack: number[] = [];
  /** Where the last character took the threads, before any empty transitions. */
  readonly #roots: number[] = [];
  readonly #list: Int32Array;
  #listed = 0;
  #visited = 0;
  readonly #expanded: Int32Array;

  /** By state number and class: the next state's number, negative when it is a match or the end; 0: not known yet. */
  table = new Int32Array(0);
  #stride = FIRST_STRIDE;
  #states: DfaState[] = [];
  #threadsHeld = 0;
  #ids = new Map<number, number[]>();
  #starts = new Map<number, number>();
  /** Counts resets: a state number is invalid after the next reset. */
  #resets = 0;

  constructor(nfa: Nfa, alphabet: Alphabet, firstWins: boolean, work: StepBudget) {
    this.#nfa = nfa;
    this.#alphabet = alphabet;
    this.#firstWins = firstWins;
    this.#work = work;
    this.#ops = Uint8Array.from(nfa.ops);
    this.#args = Int32Array.from(nfa.args);
    this.#marks = new Uint32Array(nfa.ops.length);
    this.#list = new Int32Array(nfa.ops.length);
    this.#expanded = new Int32Array(nfa.ops.length);
    this.#reset();
  }

  /** The number of the start state, given the previous character; its `table` entries may be used at once. */
  start(pc: number, info: number): number {
    const key = pc * INFOS + (this.#nfa.looks ? info : 0);
    const known = this.#starts.get(key);
    if (known !== undefined) return known;
    this.#roots.length = 0;
    this.#roots.push(pc);
    const id = Math.abs(this.#arrive(info, false));
    this.#starts.set(key, id);
    return id;
  }

  isMatch(id: number): boolean {
    return (this.#states[id / this.#stride] as DfaState).match;
  }

  isDead(id: number): boolean {
    return (this.#states[id / this.#stride] as DfaState).threads.length === 0;
  }

  /** The next state's number, as in the table. May invalidate other numbers. */
  step(id: number, charClass: number): number {
    if (this.#alphabet.size > this.#stride) {
      const held = this.#states[id / this.#stride] as DfaState;
      this.#reset();
      return this.#follow(held, charClass, this.#find(held));
    }
    const known = this.table[id + charClass] as number;
    if (known !== UNKNOWN) return known;
    return this.#follow(this.#states[id / this.#stride] as DfaState, charClass, id);
  }

  /** Whether a match ends at the end of the text, or before a character with this info. */
  endsInMatch(id: number, info = EDGE): boolean {
    const state = this.#states[id / this.#stride] as DfaState;
    const threads = this.#expand(state, info);
    const { length } = threads;
    for (let i = 0; i < length; i++) if (this.#ops[threads[i] as number] === MATCH) return true;
    return false;
  }

  #follow(state: DfaState, charClass: number, id: number): number {
    const members = this.#alphabet.members[charClass] as Uint8Array;
    const { toLeft, toRight } = this.#alphabet;
    const threads = this.#expand(state, (this.#backwards ? toRight : toLeft)[charClass] as number);
    const info = (this.#backwards ? toLeft : toRight)[charClass] as number;
    let match = false;
    this.#roots.length = 0;
    for (let i = 0; i < threads.length; i++) {
      const pc = threads[i] as number;
      const op = this.#ops[pc] as number;
      if (op === MATCH) {
        match = true;
        if (this.#firstWins) break;
      } else if (op === ANY || (op === CHAR && members[this.#args[pc] as number] === 1)) {
        this.#roots.push((this.#nfa.nexts[pc] as number[])[0] as number);
      }
    }
    spendThreads(this.#work, threads.length);
    const resets = this.#resets;
    const next = this.#arrive(info, match);
    if (this.#resets === resets) this.table[id + charClass] = next;
    return next;
  }

  /** A state's threads after resolving those that waited for a look. */
  #expand(state: DfaState, info: number): Int32Array {
    if (!state.waits) return state.threads;
    const held = this.#backwards ? looksBetween(info, state.info) : looksBetween(state.info, info);
    this.#begin();
    for (const pc of state.threads) this.#add(pc, held);
    this.#spendVisited();
    this.#expanded.set(this.#list.subarray(0, this.#listed));
    return this.#expanded.subarray(0, this.#listed);
  }

  /** The number of the state whose threads start at the roots. */
  #arrive(info: number, match: boolean): number {
    this.#begin();
    for (const root of this.#roots) this.#add(root, -1);
    this.#spendVisited();
    let waits = false;
    for (let i = 0; this.#nfa.looks && i < this.#listed && !waits; i++)
      waits = this.#ops[this.#list[i] as number] === LOOK;
    if (waits) {
      this.#begin();
      for (const root of this.#roots) {
        if (this.#marks[root] === this.#generation) continue;
        this.#marks[root] = this.#generation;
        this.#list[this.#listed++] = root;
      }
    }
    return this.#intern(waits ? info : 0, waits, match);
  }

  /** Charges the states visited to build the list, which may be far more than are in it. */
  #spendVisited(): void {
    spendThreads(this.#work, this.#visited);
    this.#visited = 0;
  }

  #begin(): void {
    this.#listed = 0;
    if (++this.#generation === 2 ** 32 - 1) {
      this.#marks.fill(0);
      this.#generation = 1;
    }
  }

  /** Adds a state and everything it reaches without a character. `held`: the looks known to hold, -1 when none is known yet. */
  #add(pc: number, held: number): void {
    const stack = this.#stack;
    stack.push(pc);
    while (stack.length > 0) {
      const at = stack.pop() as number;
      this.#visited++;
      if (this.#marks[at] === this.#generation) continue;
      this.#marks[at] = this.#generation;
      const op = this.#ops[at] as number;
      const nexts = this.#nfa.nexts[at] as number[];
      if (op === SPLIT) for (let i = nexts.length - 1; i >= 0; i--) stack.push(nexts[i] as number);
      else if (op === LOOK && held !== -1) {
        if ((held >>> (this.#args[at] as number)) & 1) stack.push(nexts[0] as number);
      } else this.#list[this.#listed++] = at;
    }
  }

  /** The number of the state just built. */
  #intern(info: number, waits: boolean, match: boolean): number {
    const list = this.#list.subarray(0, this.#listed);
    let hash = (match ? 7 : 3) + (waits ? 64 : 0) + info * 128;
    for (let i = 0; i < list.length; i++) hash = Math.imul(hash ^ (list[i] as number), 0x01000193);
    const state = { threads: list, info, waits, match };
    const id = this.#lookup(hash, state);
    if (id !== undefined) return id;
    const retained = { ...state, threads: list.slice() };
    if (this.#isFull()) this.#reset();
    return this.#create(hash, retained);
  }

  #lookup(hash: number, { threads, info, waits, match }: DfaState): number | undefined {
    for (const id of this.#ids.get(hash) ?? []) {
      const known = this.#states[Math.abs(id) / this.#stride] as DfaState;
      if (known.info !== info || known.waits !== waits || known.match !== match) continue;
      let same = known.threads.length === threads.length;
      for (let i = 0; same && i < threads.length; i++) same = known.threads[i] === threads[i];
      if (same) return id;
    }
    return undefined;
  }

  #create(hash: number, state: DfaState): number {
    const { threads, match } = state;
    const index = this.#states.push(state) - 1;
    this.#threadsHeld += threads.length;
    const id = (match || threads.length === 0 ? -1 : 1) * index * this.#stride;
    const same = this.#ids.get(hash);
    if (same === undefined) this.#ids.set(hash, [id]);
    else same.push(id);
    if ((index + 1) * this.#stride > this.table.length) {
      const larger = new Int32Array(Math.max(this.table.length * 2, 64 * this.#stride));
      larger.set(this.table);
      this.table = larger;
    }
    return id;
  }

  /** Finds a state from before a reset in the new table. */
  #find({ threads, info, waits, match }: DfaState): number {
    this.#list.set(threads);
    this.#listed = threads.length;
    return Math.abs(this.#intern(info, waits, match));
  }

  #isFull(): boolean {
    return this.#states.length * this.#stride >= MAX_CELLS || this.#threadsHeld >= MAX_LISTED;
  }

  get #backwards(): boolean {
    return !this.#firstWins;
  }

  #reset(): void {
    while (this.#stride < this.#alphabet.size) this.#stride *= 2;
    this.#resets++;
    // Number 0 is never a state: 0 in the table is "not known".
    this.#states = [{ threads: new Int32Array(0), info: 0, waits: false, match: false }];
    this.#threadsHeld = 0;
    this.#ids = new Map();
    this.#starts = new Map();
    this.table = new Int32Array(64 * this.#stride);
  }
}
