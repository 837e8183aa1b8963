/** The matcher compared with V8's on patterns that both read alike, and on syntax that only Rust has. */
import { expect, test } from "vitest";
import { parseRegex } from "./parse.ts";
import { Regex } from "./regex.ts";
import { createWork } from "./step-budget.ts";

const encoder = new TextEncoder();

function matches(pattern: string, text: string | Uint8Array, { ignoreCase = false, newlines = true } = {}): string[] {
  const { node } = parseRegex([pattern], { ignoreCase, newlines, dotAll: false, literal: false, nul: false });
  const regex = new Regex(node, pattern, newlines, createWork(1e9));
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  const span = { bytes, start: 0, end: bytes.length };
  const found: string[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const match = regex.find(span, from);
    if (match === null) break;
    found.push(`${match[0]}-${match[1]}`);
    from = match[1] > match[0] ? match[1] : match[1] + 1;
  }
  return found;
}

function matchesOfV8(pattern: string, text: string, flags = ""): string[] {
  const found: string[] = [];
  const regex = new RegExp(pattern, `gm${flags}`);
  for (const match of text.matchAll(regex)) found.push(`${match.index}-${match.index + match[0].length}`);
  return found;
}

const PATTERNS = [
  "a",
  "abc",
  "a|ab",
  "ab|a",
  "(a|ab)(c|bcd)",
  "a*",
  "a*?b",
  "a+?",
  "(a+)+$",
  "a{2}",
  "a{1,3}?",
  "a{2,}",
  "^a",
  "a$",
  "^$",
  "^",
  "$",
  "\\bab",
  "\\Bb",
  "b\\b",
  "[a-c]+",
  "[^a]",
  "\\w+\\s*",
  "(a|b)*c",
  "x*y?z",
  ".b.",
  "(?:ab)*?c",
  "a|b|",
  "(a?){3}b",
  "\\d+",
];
const TEXTS = ["", "a", "ab", "abc", "aabbcc", "abcd abc\nab\n\nc a", "xxyz aaab 12 ab_c\n", "aaa", "a b\nb a\n"];

test.each(PATTERNS)("Regex finds what V8 finds for %j", (pattern) => {
  for (const text of TEXTS) expect([text, matches(pattern, text)]).toEqual([text, matchesOfV8(pattern, text)]);
});

test.each(["ab", "a|B", "[A-B]+c", "K", "\\w"])("Regex ignores case as V8 does for %j", (pattern) => {
  for (const text of TEXTS) {
    expect([text, matches(pattern, text, { ignoreCase: true })]).toEqual([text, matchesOfV8(pattern, text, "iu")]);
  }
});

test.each<[pattern: string, text: string, found: string[]]>([
  ["(?i)k", "k\u212aK", ["0-1", "1-4", "4-5"]],
  ["(?i-u:k)", "k\u212aK", ["0-1", "4-5"]],
  ["\\w+", "héé ß_9", ["0-5", "6-10"]],
  ["(?-u:\\w+)", "hé", ["0-1"]],
  ["[[:alpha:]--[aeiou]]+", "hello", ["0-1", "2-4"]],
  ["[a-f&&[^c]~~x]+", "abcx", ["0-2", "3-4"]],
  ["\\p{Greek}+", "aαβγb", ["1-7"]],
  ["\\p{olditalic}|\\p{Old Italic}", "\u{10300}", ["0-4"]],
  ["\\pL\\PL", "é1", ["0-3"]],
  ["\\x41\\x{42}\\u0043\\U{44}", "ABCD", ["0-4"]],
  ["(?x) a b # c\n c", "abc", ["0-3"]],
  ["\\<a|b\\>", "ab ba", ["0-1", "1-2"]],
  ["\\b{start-half}b\\b{end-half}", "b ab -b-", ["0-1", "6-7"]],
  ["(?U)a+", "aaa", ["0-1", "1-2", "2-3"]],
  ["(?s)a.b", "a\nb", ["0-3"]],
  ["(?-m)^b", "a\nb", []],
  ["\\Aa|b\\z", "a\na\nb", ["0-1", "4-5"]],
  ["(?R)a$|^b", "a\r\nb\rb", ["0-1", "3-4", "5-6"]],
  ["(?P<x>a)(?<y>b)", "ab", ["0-2"]],
  ["[]a]", "]", ["0-1"]],
  ["[^]a]", "]b", ["1-2"]],
  ["[a-]", "-", ["0-1"]],
  ["a**", "aaa", ["0-3", "3-3"]],
  ["(|a)+", "aaa", ["0-0", "1-1", "2-2", "3-3"]],
])("Regex reads Rust's %j", (pattern, text, found) => {
  expect(matches(pattern, text)).toEqual(found);
});

test("Regex never matches bytes that are no text", () => {
  const bytes = Uint8Array.from([0x61, 0xff, 0x62, 0xe2, 0x82, 0x63, 0xc3, 0xa9]);
  expect(matches(".", bytes)).toEqual(["0-1", "2-3", "5-6", "6-8"]);
  expect(matches("[^x]+", bytes)).toEqual(["0-1", "2-3", "5-8"]);
  expect(matches("\\bb", bytes)).toEqual(["2-3"]);
});

test.each([
  "(",
  ")",
  "a{",
  "a{2,1}",
  "{1}",
  "*",
  "a|*",
  "[z-a]",
  "[a",
  "[]",
  "\\1",
  "(?=a)",
  "(?<!a)",
  "\\Z",
  "\\p{foo}",
  "(?ii)",
  "(?q)",
  "[\\b]",
  "\\x{110000}",
  "(?P<a>.)(?P<a>.)",
  "(?-u).",
  "a{99999}",
])("parseRegex refuses %j", (pattern) => {
  expect(() => matches(pattern, "a")).toThrow(/^EINVAL: bad pattern/);
});

test("parseRegex refuses the end of a line where lines are searched", () => {
  for (const pattern of ["a\\nb", "[\\n]", "\\x0a"])
    expect(() => matches(pattern, "", { newlines: false })).toThrow(/not allowed without multiline/);
  expect(matches("[\\na]\\s*", "a\na", { newlines: false })).toEqual(["0-1", "2-3"]);
});
