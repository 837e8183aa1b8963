/**
 * The corpus of edit's match strategies: a model's edit, the file's text, and the expected result, built from parts so that no
 * expectation comes from the code under test. `refused` is the error code of an edit that must not be applied.
 */
import type { Edit } from "../src/tools/edit/apply-edits.ts";
import type { MatchStrategy } from "../src/tools/edit/match-text.ts";

export interface EditCase {
  category: string;
  name: string;
  text: string;
  edits: Edit[];
  expected?: string;
  rung?: MatchStrategy;
  /** The file begins with a byte-order mark, which the model does not see. */
  bom?: true;
  refused?: string;
  /** Must be part of the error message. */
  says?: string;
}

/** Four lines each: one before, two that the edit names, one after. */
const SNIPPETS: readonly (readonly [string, string, string, string])[] = [
  ["import a from 'a';", "const x = 1;", "const y = 2;", "export { x, y };"],
  ["def main():", "    total = 0", "    print(total)", "run_main()"],
  ["func f() {", "\tlog.Println(1)", "\treturn", "}"],
  ["<ul>", "  <li>one</li>", "  <li>two</li>", "</ul>"],
  ["{", '  "name": "pkg",', '  "version": "1.0.0"', "}"],
  ["# Title", "Some *text* here.", "More text, and more.", "## End"],
  ["SELECT id", "FROM users u", "WHERE u.age > 21", "ORDER BY id;"],
  ["server:", "  host: 0.0.0.0", "  port: 8080", "debug: true"],
  ["#include <stdio.h>", "int main(void) {", '  puts("hi");', "}"],
  ["if (a && b) {", "  run(a ?? b);", "  stop();", "} // end"],
  ["FROM node:24", "RUN npm ci", "COPY . .", "CMD node index.js"],
  ["body {", "  margin: 0 auto;", "  color: #fff;", "}"],
  ["pub fn add(a: i32) -> i32 {", "    let b = a + 1;", "    b * 2", "}"],
  ["let re = /^a$/;", "re.test('a');", "re.exec('b');", "done();"],
  ["\\begin{document}", "Hello, \\emph{world}.", "$E = mc^2$", "\\end{document}"],
  ["case 1:", "  echo one ;;", "  # two", "esac"],
  ["name = Zoë", "city = Łódź", "note = naïve", "end = 1"],
  ["emoji = 😀", "flag = 🇨🇭", "family = 👩‍👧", "last = x"],
  ["class A:", "    @property", "    def b(self):", "        return 1"],
  ["key=value", "other=thing", "third=more", "fourth=most"],
];

type Lines = readonly [string, string, string, string];

/** The first of the named lines becomes `changed`. */
const replacementOf = (lines: Lines) => [`${lines[1]} // changed`, lines[2]] as const;

function eachSnippet(
  category: string,
  make: (lines: Lines, i: number) => Omit<EditCase, "category" | "name">,
): EditCase[] {
  return SNIPPETS.map((lines, i) => ({ category, name: `${i}: ${lines[0].slice(0, 20)}`, ...make(lines, i) }));
}

const exact = eachSnippet("exact", (lines) => ({
  text: `${lines.join("\n")}\n`,
  edits: [{ oldText: lines[1], newText: replacementOf(lines)[0] }],
  expected: `${lines[0]}\n${replacementOf(lines)[0]}\n${lines[2]}\n${lines[3]}\n`,
  rung: "exact",
}));

const crlf = eachSnippet("CRLF", (lines, i) => ({
  text: `${lines.join("\r\n")}${i % 2 ? "\r\n" : ""}`,
  edits: [{ oldText: `${lines[1]}\n${lines[2]}`, newText: replacementOf(lines).join("\n") }],
  expected: `${[lines[0], ...replacementOf(lines), lines[3]].join("\r\n")}${i % 2 ? "\r\n" : ""}`,
  rung: "line-endings",
}));

/** The byte-order mark is not part of the first line, which the edit names. */
const marked = eachSnippet("BOM", (lines, i) => {
  const ending = i % 2 ? "\r\n" : "\n";
  const several = i % 3 === 0;
  return {
    bom: true,
    text: `${lines.join(ending)}${ending}`,
    edits: [
      several
        ? { oldText: `${lines[0]}\n${lines[1]}`, newText: `first\n${lines[1]}` }
        : { oldText: lines[0], newText: "first" },
    ],
    expected: `${["first", ...lines.slice(1)].join(ending)}${ending}`,
    rung: several && i % 2 ? "line-endings" : "exact",
  };
});

/** Unchanged lines of a file that mixes endings keep theirs. */
const mixed = eachSnippet("mixed endings", (lines) => ({
  text: `${lines[0]}\r\n${lines[1]}\n${lines[2]}\r\n${lines[3]}\n`,
  edits: [{ oldText: `${lines[0]}\n${lines[1]}\n${lines[2]}`, newText: `${lines[0]}\n${lines[1]}!\n${lines[2]}` }],
  expected: `${lines[0]}\r\n${lines[1]}!\n${lines[2]}\r\n${lines[3]}\n`,
  rung: "line-endings",
}));

const trailing = eachSnippet("trailing space", (lines, i) => {
  const tail = ["  ", "\t", " \t "][i % 3] as string;
  return {
    text: `${lines[0]}\n${lines[1]}${tail}\n${lines[2]}\n${lines[3]}${tail}\n`,
    edits: [{ oldText: `${lines[1]}\n${lines[2]}`, newText: `${lines[1]}\nadded\n${lines[2]}` }],
    expected: `${lines[0]}\n${lines[1]}${tail}\nadded\n${lines[2]}\n${lines[3]}${tail}\n`,
    rung: "trailing-space",
  };
});

const indented = eachSnippet("indentation, depth", (lines, i) => {
  const [own, given] = i % 2 ? ["      ", "  "] : ["\t\t", "\t"];
  const [a, b] = [lines[1].trim(), lines[2].trim()];
  return {
    text: `${lines[0]}\n${own}${a}\n${own}  ${b}\n${lines[3]}\n`,
    edits: [
      { oldText: `${given}${a}\n${given}  ${b}\n`, newText: `${given}${a}\n${given}  ${b} more\n${given}added\n` },
    ],
    expected: `${lines[0]}\n${own}${a}\n${own}  ${b} more\n${own}added\n${lines[3]}\n`,
    rung: "indentation",
  };
});

const tabs = eachSnippet("tabs", (lines, i) => {
  const width = i % 2 ? 2 : 4;
  const [a, b] = [lines[1].trim(), lines[2].trim()];
  const blank = " ".repeat(width);
  return {
    text: `${lines[0]}\n\t${a}\n\t\t${b}\n${lines[3]}\n`,
    edits: [
      {
        oldText: `${blank}${a}\n${blank}${blank}${b}`,
        newText: `${blank}${a}\n${blank}${blank}${b}\n${blank}${blank}${blank}deep`,
      },
    ],
    expected: `${lines[0]}\n\t${a}\n\t\t${b}\n\t\t\tdeep\n${lines[3]}\n`,
    rung: "indentation",
  };
});

const TYPOGRAPHY: readonly [file: string, plain: string][] = [
  ["it\u2019s", "it's"],
  ["\u201Cquoted\u201D", '"quoted"'],
  ["\u2018single\u2019", "'single'"],
  ["a \u2013 b", "a - b"],
  ["a \u2014 b", "a - b"],
  ["non\u2011breaking", "non-breaking"],
  ["10\u00A0km", "10 km"],
  ["thin\u2009space", "thin space"],
  ["\u201Elow\u201D", '"low"'],
  ["\u22125", "-5"],
];

const unicode: EditCase[] = TYPOGRAPHY.flatMap(([own, plain]) =>
  ["end", "start"].map((side) => {
    const line = (text: string) => (side === "end" ? `say ${text} now` : `${text} then`);
    const next = (text: string) => (side === "end" ? `say ${text} later` : `${text} soon`);
    return {
      category: "typography",
      name: `${own} at the ${side}`,
      text: `first\n${line(own)}\nlast\n`,
      edits: [{ oldText: line(plain), newText: next(plain) }],
      // Unedited text keeps the file's own characters.
      expected: `first\n${next(own)}\nlast\n`,
      rung: "unicode" as const,
    };
  }),
);

const composed: EditCase[] = ["é", "ü", "ñ", "å", "ô", "ç", "ä", "ï", "ž", "ệ"].flatMap((letter) =>
  (["NFC", "NFD"] as const).map((own) => {
    const other = own === "NFC" ? "NFD" : "NFC";
    const word = `w${letter}rd`;
    return {
      category: "NFC and NFD",
      name: `${letter} in ${own}`,
      text: `a\nx ${word.normalize(own)} = 1\nb\n`,
      edits: [{ oldText: `x ${word.normalize(other)} = 1`, newText: `x ${word.normalize(other)} = 2` }],
      expected: `a\nx ${word.normalize(own)} = 2\nb\n`,
      rung: "unicode" as const,
    };
  }),
);

const DOLLARS = [
  "$&",
  "$1",
  "$$",
  "$`",
  "$'",
  "$<name>",
  "\\1",
  "\\n",
  "$" + "{x}",
  "$0",
  "%s",
  "\\u0041",
  "\\\\",
  "&amp;",
  "$&$&",
  "`$&`",
  "$$$",
  "\\$1",
  "$",
  "$" + "{'$&'}",
];
const dollars: EditCase[] = DOLLARS.map((text) => ({
  category: "$ patterns",
  name: text,
  text: "one\nOLD two\nthree\n",
  edits: [{ oldText: "OLD", newText: text }],
  expected: `one\n${text} two\nthree\n`,
  rung: "exact",
}));

const several = eachSnippet("several edits", (lines) => ({
  text: `${lines.join("\n")}\n`,
  edits: [
    { oldText: lines[3], newText: `${lines[0]} (moved)` },
    { oldText: lines[0], newText: `${lines[3]} (moved)` },
  ],
  expected: `${lines[3]} (moved)\n${lines[1]}\n${lines[2]}\n${lines[0]} (moved)\n`,
  rung: "exact",
}));

const huge: EditCase[] = Array.from({ length: 20 }, (_, i) => {
  const filler = `line of filler ${"x".repeat(40)}\n`.repeat(10_000);
  const ending = i % 2 ? "\r\n" : "\n";
  const body = filler.replaceAll("\n", ending);
  return {
    category: "huge files",
    name: `needle ${i} of 1.1 MB${i % 2 ? ", CRLF" : ""}`,
    text: `${body}needle ${i}${ending}second${ending}${body}`,
    edits: [{ oldText: `needle ${i}\nsecond`, newText: `found ${i}\nsecond` }],
    expected: `${body}found ${i}${ending}second${ending}${body}`,
    rung: i % 2 ? "line-endings" : "exact",
  };
});

// Edits that must be refused.

const duplicated = eachSnippet("refused: duplicated", (lines, i) => {
  const ending = ["\n", "\r\n"][i % 2] as string;
  const block = [lines[1], lines[2]].join(ending);
  return {
    text: [lines[0], block, lines[3], block, ""].join(ending),
    edits: [{ oldText: `${lines[1]}\n${lines[2]}`, newText: "replaced" }],
    refused: "AMBIGUOUS_MATCH",
    says: "matches 2 places",
  };
});

const nearMisses = eachSnippet("refused: near miss", (lines, i) => {
  const wrong = i % 2 ? lines[1].toUpperCase() : `${lines[1].slice(0, -1)}~`;
  return {
    text: `${lines.join("\n")}\n`,
    edits: [{ oldText: `${wrong === lines[1] ? `${wrong}~` : wrong}\n${lines[2]}`, newText: "replaced" }],
    refused: "NO_MATCH",
    says: "The closest place is line 2",
  };
});

const overlapping = eachSnippet("refused: overlap", (lines) => ({
  text: `${lines.join("\n")}\n`,
  edits: [
    { oldText: `${lines[0]}\n${lines[1]}`, newText: "x" },
    { oldText: `${lines[1]}\n${lines[2]}`, newText: "y" },
  ],
  refused: "OVERLAP",
  says: "overlap",
}));

const pointless: EditCase[] = [
  ...SNIPPETS.slice(0, 10).map((lines, i) => ({
    category: "refused: no change",
    name: `same ${i}`,
    text: lines.join("\n"),
    edits: [{ oldText: lines[1], newText: lines[1] }],
    refused: "NO_CHANGE",
  })),
  ...SNIPPETS.slice(0, 10).map((lines, i) => ({
    category: "refused: no change",
    name: `empty ${i}`,
    text: lines.join("\n"),
    edits: [{ oldText: "", newText: lines[1] }],
    refused: "INVALID_INPUT",
  })),
];

const told: readonly [name: string, text: string, oldText: string, newText: string, says: string][] = [
  ["already applied", "a\nconst x = 2;\nb\n", "const x = 1;", "const x = 2;", "already there"],
  ["escaped newline", "one\ntwo\n", "one\\ntwo", "x", "escaped"],
  ["escaped quote", 'say("hi")\n', 'say(\\"hi\\")', "x", "escaped"],
  ["escaped tab", "a\tb\n", "a\\tb", "x", "escaped"],
  ["case", "const Total = 1;\nlet b;\n", "const total = 1;", "x", "upper and lower case"],
  ["another quote", "a = 'x';\nb = 2;\n", 'a = "x";', "y", "quote"],
  ["inner space", "f(a,  b);\ng();\n", "f(a, b);", "y", "white space inside"],
  ["line numbers", "one\ntwo\n", "     1\tone\n     2\ttwo", "x", "line numbers"],
  ["inconsistent indentation", "\ta\n  b\nc\n", "a\nb\nc2", "x", "tabs"],
  ["more lines than there are", "start\nmiddle\n", "start\nmiddle\nend", "x", "more lines"],
  ["nothing alike", "alpha\nbeta\n", "0123456789", "x", "is not in"],
  ["an empty file", "", "anything", "x", "is not in"],
  ["a word of another word", "prefixfoo\n", "foo bar", "x", "is not in"],
  ["trailing space in exact words", "a b\n", "a  b  c", "x", "is not in"],
  ["regular expression", "abc\n", "a.c", "x", "is not in"],
  ["glob", "abc\n", "a*", "x", "is not in"],
  ["HTML entity", "a & b\n", "a &amp; b", "x", "is not in"],
  ["ellipsis", "a\nb\nc\n", "a\n...\nc", "x", "closest place is line 1"],
  ["diff markers", "a\nb\n", "-a\n+b", "x", "is not in"],
  ["only white space", "a\n\n\n\nb\n", "     \n   \t", "x", "is not in"],
];
const explained: EditCase[] = told.map(([name, text, oldText, newText, says]) => ({
  category: "refused: explained",
  name,
  text,
  edits: [{ oldText, newText }],
  refused: "NO_MATCH",
  says,
}));

export const EDIT_CORPUS: readonly EditCase[] = [
  ...[exact, crlf, marked, mixed, trailing, indented, tabs, unicode, composed, dollars, several, huge],
  ...[duplicated, nearMisses, overlapping, pointless, explained],
].flat();
