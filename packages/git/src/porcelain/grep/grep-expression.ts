/** The condition on a line: patterns with `--and`, `--or`, `--not` and parentheses, or any one of several. */
import { GitError } from "../../errors.ts";
import { compileRegex, type Regex, type RegexOptions } from "../../regex/compile-regex.ts";
import { RegexError } from "../../regex/parse-regex.ts";

export type GrepToken =
  | { readonly kind: "pattern"; readonly text: string; readonly origin?: string }
  | { readonly kind: "and" | "or" | "not" | "(" | ")" };

export interface GrepExpressionOptions extends RegexOptions {
  readonly word?: boolean;
  readonly allMatch?: boolean;
}

export interface LineMatch {
  readonly start: number;
  readonly end: number;
}

type Node =
  | { readonly kind: "pattern"; readonly regex: Regex }
  | { readonly kind: "not"; readonly inner: Node }
  | { readonly kind: "and" | "or"; readonly left: Node; readonly right: Node };

export interface LineHit {
  readonly hit: boolean;
  readonly column: number;
  readonly against: number;
}

type Columns = [column: number, against: number];
const MISS: LineHit = { hit: false, column: -1, against: -1 };

export class GrepExpression {
  readonly #patterns: readonly Regex[];
  readonly #tree: Node | null;
  readonly #word: boolean;
  /** With `--all-match`: each must match some line of the file. */
  readonly #required: readonly Node[];

  constructor(tokens: readonly GrepToken[], options: GrepExpressionOptions = {}) {
    const { word = false, allMatch = false } = options;
    const compiled = tokens.map((token) => (token.kind === "pattern" ? compileToken(token, options) : null));
    this.#word = word;
    this.#patterns = compiled.filter((regex) => regex !== null);
    const isPlain = tokens.every(({ kind }) => kind === "pattern");
    this.#tree = isPlain && !allMatch ? null : new ExpressionParser(tokens, compiled).parse();
    this.#required = allMatch && this.#tree !== null ? alternatives(this.#tree) : [];
  }

  get needsAllMatch(): boolean {
    return this.#required.length > 1;
  }

  /** A literal that every matching file contains; "" if unknown. */
  get literal(): string {
    return this.#tree === null && this.#patterns.length === 1 ? (this.#patterns[0]?.literal ?? "") : "";
  }

  /** The columns of the first positive and the first negated match; -1: none. */
  match(line: string): LineHit {
    if (this.#tree !== null) {
      const columns: Columns = [-1, -1];
      const hit = this.#evaluate(this.#tree, line, columns);
      return { hit, column: columns[0], against: columns[1] };
    }
    let column = -1;
    for (const regex of this.#patterns) {
      const found = this.#find(regex, line, 0);
      if (found !== null && (column < 0 || found.start < column)) column = found.start;
    }
    return column < 0 ? MISS : { hit: true, column, against: -1 };
  }

  /** Every match of any pattern, for colors and `-o`; an empty match ends the list. */
  matches(line: string): LineMatch[] {
    const found: LineMatch[] = [];
    for (let from = 0; ; ) {
      let first: LineMatch | null = null;
      for (const regex of this.#patterns) {
        const one = this.#find(regex, line, from);
        if (one === null) continue;
        if (first === null || one.start < first.start || (one.start === first.start && one.end > first.end))
          first = one;
      }
      if (first === null || first.start === first.end) return found;
      found.push(first);
      from = first.end;
    }
  }

  satisfiesAll(lines: readonly string[]): boolean {
    return this.#required.every((node) => lines.some((line) => this.#evaluate(node, line, [-1, -1])));
  }

  /** `side`: index into the columns; `--not` switches it. */
  #evaluate(node: Node, line: string, columns: Columns, side: 0 | 1 = 0): boolean {
    switch (node.kind) {
      case "pattern": {
        const found = this.#find(node.regex, line, 0);
        if (found !== null && (columns[side] < 0 || found.start < columns[side])) columns[side] = found.start;
        return found !== null;
      }
      case "not":
        return !this.#evaluate(node.inner, line, columns, side === 0 ? 1 : 0);
      // Evaluates both sides, for their columns.
      case "and": {
        const left = this.#evaluate(node.left, line, columns, side);
        return this.#evaluate(node.right, line, columns, side) && left;
      }
      case "or": {
        const left = this.#evaluate(node.left, line, columns, side);
        return this.#evaluate(node.right, line, columns, side) || left;
      }
      default:
        return node satisfies never;
    }
  }

  /** With `-w`, skips a match next to a word character and tries the next word. */
  #find(regex: Regex, line: string, from: number): LineMatch | null {
    for (let at = from; ; ) {
      const found = regex.exec(line, at);
      if (found === null || !this.#word) return found;
      const fits = !isWord(line, found.start - 1) && !isWord(line, found.end) && found.end > found.start;
      if (fits) return found;
      at = found.start + 1;
      while (at < line.length && isWord(line, at - 1)) at++;
      if (at >= line.length) return null;
    }
  }
}

function isWord(line: string, at: number): boolean {
  return at >= 0 && at < line.length && /[A-Za-z0-9_]/.test(line[at] as string);
}

function compileToken(
  { text, origin = "command line" }: GrepToken & { kind: "pattern" },
  options: RegexOptions,
): Regex {
  try {
    return compileRegex(text, options);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    throw new GitError("EINVAL", `${origin}, '${text}': ${error.message}`);
  }
}

function alternatives(node: Node): Node[] {
  return node.kind === "or" ? [...alternatives(node.left), ...alternatives(node.right)] : [node];
}

/** `--or` is the default between two patterns; `--and` binds tighter, `--not` tightest. */
class ExpressionParser {
  #at = 0;

  constructor(
    private readonly tokens: readonly GrepToken[],
    private readonly compiled: readonly (Regex | null)[],
  ) {}

  parse(): Node {
    const node = this.#or();
    const rest = this.tokens[this.#at];
    if (node === null || rest !== undefined) {
      const text = rest === undefined ? "" : rest.kind;
      throw new GitError("EINVAL", `incomplete pattern expression group: ${text}`);
    }
    return node;
  }

  /** A method, since its value changes between two calls. */
  #next(): GrepToken["kind"] | undefined {
    return this.tokens[this.#at]?.kind;
  }

  #or(): Node | null {
    const left = this.#and();
    if (left === null || this.#next() === undefined || this.#next() === ")") return left;
    if (this.#next() === "or") this.#at++;
    const right = this.#or();
    if (right === null) throw new GitError("EINVAL", "not a pattern expression");
    return { kind: "or", left, right };
  }

  #and(): Node | null {
    const left = this.#not();
    if (this.#next() !== "and") return left;
    if (left === null) throw new GitError("EINVAL", "--and not preceded by pattern expression");
    this.#at++;
    if (this.#next() === undefined) throw new GitError("EINVAL", "--and not followed by pattern expression");
    const right = this.#and();
    if (right === null) throw new GitError("EINVAL", "--and not followed by pattern expression");
    return { kind: "and", left, right };
  }

  #not(): Node | null {
    if (this.#next() !== "not") return this.#atom();
    this.#at++;
    if (this.#next() === undefined) throw new GitError("EINVAL", "--not not followed by pattern expression");
    const inner = this.#not();
    if (inner === null) throw new GitError("EINVAL", "--not followed by non pattern expression");
    return { kind: "not", inner };
  }

  #atom(): Node | null {
    if (this.#next() === "pattern") {
      const regex = this.compiled[this.#at++] as Regex;
      return { kind: "pattern", regex };
    }
    if (this.#next() !== "(") return null;
    this.#at++;
    const inner = this.#or();
    if (this.#next() !== ")") throw new GitError("EINVAL", "unmatched ( for expression group");
    this.#at++;
    return inner;
  }
}
