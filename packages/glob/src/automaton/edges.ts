/**
 * The reversed edges of an automaton: the predecessors of each state. Flat arrays, because an ignore file of a few thousand rules
 * has a hundred thousand states.
 */
import { ACCEPT, ACCEPT_DIRECTORY, type NfaState } from "./nfa.ts";

/** Lists of states by state: those of `s` are `items` from `starts[s]` up to `starts[s + 1]`. */
export interface Lists {
  readonly starts: Int32Array;
  readonly items: Int32Array;
}

export interface Edges {
  /** Edges that read one symbol. */
  readonly readers: Lists;
  /** Edges that read nothing. */
  readonly passers: Lists;
}

export function edgesInto(states: readonly NfaState[]): Edges {
  return { readers: collect(states, readsInto), passers: collect(states, passesInto) };
}

/** Returns all states from which an end is reachable if every gate is open. */
export function statesToEnd(count: number, { readers, passers }: Edges): number[] {
  const seen = new Uint8Array(count);
  const todo = [ACCEPT, ACCEPT_DIRECTORY];
  for (let state = todo.pop(); state !== undefined; state = todo.pop()) {
    if (seen[state] === 1) continue;
    seen[state] = 1;
    for (const { starts, items } of [readers, passers]) {
      for (let i = starts[state]!; i < starts[state + 1]!; i++) todo.push(items[i]!);
    }
  }
  const reached: number[] = [];
  for (let state = 0; state < count; state++) if (seen[state] === 1) reached.push(state);
  return reached;
}

/** Calls `edge` for each state that `state` leads to. */
type Outgoing = (state: NfaState, index: number, edge: (to: number) => void) => void;

function readsInto({ kind, next }: NfaState, index: number, edge: (to: number) => void): void {
  if (kind === "consume") edge(next);
  if (kind === "star") edge(index);
}

function passesInto({ kind, next, other }: NfaState, _index: number, edge: (to: number) => void): void {
  if (kind === "split" || kind === "loop") edge(other);
  if (kind === "split" || kind === "loop" || kind === "star") edge(next);
  if (kind === "dot" || kind === "notDot" || kind === "not") edge(next);
}

function collect(states: readonly NfaState[], outgoing: Outgoing): Lists {
  const starts = new Int32Array(states.length + 1);
  states.forEach((state, index) => {
    outgoing(state, index, (to) => {
      starts[to + 1]!++;
    });
  });
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
  const items = new Int32Array(starts[states.length]!);
  const filled = starts.slice();
  states.forEach((state, index) => {
    outgoing(state, index, (to) => {
      items[filled[to]!++] = index;
    });
  });
  return { starts, items };
}
