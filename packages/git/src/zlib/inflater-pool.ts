/** Pool of inflaters: one that waits for input across an `await` must not be shared meanwhile. */
import { Inflater } from "./inflater.ts";

const idle: Inflater[] = [];
const POOL_SIZE = 4;

/** `expected` as for `reset`. */
export function acquireInflater(expected = 0): Inflater {
  return (idle.pop() ?? new Inflater()).reset(expected);
}

export function returnInflater(inflater: Inflater): void {
  if (idle.length < POOL_SIZE) idle.push(inflater);
}
