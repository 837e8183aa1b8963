/** Escapes after a backslash, in classes and outside. */
import type { Look } from "./ast.ts";
import { ASCII, type CharSet, chars, not } from "./char-set.ts";
import type { PatternCursor } from "./cursor.ts";
import { PERL } from "./named-classes.ts";
import type { RegexFlags } from "./parse-flags.ts";
import { propertySource } from "./unicode.ts";

export type Escape =
  | { readonly kind: "char"; readonly code: number }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "look"; readonly look: Look };

/** The part of `(?-u)` that is not supported. */
export const NO_BYTES = "(?-u) where it would match single bytes of characters";

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const LOOKS: Readonly<Record<string, Look>> = {
  A: "text-start",
  z: "text-end",
  b: "word",
  B: "not-word",
  "<": "word-start",
  ">": "word-end",
};
const NAMED_BOUNDARIES: Readonly<Record<string, Look>> = {
  start: "word-start",
  end: "word-end",
  "start-half": "word-start-half",
  "end-half": "word-end-half",
};
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

export function readEscape(cursor: PatternCursor, flags: RegexFlags): Escape {
  const start = cursor.at;
  cursor.next();
  const c = cursor.next();
  if (c === "") cursor.fail("incomplete escape sequence", start);
  if (c in HEX_DIGITS) {
    const isByte = c === "x" && cursor.peek() !== "{";
    const code = readHex(cursor, HEX_DIGITS[c] as number, flags);
    if (isByte && code > 0x7f && !flags.u) cursor.fail(`not supported: ${NO_BYTES}`, start);
    return { kind: "char", code };
  }
  if (c === "p" || c === "P") return { kind: "set", set: readProperty(cursor, c === "P", flags, start) };
  if (/^[dswDSW]$/.test(c)) return { kind: "set", set: perlSet(c, flags) };
  if (c in CONTROLS) return { kind: "char", code: CONTROLS[c] as number };
  if (c === "b" && cursor.peek() === "{") {
    const named = readBoundary(cursor, flags);
    if (named !== null) return { kind: "look", look: named };
  }
  if (Object.hasOwn(LOOKS, c)) return { kind: "look", look: LOOKS[c] as Look };
  if (/^[0-9]$/.test(c)) cursor.fail("backreferences are not supported", start);
  if (!/^[\x00-/:-@[-`{-\x7f]$/.test(c)) cursor.fail("unrecognized escape sequence", start);
  return { kind: "char", code: c.charCodeAt(0) };
}

/** `\b{start}` and the like; null when it is a boundary and a count. */
function readBoundary(cursor: PatternCursor, flags: RegexFlags): Look | null {
  const start = cursor.at;
  cursor.next();
  cursor.skipSpace(flags.x);
  if (!/^[A-Za-z-]$/.test(cursor.peek())) {
    cursor.at = start;
    return null;
  }
  const name = readBraced(cursor, flags) ?? "";
  if (!Object.hasOwn(NAMED_BOUNDARIES, name)) cursor.fail("special word boundary assertion is unrecognized", start);
  return NAMED_BOUNDARIES[name] as Look;
}

function perlSet(letter: string, { u }: RegexFlags): CharSet {
  const { unicode, ascii } = PERL[letter.toLowerCase() as "d" | "s" | "w"];
  const set = chars(u ? unicode : ascii);
  return /[A-Z]/.test(letter) ? not(set) : set;
}

function readHex(cursor: PatternCursor, digits: number, flags: RegexFlags): number {
  const start = cursor.at;
  let text = nextOf(cursor, flags);
  if (text === "{") text = readBraced(cursor, flags) ?? cursor.fail("unclosed hexadecimal literal", start);
  else {
    while (text.length < digits && !cursor.done) text += nextOf(cursor, flags);
    if (text.length < digits) cursor.fail("invalid hexadecimal literal", start);
  }
  if (!/^[0-9A-Fa-f]+$/.test(text)) cursor.fail("invalid hexadecimal literal", start);
  const code = Number.parseInt(text, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    cursor.fail("hexadecimal literal is not a Unicode scalar value", start);
  return code;
}

function readProperty(cursor: PatternCursor, negated: boolean, flags: RegexFlags, start: number): CharSet {
  if (!flags.u) cursor.fail("Unicode not allowed here", start);
  let body = nextOf(cursor, flags);
  if (body === "{") body = readBraced(cursor, flags) ?? cursor.fail("unclosed Unicode class", start);
  // As Rust, which reads `!=` and takes it for `=`.
  const [, name = body, , value] = /^(.*?)(!=|=|:)(.*)$/s.exec(body) ?? [];
  const source = propertySource(name, value ?? null);
  if (source === null) cursor.fail("Unicode property not found", start);
  const set = chars(source, flags.i);
  return negated ? not(set) : set;
}

/** In verbose mode, blanks may occur anywhere in an escape. */
function nextOf(cursor: PatternCursor, { x }: RegexFlags): string {
  cursor.skipSpace(x);
  return cursor.next();
}

/** Reads up to the closing brace, and skips that; null when there is none. */
function readBraced(cursor: PatternCursor, flags: RegexFlags): string | null {
  let text = "";
  while (!cursor.done) {
    const c = nextOf(cursor, flags);
    if (c === "}") return text;
    text += c;
  }
  return null;
}

/** Returns the set of a class; if case is ignored, with both cases of its members. */
export function folded(source: string, { i, u }: RegexFlags): CharSet {
  if (!i) return chars(source);
  return u ? chars(source, true) : { op: "and", sets: [chars(source, true), ASCII] };
}
