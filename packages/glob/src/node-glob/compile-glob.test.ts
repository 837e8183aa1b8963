/**
 * Node's dialect by example: what a pattern matches, what a walker may skip, where it starts. The comparison with Node is in
 * test/node-glob.oracle.test.ts.
 */
import { expect, test } from "vitest";
import { compileExclude, compileGlob } from "./compile-glob.ts";

const PATHS = [
  ...[
    "a.ts",
    "b.tsx",
    ".hidden.ts",
    "src/a.ts",
    "src/deep/b.ts",
    "src/.x/c.ts",
    ".git/config",
    ".git/hooks/a.ts",
    "lib/a.js",
  ],
  ...["src/[a].ts", "src/a b.ts", "src/10.ts"],
];

const matching = (pattern: string) => {
  const glob = compileGlob(pattern);
  return PATHS.filter((path) => glob.match(path));
};

test.each([
  ["*.ts", ["a.ts"]],
  [".*.ts", [".hidden.ts"]],
  ["**/*.ts", ["a.ts", "src/a.ts", "src/deep/b.ts", "src/[a].ts", "src/a b.ts", "src/10.ts"]],
  [
    "**/*.{ts,tsx,js}",
    ["a.ts", "b.tsx", "src/a.ts", "src/deep/b.ts", "lib/a.js", "src/[a].ts", "src/a b.ts", "src/10.ts"],
  ],
  ["src/*/*.ts", ["src/deep/b.ts"]],
  ["src/**", ["src/a.ts", "src/deep/b.ts", "src/[a].ts", "src/a b.ts", "src/10.ts"]],
  ["src/**/b.ts", ["src/deep/b.ts"]],
  ["**/.x/*", ["src/.x/c.ts"]],
  [".git/**", [".git/config", ".git/hooks/a.ts"]],
  ["**/.git/**/*.ts", [".git/hooks/a.ts"]],
  ["src/[[]a].ts", ["src/[a].ts"]],
  ["src/{8..10}.ts", ["src/10.ts"]],
  ["src/!(a*|1*).ts", ["src/[a].ts"]],
  ["src/+([a-b ]).ts", ["src/a.ts", "src/a b.ts"]],
  ["src\\a.ts", ["src/a.ts"]],
  ["./a.ts", ["a.ts"]],
  ["src/../a.ts", ["a.ts"]],
  ["src/a.ts/", []],
  ["", []],
])("compileGlob(%j) matches %j", (pattern, expected) => {
  expect(matching(pattern)).toEqual(expected);
});

test("compileGlob matches directories alone when the pattern ends in a slash", () => {
  const glob = compileGlob("*/");
  expect(glob.match("src", true)).toBe(true);
  expect(glob.match("src", false)).toBe(false);
});

test("compileGlob yields the start of the walk for `**` and nothing shorter", () => {
  for (const pattern of ["**", "**/", "./**"]) expect(compileGlob(pattern).match(".", true)).toBe(true);
  for (const pattern of ["*", ".", "./", "**/*", ".."]) expect(compileGlob(pattern).match(".", true)).toBe(false);
});

test("compileGlob matches absolute patterns and those that begin in `..` against paths written the same way", () => {
  expect(compileGlob("/workspace/*.md").match("/workspace/a.md")).toBe(true);
  expect(compileGlob("../*/a").match("../x/a")).toBe(true);
  expect(compileGlob("/*").mayContain("/")).toBe(true);
  expect(compileGlob("/workspace/**").mayContain("/other")).toBe(false);
  expect(compileGlob("../*/a").mayContain("../x")).toBe(true);
  expect(compileGlob("../*/a").mayContain("x")).toBe(false);
});

test.each([
  ["src/**/*.ts", ["", "src", "src/deep"], ["lib", "src/.x", ".git"]],
  ["*.ts", [""], ["src", "lib"]],
  ["{src,test}/*/a.ts", ["", "src", "test", "src/x"], ["lib", "src/x/y"]],
  ["**/!(a)/x", ["", "b", "a/b"], [".git"]],
  ["src/a.ts", ["", "src"], ["src/a.ts", "lib"]],
  ["", [], ["", "src"]],
])("compileGlob(%j) may contain matches in %j and not in %j", (pattern, open, closed) => {
  const glob = compileGlob(pattern);
  expect([...open, ...closed].filter((directory) => glob.mayContain(directory))).toEqual(open);
});

test.each([
  ["*.ts", "", [""]],
  ["src/**/*.ts", "src", ["src"]],
  ["src/a/b.ts", "src/a", ["src/a"]],
  ["./src/*.ts", "src", ["src"]],
  ["/*", "/", ["/"]],
  ["/workspace/src/*", "/workspace/src", ["/workspace/src"]],
  ["{src,test}/*.ts", "", ["src", "test"]],
  ["src/{a,b}/*.ts", "src", ["src/a", "src/b"]],
  ["{src,src/deep}/*.ts", "src", ["src"]],
  ["{../x,src}/*", "", ["../x", "src"]],
  ["{/x,src}/*", "", ["/x", "src"]],
  ["a[b]c/*", "abc", ["abc"]],
])("compileGlob(%j) has the base %j and the bases %j", (pattern, base, bases) => {
  expect(compileGlob(pattern).base).toBe(base);
  expect(compileGlob(pattern).bases).toEqual(bases);
});

test("compileExclude matches the inside of `a/**` and, as a directory not to enter, `a`", () => {
  const glob = compileExclude("a/**");
  expect([glob.match("a/b"), glob.match("a"), glob.match("a", true)]).toEqual([true, false, true]);
});

test("compileExclude ignores a final slash, as Node does", () => {
  expect(compileExclude("a/").match("a")).toBe(true);
});
