/**
 * Sets of symbols that one step of an automaton accepts. A symbol is a byte (git, ripgrep), or a UTF-16 unit or code point (Node);
 * the code is the same. `key` is equal exactly for equal definitions, so that states can be shared.
 */
export interface CharSet {
  readonly key: string;
  has(code: number): boolean;
}

export const SLASH = 0x2f;
export const DOT = 0x2e;

export const anySymbol: CharSet = { key: "any", has: () => true };
export const notSlash: CharSet = { key: "not/", has: (code) => code !== SLASH };

export function oneSymbol(code: number): CharSet {
  return BYTES[code] ?? makeOne(code);
}

/** Created once: patterns consist mostly of these. */
const BYTES: readonly CharSet[] = Array.from({ length: 256 }, (_, code) => makeOne(code));

function makeOne(code: number): CharSet {
  return { key: `=${code}`, has: (other) => other === code };
}

export interface SetDefinition {
  /** Inclusive bounds, low and high in turn. */
  readonly bounds: readonly number[];
  readonly negated: boolean;
  /** Whether the set may contain `/`; if false it never does, negated or not. */
  readonly slash: boolean;
  /** Ignores the case of A–Z and a–z. */
  readonly ignoreCase?: boolean;
}

export function rangeSet(definition: SetDefinition): CharSet {
  const { negated, slash, ignoreCase = false } = definition;
  const bounds = mergeBounds(ignoreCase ? withOtherCase(definition.bounds) : definition.bounds);
  return {
    key: `${negated ? "^" : ""}${slash ? "/" : ""}${bounds.join()}`,
    has: (code) => (slash || code !== SLASH) && within(bounds, code) !== negated,
  };
}

/** Returns the same set with sorted, disjoint and nonempty ranges. */
export function mergeBounds(bounds: readonly number[]): number[] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < bounds.length; i += 2) if (bounds[i]! <= bounds[i + 1]!) pairs.push([bounds[i]!, bounds[i + 1]!]);
  const merged: number[] = [];
  for (const [low, high] of pairs.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last + 1) merged[merged.length - 1] = Math.max(last, high);
    else merged.push(low, high);
  }
  return merged;
}

export function within(bounds: readonly number[], code: number): boolean {
  for (let i = 0; i < bounds.length; i += 2) {
    if (code >= bounds[i]! && code <= bounds[i + 1]!) return true;
  }
  return false;
}

const CASE_BIT = 0x20;
const LETTERS = [
  [0x41, 0x5a, CASE_BIT],
  [0x61, 0x7a, -CASE_BIT],
] as const;

function withOtherCase(bounds: readonly number[]): number[] {
  const both = [...bounds];
  for (let i = 0; i < bounds.length; i += 2) {
    for (const [first, last, shift] of LETTERS) {
      const low = Math.max(first, bounds[i]!);
      const high = Math.min(last, bounds[i + 1]!);
      if (low <= high) both.push(low + shift, high + shift);
    }
  }
  return both;
}
