/**
 * git's wildmatch, the glob of ref names, `includeIf` and pathspecs: `*`, `?`, `[a-z]`, `[[:alpha:]]`, `\x`, and with `pathname`
 * a `*` stops at "/" while `**` does not. Runs without recursion on the text: a memo of (pattern, text) positions that failed keeps
 * hostile patterns polynomial.
 */

interface WildmatchOptions {
  /** `*` and `?` do not match "/"; `**` between slashes does. */
  pathname?: boolean;
  ignoreCase?: boolean;
}

export function wildmatch(pattern: string, text: string, options: WildmatchOptions = {}): boolean {
  const fold = options.ignoreCase ? (s: string) => s.toLowerCase() : (s: string) => s;
  const matcher = new Matcher(fold(pattern), fold(text), options.pathname ?? false);
  return matcher.match(0, 0);
}

/** Whether a text is a glob: it contains one of `*?[\`. */
export function hasGlob(text: string): boolean {
  return /[*?[\\]/.test(text);
}

class Matcher {
  private readonly failed = new Set<number>();

  constructor(
    private readonly pattern: string,
    private readonly text: string,
    private readonly pathname: boolean,
  ) {}

  match(startPattern: number, startText: number): boolean {
    const { pattern, text } = this;
    let p = startPattern;
    let t = startText;
    while (p < pattern.length) {
      const c = pattern[p] as string;
      if (c === "*") return this.star(p, t);
      if (t >= text.length) return false;
      if (c === "?") {
        if (this.pathname && text[t] === "/") return false;
        p++;
      } else if (c === "[") {
        const end = this.bracket(p, text[t] as string);
        if (end < 0) return false;
        p = end;
      } else if (c === "\\") {
        if (pattern[p + 1] !== text[t]) return false;
        p += 2;
      } else {
        if (c !== text[t]) return false;
        p++;
      }
      t++;
    }
    return t === text.length;
  }

  /** From a `*` at `p`: tries every length; failed positions are memoized. */
  private star(p: number, t: number): boolean {
    const { pattern, text } = this;
    const key = p * (text.length + 1) + t;
    if (this.failed.has(key)) return false;
    let next = p;
    while (pattern[next] === "*") next++;
    let crosses = !this.pathname;
    if (this.pathname && next - p >= 2) {
      const before = p === 0 || pattern[p - 1] === "/";
      const after =
        next === pattern.length || pattern[next] === "/" || (pattern[next] === "\\" && pattern[next + 1] === "/");
      crosses = before && after;
      // "**/" also matches the empty string.
      if (crosses && pattern[next] === "/" && this.match(next + 1, t)) return true;
    }
    if (next === pattern.length) {
      if (crosses || !text.includes("/", t)) return true;
    } else {
      for (let at = t; at <= text.length; at++) {
        if (this.match(next, at)) return true;
        if (!crosses && text[at] === "/") break;
      }
    }
    this.failed.add(key);
    return false;
  }

  /** The position after `]` if the class at `p` matches `c`, else -1. */
  private bracket(p: number, c: string): number {
    const { pattern } = this;
    let at = p + 1;
    const negated = pattern[at] === "!" || pattern[at] === "^";
    if (negated) at++;
    let taken = false;
    let first = true;
    let previous = "";
    for (;;) {
      const ch = pattern[at];
      if (ch === undefined) return -1;
      if (ch === "]" && !first) break;
      first = false;
      if (ch === "[" && pattern[at + 1] === ":") {
        const close = pattern.indexOf(":]", at + 2);
        if (close < 0) return -1;
        const test = classes[pattern.slice(at + 2, close)];
        if (!test) return -1;
        if (test.test(c)) taken = true;
        at = close + 2;
        previous = "";
        continue;
      }
      if (ch === "-" && previous !== "" && pattern[at + 1] !== undefined && pattern[at + 1] !== "]") {
        at++;
        if (pattern[at] === "\\") at++;
        const high = pattern[at];
        if (high === undefined) return -1;
        if (c >= previous && c <= high) taken = true;
        previous = "";
        at++;
        continue;
      }
      let literal = ch;
      if (ch === "\\") {
        at++;
        if (pattern[at] === undefined) return -1;
        literal = pattern[at] as string;
      }
      if (literal === c) taken = true;
      previous = literal;
      at++;
    }
    if (taken === negated || (this.pathname && c === "/")) return -1;
    return at + 1;
  }
}

const classes: Record<string, RegExp> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r\f\v]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};
