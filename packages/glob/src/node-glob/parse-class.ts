/**
 * Parses a bracket expression as Node's glob does: `[abc]`, `[a-z]`, `[!x]`, `[[:alpha:]]`. A class of one plain character is that
 * character. It is Node's only way to quote (`[*]`), because Node reads a backslash as a slash. A set never contains "/".
 */
import { type CharSet, mergeBounds, SLASH, within } from "../automaton/char-set.ts";

export type ClassToken =
  | { readonly kind: "literal"; readonly code: number; readonly end: number }
  | {
      readonly kind: "set";
      readonly set: CharSet;
      readonly end: number;
      readonly unicode: boolean;
      readonly mixed: boolean;
    }
  /** An empty class, which consumes the rest of the segment. */
  | { readonly kind: "never"; readonly end: number };

const PROPERTIES: Readonly<Record<string, { test: RegExp; unicode: boolean; inverse?: true }>> = {
  "[:alnum:]": { test: /[\p{L}\p{Nl}\p{Nd}]/u, unicode: true },
  "[:alpha:]": { test: /[\p{L}\p{Nl}]/u, unicode: true },
  "[:ascii:]": { test: /[\x00-\x7f]/, unicode: false },
  "[:blank:]": { test: /[\p{Zs}\t]/u, unicode: true },
  "[:cntrl:]": { test: /\p{Cc}/u, unicode: true },
  "[:digit:]": { test: /\p{Nd}/u, unicode: true },
  "[:graph:]": { test: /[\p{Z}\p{C}]/u, unicode: true, inverse: true },
  "[:lower:]": { test: /\p{Ll}/u, unicode: true },
  // Node's bug, reproduced: "print" contains nonprintable characters.
  "[:print:]": { test: /\p{C}/u, unicode: true },
  "[:punct:]": { test: /\p{P}/u, unicode: true },
  "[:space:]": { test: /[\p{Z}\t\r\n\v\f]/u, unicode: true },
  "[:upper:]": { test: /\p{Lu}/u, unicode: true },
  "[:word:]": { test: /[\p{L}\p{Nl}\p{Nd}\p{Pc}]/u, unicode: true },
  "[:xdigit:]": { test: /[A-Fa-f0-9]/, unicode: false },
};

interface Members {
  readonly bounds: number[];
  readonly holding: string[];
  readonly lacking: string[];
  unicode: boolean;
}

/** Reads the class whose `[` is at `start`; null if it is not closed and the `[` is a plain character. */
export function parseClass(text: string, start: number): ClassToken | null {
  const members: Members = { bounds: [], holding: [], lacking: [], unicode: false };
  const negated = text[start + 1] === "!" || text[start + 1] === "^";
  let i = start + (negated ? 2 : 1);
  const first = i;
  while (i < text.length && (text[i] !== "]" || i === first)) {
    const name = propertyAt(text, i);
    if (name) {
      addProperty(members, name);
      i += name.length;
    } else if (text[i + 1] === "-" && text[i + 2] === "]") {
      const code = text.charCodeAt(i);
      members.bounds.push(code, code, 0x2d, 0x2d);
      i += 2;
    } else if (text[i + 1] === "-" && i + 2 < text.length) {
      if (propertyAt(text, i + 2)) return { kind: "never", end: text.length };
      const [low, high] = [text.charCodeAt(i), text.charCodeAt(i + 2)];
      if (low <= high) members.bounds.push(low, high);
      i += 3;
    } else {
      const code = text.charCodeAt(i);
      members.bounds.push(code, code);
      i += text[i + 1] === "-" ? 2 : 1;
    }
  }
  if (i >= text.length) return null;
  return finish(members, negated, i + 1, text.length);
}

function finish(members: Members, negated: boolean, end: number, length: number): ClassToken {
  const { bounds, holding, lacking, unicode } = members;
  const plain = holding.length === 0 && lacking.length === 0;
  if (plain && bounds.length === 0) return { kind: "never", end: length };
  if (plain && bounds.length === 2 && bounds[0] === bounds[1] && !negated) {
    return { kind: "literal", code: bounds[0]!, end };
  }
  return { kind: "set", set: classSet(members, negated), end, unicode, mixed: isMixed(members) };
}

function addProperty(members: Members, name: string): void {
  const { unicode, inverse } = PROPERTIES[name]!;
  (inverse ? members.lacking : members.holding).push(name);
  members.unicode ||= unicode;
}

function propertyAt(text: string, i: number): string | undefined {
  if (text[i] !== "[" || text[i + 1] !== ":") return undefined;
  const name = text.slice(i, text.indexOf("]", i) + 1);
  return Object.hasOwn(PROPERTIES, name) ? name : undefined;
}

function isMixed({ bounds, holding, lacking }: Members): boolean {
  return bounds.length + holding.length > 0 && lacking.length > 0;
}

function classSet(members: Members, negated: boolean): CharSet {
  const { holding, lacking } = members;
  const bounds = mergeBounds(members.bounds);
  const some = (names: string[], code: number) =>
    names.some((n) => PROPERTIES[n]!.test.test(String.fromCodePoint(code)));
  const isIn = (code: number) => (within(bounds, code) || some(holding, code)) !== negated;
  const isOut = (code: number) => some(lacking, code) === negated;
  const has = isMixed(members) ? (code: number) => isIn(code) || isOut(code) : lacking.length > 0 ? isOut : isIn;
  return {
    key: `node ${negated} ${bounds.join()} ${holding.join()} ${lacking.join()}`,
    has: (code) => code !== SLASH && has(code),
  };
}
