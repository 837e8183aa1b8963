/**
 * Extracts the literals that every match of a pattern must contain, as clauses: every match contains at least one text of each
 * clause. A search looks for them before it runs the automaton, and queries the trigram index with them.
 */
import type { Node } from "./ast.ts";

/** Every match contains at least one of these byte strings. */
export type Clause = readonly string[];

/**
 * `exact`: the strings as written. `folded`: A–Z as a–z, and a letter whose case is ignored as its lowercase one; for texts that
 * were folded the same way.
 */
export type Alike = "exact" | "folded";

interface KnownLiterals {
  /** All strings that the node can match, if they are few. */
  readonly exact: readonly string[] | null;
  readonly clauses: readonly Clause[];
}

const MAX_EXACT = 16;
const MAX_LENGTH = 64;
const NOTHING: KnownLiterals = { exact: null, clauses: [] };
const EMPTY: KnownLiterals = { exact: [""], clauses: [] };

export function requiredLiterals(node: Node, alike: Alike): Clause[] {
  const { exact, clauses } = known(node, alike);
  return (exact === null ? [...clauses] : [...clauses, exact]).filter((clause) => clause.every((text) => text !== ""));
}

/** The text of a pattern that is one literal and nothing else. */
export function wholeLiteral(node: Node): string | null {
  if (node.kind === "set") return node.code === undefined ? null : utf8(node.code);
  if (node.kind !== "concat") return null;
  const texts = node.parts.map(wholeLiteral);
  return texts.includes(null) ? null : texts.join("");
}

function known(node: Node, alike: Alike): KnownLiterals {
  switch (node.kind) {
    case "empty":
    case "look":
      return EMPTY;
    case "set": {
      const text = literalText(node.code, node.folded, alike);
      return text === null ? NOTHING : { exact: [text], clauses: [] };
    }
    case "concat":
      return ofSequence(node.parts.map((part) => known(part, alike)));
    case "alternate":
      return ofAlternatives(node.options.map((option) => known(option, alike)));
    case "repeat": {
      const inner = known(node.node, alike);
      if (node.min === 0) {
        const optional = node.max === 1 && inner.exact !== null && inner.exact.length < MAX_EXACT;
        return optional ? { exact: [...new Set([...(inner.exact as string[]), ""])], clauses: [] } : NOTHING;
      }
      if (node.min === node.max && node.min <= MAX_EXACT) return ofSequence(Array<KnownLiterals>(node.min).fill(inner));
      return { exact: null, clauses: inner.exact === null ? inner.clauses : [...inner.clauses, inner.exact] };
    }
    default:
      return node satisfies never;
  }
}

function ofSequence(parts: readonly KnownLiterals[]): KnownLiterals {
  const clauses: Clause[] = [];
  let run: readonly string[] = [""];
  let whole = true;
  const flush = () => {
    if (run.every((text) => text !== "")) clauses.push(run);
    whole = false;
  };
  for (const { exact, clauses: inner } of parts) {
    clauses.push(...inner);
    if (exact === null) {
      flush();
      run = [""];
    } else if (run.length * exact.length > MAX_EXACT || (run[0] as string).length > MAX_LENGTH) {
      flush();
      run = exact;
    } else run = [...new Set(run.flatMap((head) => exact.map((tail) => head + tail)))];
  }
  if (whole) return { exact: run, clauses };
  flush();
  return { exact: null, clauses };
}

function ofAlternatives(options: readonly KnownLiterals[]): KnownLiterals {
  const exact = options.every((option) => option.exact !== null)
    ? [...new Set(options.flatMap((option) => option.exact as string[]))]
    : null;
  if (exact !== null && exact.length <= MAX_EXACT) return { exact, clauses: [] };
  const best = options.map(({ exact: own, clauses }) => strongest(own === null ? clauses : [...clauses, own]));
  const union = best.flatMap((clause) => clause ?? [""]);
  return union.includes("") || union.length > 4 * MAX_EXACT ? NOTHING : { exact: null, clauses: [union] };
}

/** The clause whose shortest text is longest. */
function strongest(clauses: readonly Clause[]): Clause | null {
  let best: Clause | null = null;
  for (const clause of clauses) if (best === null || shortest(clause) > shortest(best)) best = clause;
  return best;
}

function shortest(clause: Clause): number {
  return Math.min(...clause.map((text) => text.length));
}

function literalText(code: number | undefined, folded: number | undefined, alike: Alike): string | null {
  if (alike === "exact") return code === undefined ? null : utf8(code);
  if (code !== undefined) return utf8(lower(code));
  return folded === undefined || folded > 0x7f ? null : utf8(lower(folded));
}

function lower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/** Bytes as the units of a string. */
function utf8(code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  return String.fromCharCode(...new TextEncoder().encode(String.fromCodePoint(code)));
}

export function latin1Bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (unit) => unit.charCodeAt(0));
}
