// Reproducible randomness: a failing case names its seed. Faster than fast-check where thousands of cases go to a
// real program and nothing is shrunk.

export interface Seeded {
  /** At least 0, below 1. */
  next(): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Between `min` and `max` values. */
  list<T>(min: number, max: number, make: () => T): T[];
}

export function seeded(seed: number): Seeded {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    pick: (from) => from[Math.floor(next() * from.length)]!,
    list: (min, max, make) => Array.from({ length: min + Math.floor(next() * (max - min + 1)) }, make),
  };
}
