/**
 * Parses ripgrep's glob syntax (its crate `globset`, with `literal_separator` and backslash escapes): `?`, `*`, `**` as a whole
 * segment, classes without escapes or POSIX names, and `{a,b}` whose alternatives may contain slashes and nest. It rejects what
 * ripgrep rejects: an unclosed class or group, a final backslash, a reversed range.
 */
import { GlobError } from "../errors.ts";
import { MAX_NESTING } from "../limits.ts";

export type Token =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  // `**/` at the start.
  | { readonly kind: "recursivePrefix" }
  // `/**` at the end.
  | { readonly kind: "recursiveSuffix" }
  // `/**/` between.
  | { readonly kind: "recursive" }
  | { readonly kind: "class"; readonly negated: boolean; readonly ranges: readonly [string, string][] }
  | { readonly kind: "alternates"; readonly branches: readonly Token[][] };

export function parseGlob(pattern: string): Token[] {
  return new GlobParser(pattern).parse();
}

class GlobParser {
  /** The branches being read: the whole pattern, then those of each open group. New tokens go to the last one. */
  readonly #branches: Token[][] = [[]];
  /** For each open group, where its branches begin. */
  readonly #groups: number[] = [];
  readonly #chars: string[];
  #at = 0;

  constructor(readonly pattern: string) {
    this.#chars = [...pattern];
  }

  parse(): Token[] {
    while (this.#at < this.#chars.length) {
      const token = this.#next(this.#chars[this.#at++]!);
      if (token) this.#branches.at(-1)!.push(token);
    }
    if (this.#groups.length > 0) this.#fail("unclosed alternate group; missing '}'");
    return this.#branches[0]!;
  }

  /** The token that starts with `char`; null when it only opens a group or a branch. */
  #next(char: string): Token | null {
    switch (char) {
      case "?":
        return { kind: "any" };
      case "*":
        return this.#star();
      case "[":
        return this.#class();
      case "{":
        if (this.#groups.length >= MAX_NESTING) this.#fail(`groups are nested deeper than ${MAX_NESTING}`);
        this.#groups.push(this.#branches.length);
        this.#branches.push([]);
        return null;
      case ",":
        if (this.#groups.length === 0) return { kind: "literal", text: "," };
        this.#branches.push([]);
        return null;
      case "}": {
        const start = this.#groups.pop() ?? this.#fail("unopened alternate group; missing '{'");
        return { kind: "alternates", branches: this.#branches.splice(start) };
      }
      case "\\":
        return { kind: "literal", text: this.#chars[this.#at++] ?? this.#fail("dangling '\\'") };
      default:
        return { kind: "literal", text: char };
    }
  }

  #star(): Token {
    const before = this.#chars[this.#at - 2];
    if (this.#chars[this.#at] !== "*") return { kind: "star" };
    this.#at++;
    const after = this.#chars[this.#at];
    const branch = this.#branches.at(-1)!;
    const isInGroup = this.#branches.length > 1;
    const opens = before === "/" || (isInGroup && (before === "," || before === "{"));
    const closes = after === undefined || (isInGroup && (after === "," || after === "}"));
    if (branch.length === 0) {
      if (after !== undefined && after !== "/") return { kind: "star" };
      this.#at++;
      return { kind: "recursivePrefix" };
    }
    if (!opens || !(closes || after === "/")) return { kind: "star" };
    if (!closes) this.#at++;
    // The slash before it, or another `**`, is part of this one.
    const previous = branch.pop()!;
    if (previous.kind === "recursivePrefix" || previous.kind === "recursiveSuffix") return previous;
    return { kind: closes ? "recursiveSuffix" : "recursive" };
  }

  #class(): Token {
    const negated = this.#chars[this.#at] === "!" || this.#chars[this.#at] === "^";
    if (negated) this.#at++;
    const ranges: [string, string][] = [];
    const first = this.#at;
    let inRange = false;
    for (;;) {
      const char = this.#chars[this.#at++] ?? this.#fail("unclosed character class; missing ']'");
      const isFirst = this.#at - 1 === first;
      if (char === "]" && !isFirst) break;
      const range = ranges.at(-1);
      if (inRange && range) {
        if (char.codePointAt(0)! < range[0].codePointAt(0)!) this.#fail(`invalid range ${range[0]}-${char}`);
        range[1] = char;
        inRange = false;
      } else if (char === "-" && !isFirst) {
        inRange = true;
      } else {
        ranges.push([char, char]);
      }
    }
    if (inRange) ranges.push(["-", "-"]);
    return { kind: "class", negated, ranges };
  }

  #fail(reason: string): never {
    const position = this.#chars.slice(0, this.#at).join("").length;
    throw new GlobError(this.pattern, Math.min(position, this.pattern.length), reason);
  }
}
