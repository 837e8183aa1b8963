/**
 * The base directory of a Node glob: the directory that contains every match, from the pattern's leading literal segments. The last
 * segment is never part of it: the base of "src/index.ts" is "src". "" is the start of the walk, "/" the root.
 */
import { type Alternative, parsePattern } from "./parse-pattern.ts";

/** The literal leading directory of a pattern of Node's glob: `compileGlob(pattern).base`, without compiling. */
export function literalPrefix(pattern: string): string {
  return commonBase(literalBases(parsePattern(pattern)));
}

/** Returns one base per alternative, without those below another. */
export function literalBases(alternatives: readonly Alternative[]): string[] {
  const bases = new Set(alternatives.map(literalBase));
  return [...bases].filter((base) => !properAncestors(base).some((ancestor) => bases.has(ancestor))).sort();
}

/** Returns the deepest directory that contains all of them; "" also if there is none, as for "/a" and "b". */
export function commonBase(bases: readonly string[]): string {
  const [first = "", ...others] = bases;
  const candidates = [first, ...properAncestors(first)];
  return candidates.find((base) => others.every((other) => properAncestors(other).includes(base))) ?? "";
}

function literalBase(alternative: Alternative): string {
  const names: string[] = [];
  for (const segment of alternative.slice(0, -1)) {
    if (segment.kind !== "literal") break;
    names.push(segment.text);
  }
  if (names[0] === ".") names.shift();
  return names.length === 1 && names[0] === "" ? "/" : names.join("/");
}

/** Lists the parent directories, deepest first; none for a path with "..", whose parents have no names. */
function properAncestors(base: string): string[] {
  const ancestors: string[] = [];
  if (base === "" || base === "/" || /(^|\/)\.\.(\/|$)/.test(base)) return ancestors;
  for (let i = base.lastIndexOf("/"); i > 0; i = base.lastIndexOf("/", i - 1)) ancestors.push(base.slice(0, i));
  ancestors.push(base.startsWith("/") ? "/" : "");
  return ancestors;
}
