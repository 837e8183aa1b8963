/**
 * No regular expression of the sources takes quadratic time. V8 cannot be interrupted inside one, so `/\n+$/` on a million line feeds
 * blocks the object for minutes. Each literal runs on long runs of the same characters: 12,000 take a linear one well below a
 * millisecond of CPU time, and a quadratic one 40 or more.
 */
import { globSync, readFileSync } from "node:fs";
import { parseAst } from "vite";
import { expect, it } from "vitest";

const LENGTH = 12_000;
const MAX_CPU_MS = 15;
/** A busy machine counts some of its own work: the least of several runs is the expression's. */
const RUNS = 4;

/** Quadratic, on text that is short wherever they are used. */
const BOUNDED: Readonly<Record<string, string>> = {
  "\\.?0+$": "the digits of one number, at most 100",
  "\\.?0+e": "the digits of one number, at most 100",
  "[*+}?]\\)?[^()]*\\)\\s*[*+{]|\\([^()]*\\|[^()]*\\)\\s*[*+{]|\\\\\\d|\\(\\?[=!<]":
    "a pattern of at most 1000 characters",
  "=+$": "the padding of base64, at most two",
  "^(\\d*)(,?)(\\d*)\\}": "16 characters of a pattern",
  "^(\\d*)(,?)(\\d*)\\\\\\}": "16 characters of a pattern",
};

const RUN_PARTS = [
  ..." \n\t\r/[]<>aA01-.=\"'\\%{}$:*(),;&#_+|@~?!\0é",
  ...'a |a/|a.|0,|a=|<a|</|<!|&#|{{|a:|-a|--|..|[a|\\"|\n |a\n|\r\n|1.|$a|%s|/*|//|@@|a,'.split("|"),
];
const ENDS = ["", "\u0001", "x\n", "\u2028"];

it("no regular expression takes quadratic time", { timeout: 600_000 }, () => {
  const slow = [...literals()].flatMap(([literal, place]) => {
    const run = slowRun(literal);
    return run === null ? [] : [`${place}: ${literal} on ${run}`];
  });
  expect(slow).toEqual([]);
});

/** Each literal of the sources and of the vendored shell that repeats something, and where it is first. */
function literals(): Map<string, string> {
  const found = new Map<string, string>();
  const files = globSync(["packages/*/src/**/*.ts", "container/src/**/*.ts", "packages/shell/vendor/*.js"]);
  for (const file of files.filter((name) => !/\.(?:test|d)\.ts$/.test(name)))
    for (const { pattern, flags } of regexesIn(
      parseAst(readFileSync(file, "utf8"), { lang: file.endsWith("ts") ? "ts" : "js" }),
    ))
      if (/[+*]|\{\d*,/.test(pattern) && BOUNDED[pattern] === undefined)
        found.set(`/${pattern}/${flags}`, found.get(`/${pattern}/${flags}`) ?? file);
  return found;
}

interface Regex {
  pattern: string;
  flags: string;
}

function* regexesIn(node: unknown): Generator<Regex> {
  if (typeof node !== "object" || node === null) return;
  const { regex } = node as { regex?: Regex };
  if (regex !== undefined) yield regex;
  for (const part of Object.values(node)) yield* regexesIn(part);
}

/** A text on which the expression is slow, or null. */
function slowRun(literal: string): string | null {
  const end = literal.lastIndexOf("/");
  const pattern = literal.slice(1, end);
  const expression = new RegExp(pattern, literal.slice(end + 1).replace("g", ""));
  for (const begin of beginnings(pattern))
    for (const part of RUN_PARTS)
      for (const last of ENDS) {
        const text = begin + part.repeat(LENGTH / part.length) + last;
        if (isSlow(expression, text)) return JSON.stringify([begin, part, last]);
      }
  return null;
}

/** What the expression begins with, when it begins with plain characters. */
function beginnings(pattern: string): Set<string> {
  const plain = /^\^?((?:\\[^a-zA-Z0-9]|[^\\[\](){}.*+?^$|])*)/.exec(pattern)?.[1] ?? "";
  const text = plain.replace(/\\(.)/g, (_, char) => char);
  return new Set(["", text, text.slice(0, -1), `${text}a`, "a", "1", "a="]);
}

function isSlow(expression: RegExp, text: string): boolean {
  for (let run = 0; run < RUNS; run++) {
    const before = process.cpuUsage();
    expression.lastIndex = 0;
    expression.test(text);
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 < MAX_CPU_MS) return false;
  }
  return true;
}
