/**
 * Topological sort: no parent before all of its children; among the ready ones, the last found or the newest.
 */
import { DateQueue } from "./date-queue.ts";
import type { WalkState } from "./walk-state.ts";

/** `dates`: newest first, by this time; null: along the lines of history. */
export function topoSort(list: readonly WalkState[], dates: ((state: WalkState) => number) | null): WalkState[] {
  const waiting = new Map<WalkState, number>();
  for (const state of list) waiting.set(state, 0);
  for (const state of list) {
    for (const parent of state.parents ?? []) {
      const count = waiting.get(parent);
      if (count !== undefined) waiting.set(parent, count + 1);
    }
  }
  const free = list.filter((state) => waiting.get(state) === 0);
  const queue = dates ? datedQueue(dates) : stack();
  for (const state of dates ? free : free.reverse()) queue.push(state);
  const sorted: WalkState[] = [];
  for (let state = queue.pop(); state; state = queue.pop()) {
    sorted.push(state);
    for (const parent of state.parents ?? []) {
      const count = waiting.get(parent);
      if (count === undefined) continue;
      waiting.set(parent, count - 1);
      if (count === 1) queue.push(parent);
    }
  }
  return sorted;
}

interface Queue {
  push(state: WalkState): void;
  pop(): WalkState | undefined;
}

function stack(): Queue {
  const states: WalkState[] = [];
  return { push: (state) => void states.push(state), pop: () => states.pop() };
}

function datedQueue(dates: (state: WalkState) => number): Queue {
  const queue = new DateQueue<{ seconds: number; state: WalkState }>();
  return {
    push: (state) => queue.push({ seconds: dates(state), state }),
    pop: () => queue.pop()?.state,
  };
}
