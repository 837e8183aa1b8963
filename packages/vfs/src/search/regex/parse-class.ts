/**
 * A bracketed class: ranges, escapes, POSIX names, nested classes, and the operators `&&`, `--` and `~~`, which have equal
 * precedence, associate to the left, and bind weaker than juxtaposition.
 */
import { type CharSet, chars, not, range } from "./char-set.ts";
import type { PatternCursor } from "./cursor.ts";
import { POSIX } from "./named-classes.ts";
import { folded, NO_BYTES, readEscape } from "./parse-escape.ts";
import type { RegexFlags } from "./parse-flags.ts";

/** The parser's methods used here. */
export interface ClassReader {
  readonly cursor: PatternCursor;
  readonly flags: RegexFlags;
  sawLiteral(code: number): void;
  skipSpace(): void;
}

const MAX_NESTING = 250;

export function readClass(reader: ClassReader, depth = 1): CharSet {
  const { cursor, flags } = reader;
  const start = cursor.at;
  if (depth > MAX_NESTING) cursor.fail(`nested more than ${MAX_NESTING} deep`);
  cursor.next();
  reader.skipSpace();
  const negated = cursor.take("^");
  reader.skipSpace();
  let left: CharSet | null = null;
  let operator = "";
  const join = (right: CharSet) => {
    left = left === null ? right : combine(operator, left, right);
  };
  // A hyphen or bracket that comes first is literal.
  let first = "";
  while (cursor.peek() === "-") {
    first += cursor.next();
    reader.skipSpace();
  }
  if (first === "" && cursor.peek() === "]") first = cursor.next();
  let union = new Union(reader, first);
  for (;;) {
    reader.skipSpace();
    if (cursor.done) cursor.fail("unclosed character class", start);
    if (cursor.take("]")) break;
    const found = ["&&", "--", "~~"].find((text) => cursor.looksAt(text));
    if (found !== undefined) {
      cursor.take(found);
      join(union.set());
      operator = found;
      union = new Union(reader, "");
    } else union.readItem(depth);
  }
  join(union.set());
  const set = left as CharSet | null;
  if (set === null) return chars("", flags.i);
  return negated ? not(set) : set;
}

function combine(operator: string, left: CharSet, right: CharSet): CharSet {
  if (operator === "&&") return { op: "and", sets: [left, right] };
  if (operator === "--") return { op: "and", sets: [left, not(right)] };
  return { op: "xor", sets: [left, right] };
}

/** Juxtaposed items. */
class Union {
  #source = "";
  readonly #sets: CharSet[] = [];

  constructor(
    readonly reader: ClassReader,
    first: string,
  ) {
    for (const c of first) this.#addRange(c.codePointAt(0) as number, c.codePointAt(0) as number);
  }

  set(): CharSet {
    const sets = [...this.#sets];
    if (this.#source !== "") sets.push(folded(this.#source, this.reader.flags));
    return sets.length === 1 ? (sets[0] as CharSet) : { op: "or", sets };
  }

  readItem(depth: number): void {
    const { cursor } = this.reader;
    if (cursor.peek() === "[") {
      this.#sets.push(this.#readPosix() ?? readClass(this.reader, depth + 1));
      return;
    }
    const start = cursor.at;
    const from = this.#readMember();
    this.reader.skipSpace();
    const isRange = cursor.peek() === "-" && !/^[\]-]$/.test(this.#behindHyphen());
    if (typeof from !== "number") {
      if (isRange) return cursor.fail("invalid range boundary, must be a literal", start);
      this.#sets.push(from);
      return;
    }
    if (!isRange) {
      this.#addRange(from, from);
      return;
    }
    cursor.next();
    this.reader.skipSpace();
    if (cursor.done) cursor.fail("unclosed character class", start);
    const to = this.#readMember();
    if (typeof to !== "number") return cursor.fail("invalid range boundary, must be a literal", start);
    if (from > to) cursor.fail("invalid character class range, the start must be <= the end", start);
    this.#addRange(from, to);
  }

  #behindHyphen(): string {
    const { cursor } = this.reader;
    const start = cursor.at;
    cursor.next();
    this.reader.skipSpace();
    const c = cursor.peek();
    cursor.at = start;
    return c;
  }

  #addRange(from: number, to: number): void {
    const { cursor, flags } = this.reader;
    if (!flags.u && to > 0x7f) cursor.fail(`not supported: ${NO_BYTES}`);
    this.reader.sawLiteral(from);
    if (to !== from) this.reader.sawLiteral(to);
    this.#source += range(from, to);
  }

  #readMember(): number | CharSet {
    const { cursor, flags } = this.reader;
    if (cursor.peek() !== "\\") return cursor.next().codePointAt(0) as number;
    const start = cursor.at;
    const read = readEscape(cursor, flags);
    if (read.kind === "look") return cursor.fail("invalid escape sequence found in character class", start);
    return read.kind === "char" ? read.code : read.set;
  }

  #readPosix(): CharSet | null {
    const { cursor, flags } = this.reader;
    const [text, caret, name] = /^\[:(\^?)([a-z]+):\]/.exec(ahead(cursor)) ?? [];
    if (text === undefined || name === undefined || !Object.hasOwn(POSIX, name)) return null;
    cursor.at += text.length;
    const set = folded(POSIX[name] as string, flags);
    return caret === "^" ? not(set) : set;
  }
}

function ahead(cursor: PatternCursor): string {
  let text = "";
  for (let i = 0; i < 16; i++) text += cursor.peek(i);
  return text;
}
