/** What stands behind a backslash, in classes and outside. */
import type { Look } from "./ast.ts";
import { ASCII, type CharSet, chars, not } from "./char-set.ts";
import type { PatternCursor } from "./cursor.ts";
import { PERL } from "./named-classes.ts";
import type { Flags } from "./parse-flags.ts";
import { propertySource } from "./unicode.ts";

export type Escape =
  | { readonly kind: "char"; readonly code: number }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "look"; readonly look: Look };

/** What `(?-u)` could do and we cannot. */
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

export function readEscape(cursor: PatternCursor, flags: Flags): Escape {
  const start = cursor.at;
  cursor.next();
  const c = cursor.next();
  if (c === "") cursor.fail("incomplete escape sequence", start);
  if (c in HEX_DIGITS) {
    const isByte = c === "x" && cursor.peek() !== "{";
    const code = readHex(cursor, HEX_DIGITS[c] as number);
    if (isByte && code > 0x7f && !flags.u) cursor.fail(`not supported: ${NO_BYTES}`, start);
    return { kind: "char", code };
  }
  if (c === "p" || c === "P") return { kind: "set", set: readProperty(cursor, c === "P", flags, start) };
  if (/^[dswDSW]$/.test(c)) return { kind: "set", set: perlSet(c, flags) };
  if (c in CONTROLS) return { kind: "char", code: CONTROLS[c] as number };
  if (c === "b" && cursor.peek() === "{" && /^[A-Za-z-]$/.test(cursor.peek(1))) {
    cursor.next();
    const look = NAMED_BOUNDARIES[cursor.takeUntil("}") ?? ""];
    if (look === undefined) cursor.fail("special word boundary assertion is unrecognized", start);
    return { kind: "look", look };
  }
  if (Object.hasOwn(LOOKS, c)) return { kind: "look", look: LOOKS[c] as Look };
  if (/^[0-9]$/.test(c)) cursor.fail("backreferences are not supported", start);
  if (!/^[!-/:-@[-`{-~ ]$/.test(c)) cursor.fail("unrecognized escape sequence", start);
  return { kind: "char", code: c.charCodeAt(0) };
}

function perlSet(letter: string, { u }: Flags): CharSet {
  const { unicode, ascii } = PERL[letter.toLowerCase() as "d" | "s" | "w"];
  const set = chars(u ? unicode : ascii);
  return /[A-Z]/.test(letter) ? not(set) : set;
}

function readHex(cursor: PatternCursor, digits: number): number {
  const start = cursor.at;
  let text = "";
  if (cursor.take("{")) text = (cursor.takeUntil("}") ?? cursor.fail("unclosed hexadecimal literal", start)).trim();
  else for (let i = 0; i < digits; i++) text += cursor.next();
  const complete = cursor.peek(-1) === "}" || text.length === digits;
  if (!complete || !/^[0-9A-Fa-f]+$/.test(text)) cursor.fail("invalid hexadecimal literal", start);
  const code = Number.parseInt(text, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    cursor.fail("hexadecimal literal is not a Unicode scalar value", start);
  return code;
}

function readProperty(cursor: PatternCursor, negated: boolean, flags: Flags, start: number): CharSet {
  if (!flags.u) cursor.fail("Unicode not allowed here", start);
  let body = cursor.next();
  if (body === "{") body = cursor.takeUntil("}") ?? cursor.fail("unclosed Unicode class", start);
  // As Rust, which reads `!=` and takes it for `=`.
  const [, name = body, , value] = /^(.*?)(!=|=|:)(.*)$/s.exec(body) ?? [];
  const source = propertySource(name, value ?? null);
  if (source === null) cursor.fail("Unicode property not found", start);
  const set = chars(source, flags.i);
  return negated ? not(set) : set;
}

/** For a class: the set with both cases of its members, when case is ignored. */
export function folded(source: string, { i, u }: Flags): CharSet {
  if (!i) return chars(source);
  return u ? chars(source, true) : { op: "and", sets: [chars(source, true), ASCII] };
}
