/**
 * Queried by directory and name, a glob gives the result for the whole path: by literal suffixes of names where a pattern has them,
 * and where a dotted name, a name by itself or a second alternative makes them inconclusive.
 */
import { expect, test } from "vitest";
import { compileExclude, compileGlob } from "./compile-glob.ts";
import { nameTails } from "./name-tails.ts";
import { parsePattern } from "./parse-pattern.ts";

const NAMES = ["a.ts", "b.ts", ".ts", ".a.ts", "ts", "a.tsx", "a", "b", "ab", "ba", ".a", "a.b.ts", "é.ts", "ats"];
const DIRECTORIES = ["", "a", "b", ".a", "a/b", "a/.a", ".a/b", "b/a.ts"];
const PATTERNS = [
  ...[
    "**/*.ts",
    "**/*.{ts,tsx}",
    "**/*",
    "**",
    "*.ts",
    "a/*.ts",
    "a/**/*.ts",
    "**/a/*.ts",
    "{a,b}/*.ts",
    "**/{a,b}.ts",
  ],
  ...["**/a.ts", "a.ts", "**/.ts", "**/.*.ts", "**/?.ts", "**/[ab].ts", "**/*a", "**/*a*.ts", "**/!(a).ts", "*/*.ts/"],
  ...[
    "{**/*.ts,a/*}",
    "{*.ts,**/b.ts}",
    "**/[[:alpha:]].ts",
    "**/{*.ts,b}",
    "**/*/",
    "**/.a/**",
    "*/**/b/**",
    "./**/*.ts",
  ],
];

test.each(PATTERNS)("compileGlob(%j).within asks by name what match and mayContain ask by path", (pattern) => {
  for (const glob of [compileGlob(pattern), compileExclude(pattern)]) {
    for (const directory of DIRECTORIES) {
      const prefix = directory === "" ? "" : `${directory}/`;
      const parts = directory === "" ? [] : directory.split("/");
      const within = parts.reduce((above, name) => above.enter(name), glob.within(""));
      for (const isDirectory of [false, true]) {
        const asked = NAMES.filter((name) => within.match(name, isDirectory));
        expect({ directory, asked }).toEqual({
          directory,
          asked: NAMES.filter((name) => glob.match(prefix + name, isDirectory)),
        });
      }
      expect(within.matching(NAMES).map((i) => NAMES[i])).toEqual(NAMES.filter((name) => glob.match(prefix + name)));
      expect(NAMES.filter((name) => glob.mayContain(prefix + name) && !within.mayContain(name))).toEqual([]);
    }
  }
});

test("nameTails finds the plain ends of names, and what they leave open", () => {
  const tailsOf = (pattern: string) => nameTails(parsePattern(pattern));
  const suffix = (text: string) => ({ kind: "suffix", text });
  expect(tailsOf("**/*.ts")).toEqual({ tails: [suffix(".ts")], everywhere: true });
  expect(tailsOf("**/*.{ts,tsx}")).toEqual({ tails: [suffix(".ts"), suffix(".tsx")], everywhere: true });
  expect(tailsOf("src/*.ts")).toEqual({ tails: [suffix(".ts")], everywhere: false });
  expect(tailsOf("**/[ab]*.md")).toEqual({ tails: [{ kind: "part", text: ".md" }], everywhere: false });
  expect(tailsOf("{a,b}/package.json")).toEqual({
    tails: [{ kind: "whole", text: "package.json" }],
    everywhere: false,
  });
  for (const pattern of ["**", "a/**", "**/!(a)", "a/", "a/.", "", "{*.ts,**}"]) expect(tailsOf(pattern)).toBeNull();
});
