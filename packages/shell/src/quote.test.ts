import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { quoteTemplate, quoteWord } from "./quote.ts";

const tag = (strings: TemplateStringsArray, ...values: never[]) => quoteTemplate(strings, values);

it("quoteWord makes one word of anything, as a real shell reads it", () => {
  const words = [
    "",
    "plain",
    "a b",
    "it's",
    '"',
    "$HOME",
    "`x`",
    "a\nb",
    "\\",
    "*",
    "!",
    "-n",
    "~",
    "é",
    "''",
    "a'b'c",
  ];
  const script = `printf '%s\\0' ${words.map(quoteWord).join(" ")}`;
  expect(execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1)).toEqual(words);
});

it("quoteTemplate quotes values, and arrays as words of their own", () => {
  expect(tag`cat ${"a b" as never} -n ${3 as never} ${["x", "y z"] as never}`).toBe("cat 'a b' -n 3 x 'y z'");
  expect(() => tag`${null as never}`).toThrow("EINVAL");
  expect(() => tag`${"a\0" as never}`).toThrow("NUL");
});
