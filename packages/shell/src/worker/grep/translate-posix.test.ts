import { expect, it } from "vitest";
import { translatePosix } from "./translate-posix.ts";

it.each([
  ["a+b", "a\\+b", "a+b"],
  ["a\\+b", "a+b", "a\\+b"],
  ["(x)", "\\(x\\)", "(?:x)"],
  ["\\(x\\)", "(?:x)", "\\(x\\)"],
  ["a|b", "a\\|b", "a|b"],
  ["*a", "\\*a", "a"],
  ["a**", "(?:a*)*", "(?:a*)*"],
  ["a*?", "a*\\?", "(?:a*)?"],
  ["x{2,3}", "x\\{2,3\\}", "x{2,3}"],
  ["x{,3}", "x\\{,3\\}", "x{0,3}"],
  ["^a$", "(?:^)a(?:$)", "(?:^)a(?:$)"],
  ["a^b$c", "a\\^b\\$c", "a(?:^)b(?:$)c"],
  ["[]a-c[:digit:]-]", "[\\]a-c0-9\\-]", "[\\]a-c0-9\\-]"],
  ["[^\\]", "[^\\\\]", "[^\\\\]"],
  ["\\<w\\>", "\\b{start}w\\b{end}", "\\b{start}w\\b{end}"],
])("translatePosix: %s is %s in basic and %s in extended syntax", (pattern, basic, extended) => {
  expect(translatePosix(pattern, "basic")).toBe(basic);
  expect(translatePosix(pattern, "extended")).toBe(extended);
});

it.each(["(a", "[a", "a\\", "(a)\\1", "[[:nope:]]", "[z-a]"])("translatePosix refuses %s", (pattern) => {
  expect(() => translatePosix(pattern, "extended")).toThrow();
});
