/**
 * POSIX basic and extended syntax with GNU's additions (`\+ \? \|` in basic, `\w \s \b \< \>` in both). Back-references are refused:
 * they cannot be matched in linear time. Errors have the words of the C library.
 */
import { CharSet, isWordCode, NAMED } from "./char-set.ts";
import type { Node } from "./syntax-tree.ts";

export class RegexError extends Error {}

interface RegexSyntax {
  readonly extended: boolean;
  readonly ignoreCase: boolean;
}

const MAX_REPEATS = 0x7fff;
const MAX_NESTING = 250;
const INFINITE = Number.POSITIVE_INFINITY;

export function parseRegex(pattern: string, syntax: RegexSyntax): Node {
  const parser = new Parser(pattern, syntax);
  return parser.parse();
}

class Parser {
  readonly #codes: number[];
  readonly #extended: boolean;
  readonly #ignoreCase: boolean;
  #at = 0;
  #depth = 0;

  constructor(pattern: string, { extended, ignoreCase }: RegexSyntax) {
    this.#codes = Array.from(pattern, (letter) => letter.codePointAt(0) as number);
    this.#extended = extended;
    this.#ignoreCase = ignoreCase;
  }

  parse(): Node {
    const node = this.#alternatives();
    if (this.#at < this.#codes.length) throw new RegexError("Unmatched ) or \\)");
    return node;
  }

  #alternatives(): Node {
    const parts = [this.#sequence()];
    while (this.#isOperator("|")) {
      this.#skipOperator();
      parts.push(this.#sequence());
    }
    return parts.length === 1 ? (parts[0] as Node) : { kind: "any", parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#codes.length && !this.#isOperator("|") && !this.#endsGroup()) {
      let node = this.#atom(parts.length === 0);
      for (;;) {
        if (this.#extended && node.kind === "assert" && this.#isRepetition()) throw misplacedRepetition();
        const range = this.#repetition(parts.length === 0 && node.kind === "assert");
        if (range === null) break;
        node = { kind: "repeat", inner: node, min: range[0], max: range[1] };
      }
      parts.push(node);
    }
    if (parts.length === 0) return { kind: "empty" };
    return parts.length === 1 ? (parts[0] as Node) : { kind: "all", parts };
  }

  #endsGroup(): boolean {
    if (!this.#isOperator(")")) return false;
    // Extended syntax takes a bracket that closes nothing for itself.
    return this.#depth > 0 || !this.#extended;
  }

  /** In basic syntax operators have a backslash, in extended they have none. */
  #isOperator(letter: string): boolean {
    const code = letter.charCodeAt(0);
    if (this.#extended) return this.#codes[this.#at] === code;
    return this.#codes[this.#at] === 92 && this.#codes[this.#at + 1] === code;
  }

  #skipOperator(): void {
    this.#at += this.#extended ? 1 : 2;
  }

  #repetition(afterAnchor: boolean): readonly [number, number] | null {
    const code = this.#codes[this.#at];
    // A star after "^" is itself in basic syntax.
    if (code === 42 && !(afterAnchor && !this.#extended)) {
      this.#at++;
      return [0, INFINITE];
    }
    for (const [letter, range] of [
      ["+", [1, INFINITE]],
      ["?", [0, 1]],
    ] as const) {
      if (!this.#isOperator(letter)) continue;
      this.#skipOperator();
      return range;
    }
    return this.#isOperator("{") ? this.#interval() : null;
  }

  #isRepetition(): boolean {
    return this.#codes[this.#at] === 42 || ["+", "?", "{"].some((letter) => this.#isOperator(letter));
  }

  #interval(): readonly [number, number] {
    this.#skipOperator();
    const text = String.fromCodePoint(...this.#codes.slice(this.#at, this.#at + 16));
    const match = (this.#extended ? /^(\d*)(,?)(\d*)\}/ : /^(\d*)(,?)(\d*)\\\}/).exec(text);
    if (match === null || (match[1] === "" && match[2] === "")) {
      const rest = String.fromCodePoint(...this.#codes.slice(this.#at));
      const isClosed = rest.includes(this.#extended ? "}" : "\\}");
      throw new RegexError(isClosed ? "Invalid content of \\{\\}" : "Unmatched \\{");
    }
    this.#at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === "" ? min : match[3] === "" ? INFINITE : Number(match[3]);
    if (max < min) throw new RegexError("Invalid content of \\{\\}");
    if (min > MAX_REPEATS || (max !== INFINITE && max > MAX_REPEATS))
      throw new RegexError("Regular expression too big");
    return [min, max];
  }

  #atom(first: boolean): Node {
    if (this.#isOperator("(")) return this.#group();
    const code = this.#codes[this.#at++] as number;
    switch (String.fromCodePoint(code)) {
      case ".":
        return { kind: "set", set: new CharSet().add(10).negate() };
      case "[":
        return { kind: "set", set: this.#bracket() };
      case "^":
        if (this.#extended || first) return { kind: "assert", what: "line-start" };
        break;
      case "$":
        if (this.#extended || this.#atEnd()) return { kind: "assert", what: "line-end" };
        break;
      case "*":
      case "+":
      case "?":
      case "{":
        // With nothing before it: basic syntax takes a star for itself.
        if (this.#extended && first) throw misplacedRepetition();
        break;
      case "\\":
        return this.#escaped();
      default:
    }
    return this.#char(code);
  }

  #atEnd(): boolean {
    return this.#at >= this.#codes.length || this.#isOperator(")") || this.#isOperator("|");
  }

  #group(): Node {
    this.#skipOperator();
    if (++this.#depth > MAX_NESTING) throw new RegexError("Regular expression too big");
    const node = this.#alternatives();
    if (!this.#isOperator(")")) throw new RegexError("Unmatched ( or \\(");
    this.#skipOperator();
    this.#depth--;
    return node;
  }

  #char(code: number): Node {
    if (!this.#ignoreCase) return { kind: "char", code };
    const letter = String.fromCodePoint(code);
    if (letter.toLowerCase() === letter.toUpperCase()) return { kind: "char", code };
    return { kind: "set", set: new CharSet().add(code).foldCase() };
  }

  #escaped(): Node {
    const code = this.#codes[this.#at++];
    if (code === undefined) throw new RegexError("Trailing backslash");
    const letter = String.fromCodePoint(code);
    switch (letter) {
      case "w":
      case "W": {
        const set = new CharSet().addWhere((one) => isWordCode(one.charCodeAt(0)));
        return { kind: "set", set: letter === "W" ? set.negate() : set };
      }
      case "s":
      case "S": {
        const set = new CharSet().addWhere((one) => (NAMED.space as RegExp).test(one));
        return { kind: "set", set: letter === "S" ? set.negate() : set };
      }
      case "<":
        return { kind: "assert", what: "word-start" };
      case ">":
        return { kind: "assert", what: "word-end" };
      case "b":
        return { kind: "assert", what: "word-edge" };
      case "B":
        return { kind: "assert", what: "no-word-edge" };
      case "`":
        return { kind: "assert", what: "line-start" };
      case "'":
        return { kind: "assert", what: "line-end" };
      default:
    }
    if (/[1-9]/.test(letter)) throw new RegexError("Back-references are not supported here");
    return this.#char(code);
  }

  #bracket(): CharSet {
    const set = new CharSet();
    const negated = this.#codes[this.#at] === 94;
    if (negated) this.#at++;
    for (let first = true; ; first = false) {
      const code = this.#codes[this.#at];
      if (code === undefined) throw unmatchedBracket();
      if (code === 93 && !first) {
        this.#at++;
        break;
      }
      if (code === 91 && this.#codes[this.#at + 1] === 58) this.#namedClass(set);
      else this.#range(set, this.#bracketChar());
    }
    if (this.#ignoreCase) set.foldCase();
    return negated ? set.negate() : set;
  }

  #namedClass(set: CharSet): void {
    const name = this.#upTo(58);
    const test = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
    if (test === undefined) throw new RegexError("Invalid character class name");
    set.addWhere((letter) => test.test(letter));
  }

  #range(set: CharSet, first: number): void {
    const isRange = this.#codes[this.#at] === 45 && this.#codes[this.#at + 1] !== 93;
    if (!isRange || this.#codes[this.#at + 1] === undefined) {
      set.add(first);
      return;
    }
    this.#at++;
    const last = this.#bracketChar();
    if (last < first) throw new RegexError("Invalid range end");
    set.addRange(first, last);
  }

  /** One character, also as `[.x.]` or `[=x=]`. */
  #bracketChar(): number {
    const code = this.#codes[this.#at] as number;
    const next = this.#codes[this.#at + 1];
    if (code !== 91 || (next !== 46 && next !== 61)) {
      this.#at++;
      return code;
    }
    const name = this.#upTo(next);
    if (Array.from(name).length !== 1) throw new RegexError("Invalid collation character");
    return name.codePointAt(0) as number;
  }

  /** The text of `[:name:]`, `[.x.]`, `[=x=]`. */
  #upTo(mark: number): string {
    let end = this.#at + 2;
    while (end < this.#codes.length && !(this.#codes[end] === mark && this.#codes[end + 1] === 93)) end++;
    if (end >= this.#codes.length) throw unmatchedBracket();
    const name = String.fromCodePoint(...this.#codes.slice(this.#at + 2, end));
    this.#at = end + 2;
    return name;
  }
}

function unmatchedBracket(): RegexError {
  return new RegexError("Unmatched [, [^, [:, [., or [=");
}

function misplacedRepetition(): RegexError {
  return new RegexError("Invalid preceding regular expression");
}
