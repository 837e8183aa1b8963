/**
 * Guarantees of IgnoreStack beyond git's behavior: the order of kinds, inner repositories, later additions, sizes. The comparison
 * with git is in test/gitignore.oracle.test.ts.
 */
import { expect, test } from "vitest";
import { parseIgnore } from "./ignore-rules.ts";
import { IgnoreStack } from "./ignore-stack.ts";

test("IgnoreStack names the rule that decided, a negated one included", () => {
  const stack = new IgnoreStack().add("", "gitignore", parseIgnore("# logs\n*.log\n!keep.log\n"));
  expect(stack.ignored("a.log", false)).toEqual({
    ignored: true,
    rule: { source: ".gitignore", line: 2, pattern: "*.log" },
  });
  expect(stack.ignored("x/keep.log", false)).toEqual({
    ignored: false,
    rule: { source: ".gitignore", line: 3, pattern: "!keep.log" },
  });
  expect(stack.ignored("a.md", false)).toEqual({ ignored: false });
});

test("IgnoreStack ignores what lies in an ignored directory, whatever deeper rules say", () => {
  const stack = new IgnoreStack()
    .add("", "gitignore", parseIgnore("dist/\n!dist/keep\n"))
    .add("dist", "gitignore", parseIgnore("!*\n", "dist/.gitignore"));
  expect(stack.ignored("dist/keep", false)).toEqual({
    ignored: true,
    rule: { source: ".gitignore", line: 1, pattern: "dist/" },
  });
  expect(stack.ignored("dist/a/b/c", false).ignored).toBe(true);
});

test("IgnoreStack prefers the deepest file of one kind, and between kinds ripgrep's order", () => {
  const stack = new IgnoreStack()
    .add("", "gitignore", parseIgnore("*.ts\n"))
    .add("src", "gitignore", parseIgnore("!a.ts\n", "src/.gitignore"))
    .add("", "exclude", parseIgnore("*.md\n", ".git/info/exclude"))
    .add("", "global", parseIgnore("!a.md\n*.swp\n", "global"))
    .add("", "ignore", parseIgnore("!b.ts\n", ".ignore"))
    .add("src", "rgignore", parseIgnore("b.ts\n", "src/.rgignore"));
  const ignored = (path: string) => stack.ignored(path, false).ignored;
  expect(["x.ts", "src/a.ts", "a.md", "a.swp", "b.ts", "src/b.ts"].map(ignored)).toEqual([
    true,
    false,
    true,
    true,
    false,
    true,
  ]);
});

test("IgnoreStack keeps the .gitignore of an outer repository out of an inner one", () => {
  const stack = new IgnoreStack()
    .add("", "gitignore", parseIgnore("*.log\n"))
    .add("", "ignore", parseIgnore("*.tmp\n", ".ignore"))
    .addRepository("inner");
  expect(stack.ignored("a.log", false).ignored).toBe(true);
  expect(stack.ignored("inner/a.log", false).ignored).toBe(false);
  expect(stack.ignored("inner/a.tmp", false).ignored).toBe(true);
});

test("IgnoreStack takes rules added later into account", () => {
  const stack = new IgnoreStack();
  expect(stack.ignored("src/a", false).ignored).toBe(false);
  stack.add("src", "gitignore", parseIgnore("a\n"));
  expect(stack.ignored("src/a", false).ignored).toBe(true);
  stack.add("src", "gitignore", parseIgnore(""));
  expect(stack.ignored("src/a", false).ignored).toBe(false);
});

test("IgnoreStack answers for a path of 2 000 directories", () => {
  const stack = new IgnoreStack().add("", "gitignore", parseIgnore("**/x\n"));
  const deep = "d/".repeat(2_000);
  expect(stack.ignored(`${deep}x`, false).ignored).toBe(true);
  expect(stack.ignored(`${deep}y`, false).ignored).toBe(false);
});

test("parseIgnore reads bytes that are no UTF-8, and rules for names beyond ASCII", () => {
  const rules = parseIgnore(Uint8Array.from([0xff, 0x2a, 0x0a, 0xc3, 0xa9, 0x0a]));
  const stack = new IgnoreStack().add("", "gitignore", rules);
  expect(stack.ignored("é", false).rule?.line).toBe(2);
  expect(rules.rules[0]?.pattern).toBe("\ufffd*");
});

test("parseIgnore leaves out a line beyond the limit, and says so", () => {
  const rules = parseIgnore(`a\n${"x".repeat(20_000)}\nb\n`);
  expect(rules.rules.map(({ pattern }) => pattern)).toEqual(["a", "b"]);
  expect(rules.skipped).toEqual([{ line: 2, reason: "longer than 16384 bytes" }]);
});

test("parseIgnore takes a file of 20 000 rules", () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `generated-${i}-*.txt`);
  const stack = new IgnoreStack().add("", "gitignore", parseIgnore(`${lines.join("\n")}\n!generated-7-a.txt`));
  expect(stack.ignored("x/generated-123-a.txt", false).rule?.line).toBe(124);
  expect(stack.ignored("x/generated-7-a.txt", false).ignored).toBe(false);
  expect(stack.ignored("x/other", false).ignored).toBe(false);
});
