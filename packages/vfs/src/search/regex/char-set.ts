/**
 * A set of characters, tested one code point at a time. There are no Unicode tables here: a leaf is the inside of a JavaScript
 * class, and V8 tests whether a character is in it, case-folded or not; its folding is Unicode's simple one, as Rust's is. Only
 * code points that occur in a text are tested, and the automaton caches the results.
 */

export type CharSet =
  /** `source` is the part between the brackets of a JavaScript class with the flag `u`. */
  | { readonly op: "chars"; readonly source: string; readonly fold: boolean; test?: RegExp }
  | { readonly op: "not"; readonly of: CharSet }
  | { readonly op: "and" | "or" | "xor"; readonly sets: readonly CharSet[] };

export const NEWLINE = 0x0a;

export function chars(source: string, fold = false): CharSet {
  return { op: "chars", source, fold };
}

export function single(code: number, fold = false): CharSet {
  return chars(escapeCode(code), fold);
}

export function range(from: number, to: number): string {
  return `${escapeCode(from)}-${escapeCode(to)}`;
}

export function not(of: CharSet): CharSet {
  return { op: "not", of };
}

export const ASCII = chars("\\x00-\\x7f");

export function has(set: CharSet, code: number): boolean {
  if (set.op !== "chars") return combined(set, code, has);
  if (set.source === "") return false;
  set.test ??= new RegExp(`^[${set.source}]$`, set.fold ? "iu" : "u");
  return set.test.test(String.fromCodePoint(code));
}

function combined(set: Exclude<CharSet, { op: "chars" }>, code: number, ask: typeof has): boolean {
  switch (set.op) {
    case "not":
      return !ask(set.of, code);
    case "and":
      return set.sets.every((part) => ask(part, code));
    case "or":
      return set.sets.some((part) => ask(part, code));
    case "xor":
      return set.sets.reduce((odd, part) => odd !== ask(part, code), false);
    default:
      return set satisfies never;
  }
}

/** By source and folding: patterns use the same few classes again and again. */
const asciiTables = new Map<string, Uint8Array>();
const MAX_TABLES = 1000;

/** By code, 1 for the ASCII characters in the set. Must not be modified. */
export function asciiOf(set: CharSet): Uint8Array {
  if (set.op !== "chars") return Uint8Array.from({ length: 0x80 }, (_, code) => (hasByTable(set, code) ? 1 : 0));
  const key = `${set.fold ? "i" : ""}[${set.source}]`;
  const known = asciiTables.get(key);
  if (known !== undefined) return known;
  if (asciiTables.size >= MAX_TABLES) asciiTables.clear();
  const table = Uint8Array.from({ length: 0x80 }, (_, code) => (has(set, code) ? 1 : 0));
  asciiTables.set(key, table);
  return table;
}

function hasByTable(set: CharSet, code: number): boolean {
  return set.op === "chars" ? asciiOf(set)[code] === 1 : combined(set, code, hasByTable);
}

function escapeCode(code: number): string {
  return `\\u{${code.toString(16)}}`;
}
