/** What generated questions found, made short: each was wrong once. */
import { utf8 } from "../grow-tree.ts";
import { type HardCase, patterns } from "./hard-case.ts";

export const foundCases: readonly HardCase[] = [
  patterns(
    "a loop whose first choice is an assertion: b{start}",
    "a",
    "(?:\\b{start}|a)*",
    "(?:\\<|\\<|a)*",
    "(?:|\\b|a)+",
  ),
  patterns("a loop whose first choice is an assertion: ^", "barK", "(?:^|b)+", "(?:^|b)*", "(?:^|b|a){2,}", "(?:b|^)*"),
  patterns(
    "a loop whose first choice is an assertion: b{end-half}",
    "] \n",
    "(?:\\b{end-half}|[\\s\\S])*",
    "(?:\\B|.)*",
  ),
  patterns("a loop whose first choice is an assertion: $", "foo_bar\n", {
    pattern: "(?:(?m:$)|[^a]){2,}",
    regex: true,
    multiline: true,
  }),
  patterns("inverted multiline search, context that matches across lines", "k\nfoo\naaaa\n\nx\n", {
    pattern: "(?s:.)a",
    regex: true,
    multiline: true,
    invert: true,
    after: 2,
  }),
  patterns("inverted multiline search, context that ends with the hit", "-\n-d\n\n", {
    pattern: "\\n\\n",
    regex: true,
    multiline: true,
    invert: true,
    context: 1,
  }),
  patterns("inverted multiline search, context before a hit across lines", "3, foo\r\nTODO \n     x y", {
    pattern: "(?m:$)\\s+(?:[[:word:]-]|a?)",
    regex: true,
    multiline: true,
    invert: true,
    before: 1,
  }),
  patterns("inverted search with a limit, context that is a hit for the pattern", " \r\n.\r\nx $&", {
    pattern: "\\w",
    regex: true,
    invert: true,
    maxPerFile: 2,
    context: 3,
  }),
  patterns("multiline search for words, an empty hit after the last line", "1 \n", {
    pattern: "^",
    regex: true,
    multiline: true,
    word: true,
    context: 3,
  }),
  patterns(
    "multiline search for whole lines, an empty hit after the last",
    "}}\n",
    ...["a*", "a?", "a??"].map((pattern) => ({ pattern, regex: true, multiline: true, line: true, context: 1 })),
  ),
  patterns("words beside bytes that are not UTF-8", { bytes: `${utf8("été")}\n\x80${utf8("ς")}\n` }, "\\D", {
    pattern: "\\D",
    regex: true,
    word: true,
    invert: true,
    context: 1,
  }),
  patterns("inverted multiline search with a limit", "ab\nXX\nYY\ncd\nZZ\n", {
    pattern: "[a-z]\\n?",
    regex: true,
    multiline: true,
    invert: true,
    maxPerFile: 1,
  }),
  patterns("inverted multiline search with a limit, counted", "XX\nYY\nZZ\nab\n", {
    pattern: "\\P{Lu}",
    regex: true,
    multiline: true,
    invert: true,
    maxPerFile: 3,
    mode: "count",
  }),
];
