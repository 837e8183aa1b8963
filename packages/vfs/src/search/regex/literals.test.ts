/** What every match must contain: compared with a table, and with the matcher itself. */
import { expect, test } from "vitest";
import { type Alike, requiredLiterals, wholeLiteral } from "./literals.ts";
import { parseRegex } from "./parse.ts";

const parse = (pattern: string) =>
  parseRegex([pattern], { ignoreCase: false, newlines: false, dotAll: false, literal: false, nul: false }).node;

test.each<[pattern: string, alike: Alike, clauses: string[][]]>([
  ["function\\s+\\w+\\(", "exact", [["function"], ["("]]],
  ["foo|bar", "exact", [["foo", "bar"]]],
  ["foo(bar|baz)qux", "exact", [["foobarqux", "foobazqux"]]],
  ["(foo)+bar", "exact", [["foo"], ["bar"]]],
  ["(foo)*bar", "exact", [["bar"]]],
  ["colou?r", "exact", [["colour", "color"]]],
  ["a{3}b", "exact", [["aaab"]]],
  ["foo|", "exact", []],
  ["\\w+", "exact", []],
  ["(foo\\w+|bar\\d+)x", "exact", [["foo", "bar"], ["x"]]],
  ["\\bfoo\\b", "exact", [["foo"]]],
  ["(?i)Foo-É1", "exact", [["-"], ["1"]]],
  ["(?i)Foo-É1", "folded", [["foo-"], ["1"]]],
  ["TODO", "folded", [["todo"]]],
  ["é", "exact", [["\xc3\xa9"]]],
])("requiredLiterals of %j, %s", (pattern, alike, clauses) => {
  expect(requiredLiterals(parse(pattern), alike)).toEqual(clauses);
});

test("wholeLiteral is the text of a pattern that is nothing but text", () => {
  expect(["foo", "f.o", "fo+", "é", "\\bfoo"].map((pattern) => wholeLiteral(parse(pattern)))).toEqual([
    "foo",
    null,
    null,
    "\xc3\xa9",
    null,
  ]);
});
