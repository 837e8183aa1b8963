/**
 * Parses a bracket expression as git's wildmatch does: a backslash quotes inside it, `[:name:]` is one of POSIX's twelve classes in
 * ASCII, and a leading "]" is a member.
 */
export interface ByteClass {
  readonly bounds: readonly number[];
  readonly negated: boolean;
  /** Offset behind the "]". */
  readonly end: number;
}

/** The classes as git defines them: its "space" contains neither vertical tab nor form feed. */
const NAMED: Readonly<Record<string, readonly number[]>> = {
  alnum: [0x30, 0x39, 0x41, 0x5a, 0x61, 0x7a],
  alpha: [0x41, 0x5a, 0x61, 0x7a],
  blank: [0x09, 0x09, 0x20, 0x20],
  cntrl: [0x00, 0x1f, 0x7f, 0x7f],
  digit: [0x30, 0x39],
  graph: [0x21, 0x7e],
  lower: [0x61, 0x7a],
  print: [0x20, 0x7e],
  punct: [0x21, 0x2f, 0x3a, 0x40, 0x5b, 0x60, 0x7b, 0x7e],
  space: [0x09, 0x0a, 0x0d, 0x0d, 0x20, 0x20],
  upper: [0x41, 0x5a],
  xdigit: [0x30, 0x39, 0x41, 0x46, 0x61, 0x66],
};

/** Reads the class whose "[" is at `start`; null if git rejects the pattern. */
export function parseClass(pattern: string, start: number): ByteClass | null {
  const negated = pattern[start + 1] === "!" || pattern[start + 1] === "^";
  const bounds: number[] = [];
  /** The previous member, as the start of a range; null if none can start. */
  let previous: number | null = null;
  let i = start + (negated ? 2 : 1);
  const first = i;
  while (i < pattern.length && (pattern[i] !== "]" || i === first)) {
    const named = pattern.startsWith("[:", i) ? readNamed(pattern, i) : undefined;
    const isRange: boolean =
      pattern[i] === "-" && previous !== null && i + 1 < pattern.length && pattern[i + 1] !== "]";
    if (isRange) i++;
    if (!isRange && named === null) return null;
    if (!isRange && named) {
      bounds.push(...NAMED[named.name]!);
      previous = null;
      i = named.end;
      continue;
    }
    if (pattern[i] === "\\") i++;
    if (i >= pattern.length) return null;
    const code = pattern.charCodeAt(i++);
    bounds.push(isRange ? previous! : code, code);
    previous = isRange ? null : code;
  }
  return i < pattern.length ? { bounds, negated, end: i + 1 } : null;
}

/** Undefined if "[:" is just two members, null if git rejects the pattern. */
function readNamed(pattern: string, start: number): { name: string; end: number } | null | undefined {
  const close = pattern.indexOf("]", start + 2);
  if (close < 0) return null;
  if (close - start < 3 || pattern[close - 1] !== ":") return undefined;
  const name = pattern.slice(start + 2, close - 1);
  return Object.hasOwn(NAMED, name) ? { name, end: close + 1 } : null;
}
