/** The shortcuts of a matcher compared with the automaton alone: the prefilter must lead to every line that the automaton finds. */
import { expect, test } from "vitest";
import { searchLimits } from "../api/limits.ts";
import { compileMatcher } from "./matcher.ts";
import { parseGrepOptions } from "./query.ts";
import { parseRegex } from "./regex/parse.ts";
import { Regex } from "./regex/regex.ts";
import { createWork } from "./regex/step-budget.ts";

const encoder = new TextEncoder();
const noLimit = () => createWork(Number.MAX_SAFE_INTEGER);

interface Asked {
  regex?: boolean;
  ignoreCase?: boolean;
}

/** Numbers of the lines that match, from 1. */
function found(pattern: string, { regex = true, ignoreCase = false }: Asked, text: Uint8Array): number[] {
  const matcher = compileMatcher(parseGrepOptions(pattern, "/", { regex, ignoreCase }, searchLimits), noLimit());
  const starts = new Map<number, number>();
  for (const { start, number } of linesOf(text)) starts.set(start, number);
  const numbers: number[] = [];
  for (let at = 0; at < text.length; ) {
    const line = matcher.nextLine(text, at, text.length);
    if (line === null) break;
    numbers.push(starts.get(line[0]) as number);
    at = line[1] + 1;
  }
  if (matcher.lacks(text)) expect(numbers).toEqual([]);
  return numbers;
}

/** The same by the automaton, line by line. */
function expected(pattern: string, { regex = true, ignoreCase = false }: Asked, text: Uint8Array): number[] {
  const options = { ignoreCase, newlines: false, dotAll: false, literal: !regex, nul: false };
  const machine = new Regex(parseRegex([pattern], options).node, pattern, false, noLimit());
  return linesOf(text)
    .filter(({ start, end }) => machine.earliest({ bytes: text, start, end }, start) >= 0)
    .map(({ number }) => number);
}

function linesOf(text: Uint8Array): { start: number; end: number; number: number }[] {
  const lines = [];
  for (let start = 0, number = 1; start < text.length; number++) {
    const stop = text.indexOf(0x0a, start);
    const end = stop < 0 ? text.length : stop;
    lines.push({ start, end, number });
    start = end + 1;
  }
  return lines;
}

/** Words in random order, so that some lines have what a match needs and no match, many or few of them. */
function sample(words: readonly string[], lines: number, seed: number): Uint8Array {
  let state = seed;
  const pick = () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return words[(state >> 12) % words.length] as string;
  };
  return encoder.encode(Array.from({ length: lines }, () => `${pick()} ${pick()}${pick()} ${pick()}`).join("\n"));
}

const CODE = [
  "this.",
  ".set(",
  "foo",
  "session",
  "token.get",
  "@",
  "x",
  " = ",
  "const ",
  "kit",
  "STOP",
  "Session",
  "a1",
];
const TEXTS = [
  sample(CODE, 1500, 1),
  sample([...CODE, ...Array<string>(60).fill("lorem ipsum dolor")], 1500, 2),
  sample(["this.", "foo"], 1500, 3),
  sample([...CODE, "\u212ait", "\u017ftop", "é", "作業"], 800, 4),
  sample(["@", "@@", "x@y"], 800, 5),
  encoder.encode(""),
  encoder.encode("foo"),
  encoder.encode("\n\nfoo\n\n"),
];

test.each<[pattern: string, asked: Asked]>([
  ["foo", {}],
  ["foo", { regex: false }],
  ["@", {}],
  ["=", {}],
  ["nowhere", {}],
  ["this\\.\\w+\\.set\\(", {}],
  ["this.*set.*foo", {}],
  ["\\bfoo\\b", {}],
  ["(?:session|token)\\.(?:get|set)", {}],
  ["foo|kit|STOP|x", {}],
  ["const +=", {}],
  ["x@", {}],
  ["[a-z]+[0-9]", {}],
  ["session", { ignoreCase: true }],
  ["kit", { ignoreCase: true }],
  ["stop|nowhere", { ignoreCase: true }],
  ["(?i)s(?-i)top", {}],
  ["é", {}],
  ["作業|foo$", {}],
  ["^foo", {}],
  ["\\Athis", {}],
  ["foo\\z", {}],
  ["", {}],
])("compileMatcher is led to every line of %j, %j", (pattern, requested) => {
  for (const [at, text] of TEXTS.entries())
    expect([at, found(pattern, requested, text)]).toEqual([at, expected(pattern, requested, text)]);
});

test("compileMatcher takes time in proportion to the text for a long text that repeats itself", () => {
  const text = encoder.encode("a".repeat(200_000));
  const work = createWork(200_000_000);
  const matcher = compileMatcher(
    parseGrepOptions(`${"a".repeat(300)}b${"a".repeat(300)}`, "/", {}, searchLimits),
    work,
  );
  expect(matcher.nextLine(text, 0, text.length)).toBeNull();
});
