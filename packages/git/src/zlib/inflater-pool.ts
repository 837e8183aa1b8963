/** Inflaters to take and give back: one that waits for input across an `await` must not be used by anyone else meanwhile. */
import { Inflater } from "./inflater.ts";

const idle: Inflater[] = [];
const KEPT = 4;

export function takeInflater(): Inflater {
  return (idle.pop() ?? new Inflater()).reset();
}

export function returnInflater(inflater: Inflater): void {
  if (idle.length < KEPT) idle.push(inflater);
}
