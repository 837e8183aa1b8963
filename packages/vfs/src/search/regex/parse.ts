/**
 * Parses ripgrep's regular expressions (Rust's `regex` syntax) to an AST. Rejects what Rust rejects, and the little that a matcher
 * of code points cannot do: bytes that are not text, and `(?-u)` where it would match part of a character.
 */
import { alternate, concat, EMPTY, type Look, type Node, some } from "./ast.ts";
import { ASCII, type CharSet, chars, has, NEWLINE, not, single } from "./char-set.ts";
import { badPattern, PatternCursor } from "./cursor.ts";
import { type ClassReader, readClass } from "./parse-class.ts";
import { type Escape, NO_BYTES, readEscape } from "./parse-escape.ts";
import { type RegexFlags, readFlags } from "./parse-flags.ts";

export interface ParseOptions {
  readonly ignoreCase: boolean;
  /** Line endings can be matched; otherwise no set contains them, and naming one is an error. */
  readonly newlines: boolean;
  readonly dotAll: boolean;
  /** The pattern is plain text. */
  readonly literal: boolean;
  /** A NUL byte may be named: files that contain one are searched too. */
  readonly nul: boolean;
}

export interface ParsedRegex {
  readonly node: Node;
  /** For smart case: whether any character was named, and whether one of them is a capital. */
  readonly anyLiteral: boolean;
  readonly anyUppercase: boolean;
}

/** As Rust's. */
const MAX_NESTING = 250;
/** As Rust's: a count fits 32 bits. The automaton limits the size of a pattern. */
const MAX_REPEAT = 2 ** 32 - 1;

/** Matches any of several patterns. Joins them as ripgrep does: each in its own group, so that names and comments interact. */
export function parseRegex(patterns: readonly string[], options: ParseOptions): ParsedRegex {
  const parsed = options.literal
    ? patterns.map((pattern) => new Parser(pattern, 0, options).parse())
    : [new Parser(patterns.map((pattern) => `(?:${pattern})`).join("|"), "(?:".length, options).parse()];
  const node = alternate(parsed.map((part) => part.node));
  if (!options.newlines && (isNewline(node) || some(node, namesNewline)))
    throw badPattern(patterns.join("|"), 'the literal "\\n" is not allowed without multiline');
  return {
    node,
    anyLiteral: parsed.some((part) => part.anyLiteral),
    anyUppercase: parsed.some((part) => part.anyUppercase),
  };
}

/**
 * A set of characters is a class, which may contain a line ending and never meet it; alone, a line ending can only be a mistake.
 */
function namesNewline(node: Node): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "concat":
      return node.parts.some(isNewline);
    case "alternate":
      return node.options.some(isNewline) && !node.options.every((option) => option.kind === "set");
    case "repeat":
      return isNewline(node.node);
    default:
      return false;
  }
}

function isNewline(node: Node): boolean {
  return node.kind === "set" && (node.code ?? node.folded) === NEWLINE;
}

class Parser implements ClassReader {
  readonly cursor: PatternCursor;
  flags: RegexFlags;
  readonly #nul: boolean;
  readonly #literal: boolean;
  readonly #names = new Set<string>();
  #depth = 0;
  #anyLiteral = false;
  #anyUppercase = false;

  constructor(pattern: string, shift: number, { ignoreCase, dotAll, literal, nul }: ParseOptions) {
    this.cursor = new PatternCursor(pattern, shift);
    this.#literal = literal;
    this.#nul = nul;
    this.flags = { i: ignoreCase, m: true, s: dotAll, R: false, U: false, u: true, x: false };
  }

  parse(): ParsedRegex {
    const node = this.#literal ? this.#plain() : this.#alternation();
    if (!this.cursor.done) this.cursor.fail("unopened group");
    return { node, anyLiteral: this.#anyLiteral, anyUppercase: this.#anyUppercase };
  }

  /** Called for every literal character, in classes too. */
  sawLiteral(code: number): void {
    this.#anyLiteral = true;
    if (!this.#anyUppercase && /\p{Uppercase}/u.test(String.fromCodePoint(code))) this.#anyUppercase = true;
  }

  #plain(): Node {
    const parts: Node[] = [];
    while (!this.cursor.done) parts.push(this.#char(this.cursor.next().codePointAt(0) as number));
    return concat(parts);
  }

  #alternation(): Node {
    if (++this.#depth > MAX_NESTING) this.cursor.fail(`nested more than ${MAX_NESTING} deep`);
    const options: Node[] = [this.#sequence()];
    while (this.cursor.take("|")) options.push(this.#sequence());
    this.#depth--;
    return alternate(options);
  }

  #sequence(): Node {
    const parts: Node[] = [];
    for (;;) {
      this.skipSpace();
      const c = this.cursor.peek();
      if (c === "" || c === "|" || c === ")") return concat(parts);
      if (c === "*" || c === "+" || c === "?" || c === "{") this.cursor.fail("repetition operator missing expression");
      const atom = this.#atom();
      // A group of flags only is not an expression that could be repeated.
      if (atom === null) continue;
      parts.push(this.#repeated(atom));
    }
  }

  #atom(): Node | null {
    const { cursor } = this;
    const c = cursor.peek();
    switch (c) {
      case "(":
        return this.#group();
      case "[": {
        const code = onlyChar(cursor);
        const set = readClass(this);
        return code === NEWLINE ? this.#char(code) : this.#set(set);
      }
      case ".":
        cursor.next();
        return this.#dot();
      case "^":
        cursor.next();
        return look(!this.flags.m ? "text-start" : this.flags.R ? "line-start-crlf" : "line-start");
      case "$":
        cursor.next();
        return look(!this.flags.m ? "text-end" : this.flags.R ? "line-end-crlf" : "line-end");
      case "\\":
        return this.#escape(readEscape(cursor, this.flags));
      default:
        return this.#char(cursor.next().codePointAt(0) as number);
    }
  }

  #escape(read: Escape): Node {
    switch (read.kind) {
      case "char":
        return this.#char(read.code);
      case "set":
        return this.#set(read.set);
      case "look":
        // Between two bytes of a character there is no ASCII word, and no position for a matcher of characters.
        if (!this.flags.u && /^not-|-half$/.test(read.look)) return this.cursor.fail(`not supported: ${NO_BYTES}`);
        return { kind: "look", look: read.look, ascii: !this.flags.u };
      default:
        return read satisfies never;
    }
  }

  #char(code: number): Node {
    if (code === 0 && !this.#nul) this.cursor.fail('a NUL ("\\0") cannot be searched for: files with one are binary');
    this.sawLiteral(code);
    // Without Unicode only A–Z have two cases; within ASCII this always holds.
    const hasCases = code > 0x7f ? this.flags.u : /[A-Za-z]/.test(String.fromCharCode(code));
    if (!this.flags.i || !hasCases) return { kind: "set", set: single(code), code };
    const set = this.flags.u ? single(code, true) : { op: "and" as const, sets: [single(code, true), ASCII] };
    return { kind: "set", set, folded: code };
  }

  #set(set: CharSet): Node {
    if (!this.flags.u && (has(set, 0x80) || has(set, 0xff) || has(set, 0x4e00)))
      this.cursor.fail(`not supported: ${NO_BYTES}`);
    return { kind: "set", set };
  }

  #dot(): Node {
    if (this.flags.s) return this.#set(chars("\\u{0}-\\u{10ffff}"));
    return this.#set(not(this.flags.R ? chars("\\r\\n") : single(NEWLINE)));
  }

  #group(): Node | null {
    const { cursor } = this;
    const start = cursor.at;
    const outer = { ...this.flags };
    cursor.next();
    this.skipSpace();
    if (cursor.take("?")) {
      if (["=", "!", "<=", "<!"].some((text) => cursor.looksAt(text)))
        cursor.fail("look-around, including look-ahead and look-behind, is not supported", start);
      if (cursor.take("P<") || cursor.take("<")) this.#name(start);
      else if (readFlags(cursor, this.flags, start) === "rest") return null;
    }
    const node = this.#alternation();
    if (!cursor.take(")")) cursor.fail("unclosed group", start);
    this.flags = outer;
    return node;
  }

  #name(start: number): void {
    const name = this.cursor.takeUntil(">");
    if (name === null || !/^[\p{Alphabetic}_][\p{Alphabetic}\p{N}_.[\]]*$/u.test(name))
      this.cursor.fail("invalid capture group name", start);
    if (this.#names.has(name)) this.cursor.fail("duplicate capture group name", start);
    this.#names.add(name);
  }

  #repeated(atom: Node): Node {
    const { cursor } = this;
    let node = atom;
    for (;;) {
      this.skipSpace();
      const at = cursor.at;
      const counts = this.#counts();
      if (counts === null) return node;
      const [min, max] = counts;
      if (max !== null && min > max) cursor.fail("invalid repetition count range, the start must be <= the end", at);
      if (min > MAX_REPEAT || (max ?? 0) > MAX_REPEAT) cursor.fail("repetition count is too large", at);
      // As Rust: blanks are allowed only after a count.
      if (cursor.peek(-1) === "}") this.skipSpace();
      const lazy = cursor.take("?") !== this.flags.U;
      node = max === 0 ? EMPTY : { kind: "repeat", node, min, max, lazy };
    }
  }

  #counts(): [min: number, max: number | null] | null {
    const { cursor } = this;
    if (cursor.take("*")) return [0, null];
    if (cursor.take("+")) return [1, null];
    if (cursor.take("?")) return [0, 1];
    const start = cursor.at;
    if (!cursor.take("{")) return null;
    const min = this.#decimal();
    this.#skipBlanks();
    let max: number | null = min;
    if (cursor.take(",")) {
      this.#skipBlanks();
      max = cursor.peek() === "}" ? null : this.#decimal();
    }
    this.#skipBlanks();
    if (!cursor.take("}")) cursor.fail("unclosed counted repetition", start);
    return [min, max];
  }

  #decimal(): number {
    this.#skipBlanks();
    let digits = "";
    while (/^[0-9]$/.test(this.cursor.peek())) {
      digits += this.cursor.next();
      this.skipSpace();
    }
    if (digits === "") this.cursor.fail("repetition quantifier expects a valid decimal");
    return Math.min(Number(digits), Number.MAX_SAFE_INTEGER);
  }

  /** Blanks are allowed around a count, verbose or not. */
  #skipBlanks(): void {
    this.skipSpace();
    while (/^\p{White_Space}$/u.test(this.cursor.peek())) this.cursor.next();
  }

  skipSpace(): void {
    this.cursor.skipSpace(this.flags.x);
  }
}

function look(kind: Look): Node {
  return { kind: "look", look: kind, ascii: false };
}

/** The only character of a class with one member; Rust treats such a class as the character. */
function onlyChar(cursor: PatternCursor): number | null {
  if (cursor.looksAt("[\\n]") || cursor.looksAt("[\n]")) return NEWLINE;
  return null;
}
