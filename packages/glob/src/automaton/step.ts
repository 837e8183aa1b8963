/**
 * One backward step of an automaton: from the states that hold at one offset and the symbol before it, computes the states that
 * hold one symbol earlier. Because it reads from the end, every state depends only on the rest of the text, so a negation is one
 * more state instead of a second search. The cost is at most the number of states and edges.
 */
import { DOT, SLASH } from "./char-set.ts";
import { type Edges, edgesInto, statesToEnd } from "./edges.ts";
import { ACCEPT, ACCEPT_DIRECTORY, type Nfa, type NfaState } from "./nfa.ts";

/** The symbol "read" at the end of the text. */
const END = -1;

/** The states that hold, ascending. */
export type StepRow = readonly number[];

export interface Stepper {
  /** Holds at the end of a file's text, or of a directory's. */
  end(isDirectory: boolean): StepRow;
  /** Holds before `symbol` if `row` holds after it. */
  before(row: StepRow, symbol: number): StepRow;
  /** All states from which the end is reachable. */
  viable(): StepRow;
  /** States visited so far; for tests and budgets. */
  readonly work: number;
}

export function createStepper(nfa: Nfa): Stepper {
  return nfa.negates ? new OrderedStepper(nfa) : new SparseStepper(nfa);
}

/** Without negation states only propagate: follow the edges backward from those that hold. */
class SparseStepper implements Stepper {
  work = 0;
  readonly #states: readonly NfaState[];
  readonly #edges: Edges;
  readonly #stamps: Uint32Array;
  #stamp = 0;

  constructor(nfa: Nfa) {
    this.#states = nfa.states;
    this.#edges = edgesInto(nfa.states);
    this.#stamps = new Uint32Array(nfa.states.length);
  }

  viable(): StepRow {
    return statesToEnd(this.#states.length, this.#edges);
  }

  end(isDirectory: boolean): StepRow {
    return this.#spread(isDirectory ? [ACCEPT, ACCEPT_DIRECTORY] : [ACCEPT], END);
  }

  before(row: StepRow, symbol: number): StepRow {
    const { starts, items } = this.#edges.readers;
    const read: number[] = [];
    for (const state of row) {
      for (let i = starts[state]!; i < starts[state + 1]!; i++) {
        this.work++;
        if (this.#states[items[i]!]!.set!.has(symbol)) read.push(items[i]!);
      }
    }
    return this.#spread(read, symbol);
  }

  #spread(todo: number[], symbol: number): StepRow {
    const { starts, items } = this.#edges.passers;
    const stamp = this.#nextStamp();
    const row: number[] = [];
    for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
      this.work++;
      if (this.#stamps[state] === stamp) continue;
      this.#stamps[state] = stamp;
      row.push(state);
      for (let i = starts[state]!; i < starts[state + 1]!; i++) {
        if (passes(this.#states[items[i]!]!, symbol)) todo.push(items[i]!);
      }
    }
    return row.sort((a, b) => a - b);
  }

  #nextStamp(): number {
    if (++this.#stamp === 2 ** 32) {
      this.#stamps.fill(0);
      this.#stamp = 1;
    }
    return this.#stamp;
  }
}

/** With negation: all states in dependency order, except loops. */
class OrderedStepper implements Stepper {
  work = 0;
  readonly #states: readonly NfaState[];
  readonly #holds: Uint8Array;
  readonly #held: Uint8Array;

  constructor(nfa: Nfa) {
    this.#states = nfa.states;
    this.#holds = new Uint8Array(nfa.states.length);
    this.#held = new Uint8Array(nfa.states.length);
  }

  viable(): StepRow {
    return statesToEnd(this.#states.length, edgesInto(this.#states));
  }

  end(isDirectory: boolean): StepRow {
    return this.#run([], END, isDirectory);
  }

  before(row: StepRow, symbol: number): StepRow {
    return this.#run(row, symbol, false);
  }

  #run(row: StepRow, symbol: number, isDirectory: boolean): StepRow {
    this.#held.fill(0);
    for (const state of row) this.#held[state] = 1;
    this.#holds.fill(0);
    for (let i = 0; i < this.#states.length; i++) {
      this.work++;
      const state = this.#states[i]!;
      if (state.kind !== "loopEnd") {
        // A loop that holds through its body stays so when the states behind it run again.
        if (state.kind !== "loop" || this.#holds[i] === 0) this.#holds[i] = this.#value(i, state, symbol, isDirectory);
      } else if (this.#holds[state.next] === 0 && this.#holds[this.#states[state.next]!.other] === 1) {
        this.#holds[state.next] = 1;
        i = state.next;
      }
    }
    const next: number[] = [];
    for (let i = 0; i < this.#holds.length; i++) if (this.#holds[i] === 1) next.push(i);
    return next;
  }

  #value(index: number, state: NfaState, symbol: number, isDirectory: boolean): 0 | 1 {
    const { kind, set, next, other } = state;
    switch (kind) {
      case "fail":
      case "loopEnd":
        return 0;
      case "accept":
        return bit(symbol === END);
      case "acceptDirectory":
        return bit(symbol === END && isDirectory);
      case "segmentEnd":
        return bit(symbol === END || symbol === SLASH);
      case "consume":
        return bit(symbol !== END && this.#held[next] === 1 && set!.has(symbol));
      case "star":
        return bit(this.#holds[next] === 1 || (symbol !== END && this.#held[index] === 1 && set!.has(symbol)));
      case "split":
        return bit(this.#holds[next] === 1 || this.#holds[other] === 1);
      case "loop":
        return bit(this.#holds[next] === 1);
      case "dot":
      case "notDot":
        return bit(passes(state, symbol) && this.#holds[next] === 1);
      case "not":
        return bit(this.#holds[next] === 1 && this.#holds[other] === 0);
      default:
        return kind satisfies never;
    }
  }
}

function bit(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}

function passes(state: NfaState, symbol: number): boolean {
  if (state.kind === "dot") return symbol === DOT;
  return state.kind !== "notDot" || symbol !== DOT;
}
