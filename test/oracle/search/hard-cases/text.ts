/** Lines, endings, encodings and sizes. */
import { utf8, utf16 } from "../generate-content.ts";
import { each, type HardCase, patterns } from "./hard-case.ts";

const ANY = ["", "a", "^", "$", "^$", "a$", "^a", ".", ".*", "b.$"];
const KIB = 1024;
/** ripgrep reads in blocks of this size, and looks for NUL in each. */
const BLOCK = 64 * KIB;

const filler = (bytes: number) =>
  "some ordinary line of text, nothing to see\n".repeat(Math.ceil(bytes / 43)).slice(0, bytes);

export const textCases: readonly HardCase[] = [
  patterns(
    "CRLF",
    "ab\r\na\r\n\r\nb a\r\n",
    ...ANY,
    "a\\r",
    "\\r$",
    "(?R)a$",
    "(?R)^$",
    "a\\s",
    "\\s$",
    "[^a]$",
    "b\\b",
  ),
  patterns(
    "CRLF, multiline",
    "ab\r\na\r\n\r\nb a\r\n",
    ...each({ multiline: true }, ...ANY, "a\\r\\n", "a$\\r", "(?R)a$", "\\s+"),
  ),
  patterns(
    "CRLF, line and word",
    "ab\r\na\r\n",
    { pattern: "a", line: true },
    { pattern: "ab", word: true },
    { pattern: "a\r", line: true },
  ),
  patterns("a carriage return alone", "a\rb\rc\nx\r\ry\n", ...ANY, "a.b", "\\r", "(?R)a$", "(?s)a.b", "[^x]b"),
  patterns(
    "no final newline",
    "a\nb a",
    ...ANY,
    "\\z",
    "a\\z",
    "b*$",
    "a?",
    { pattern: "", invert: true },
    { pattern: "a", line: true },
  ),
  patterns(
    "no final newline, multiline",
    "a\nb a",
    ...each({ multiline: true }, ...ANY, "\\z", "a\\z", "a?", "\\s*", "(?s).*"),
  ),
  patterns(
    "only newlines",
    "\n\n\n",
    ...ANY,
    { pattern: "^$", regex: true, multiline: true },
    { pattern: "\\n+", regex: true, multiline: true },
  ),
  patterns("one newline", "\n", ...ANY, { pattern: "", invert: true }),
  patterns(
    "an empty file",
    "",
    ...ANY,
    { pattern: "a", invert: true },
    { pattern: "", mode: "count" },
    { pattern: "", mode: "files" },
  ),
  patterns(
    "an empty pattern",
    "ab\n\n é\n",
    "",
    { pattern: "" },
    { pattern: "", word: true },
    { pattern: "", line: true },
    { pattern: "", invert: true },
  ),
  patterns(
    "an empty pattern, counted",
    "ab\n\n é\n",
    { pattern: "", mode: "count" },
    { pattern: "", multiline: true },
    { pattern: "", maxPerFile: 1 },
  ),
  patterns(
    "vertical tab, form feed, NEL, line and paragraph separator",
    "a\u000bb\fc\u0085d\u2028e\u2029f\n",
    ...ANY,
    "\\s",
    "a.b",
    "d.e",
    "\\w+",
  ),
  patterns("a byte order mark", "\ufeffab\nab\n", ...ANY, "^ab", "\\x{feff}", "^.", { pattern: "ab", line: true }),
  patterns(
    "a byte order mark, multiline",
    "\ufeffab\nab\n",
    ...each({ multiline: true }, "^ab", "\\A", "\\x{feff}", "b\\na"),
  ),
  patterns("only a byte order mark", "\ufeff", "", "^", ".", { pattern: "a", invert: true }),
  patterns("two byte order marks", "\ufeff\ufeffa\n", "^a", "\\x{feff}", "."),
  patterns("a byte order mark inside", "a\ufeffb\n", "a.b", "\\x{feff}", "\\s", "\\w+"),
  ...[true, false].flatMap((little) => {
    const name = little ? "UTF-16LE" : "UTF-16BE";
    return [
      patterns(name, { bytes: utf16("ab é\nZ 😀 日\r\nab", little) }, ...ANY, "é", "😀", "\\w+", {
        pattern: "ab",
        mode: "count",
      }),
      patterns(
        `${name}, multiline`,
        { bytes: utf16("ab é\nZ 😀 日\r\nab", little) },
        ...each({ multiline: true }, "é\\nZ", "(?s)b.*b"),
      ),
      patterns(`${name}, a lone surrogate`, { bytes: utf16("a\ud800b\ndc\udc00\n", little) }, ".", "\\x{FFFD}", "a.b"),
      patterns(`${name}, half a unit at the end`, { bytes: `${utf16("ab\nc", little)}d` }, ".", "c", "\\x{FFFD}"),
      patterns(`${name}, a NUL in it`, { bytes: utf16("ab\nc\0d\nab\n", little) }, "ab", "c", ""),
    ];
  }),
  patterns("UTF-16 without a byte order mark", { bytes: utf16("ab\ncd\n", true).slice(2) }, "a", "", "a\\x00b"),
  patterns("only the mark of UTF-16", { bytes: "\xff\xfe" }, "", "a", { pattern: "a", invert: true }),
  patterns("UTF-32 with its mark, which begins like UTF-16", { bytes: "\xff\xfe\0\0a\0\0\0" }, "a", ""),
  patterns(
    "bytes that are not UTF-8",
    { bytes: `a\xffb\n\xc3\n\xe2\x82\nx\xed\xa0\x80y\n\x80\x80\n\xf0\x9f\x98\n\xc0\x80\nok ${utf8("é")}\xe9\n` },
    ...ANY,
    ...["a.b", "a[^x]b", "(?-u:a.b)", "(?-u:\\xFF)", "\\W", "\\w+", "[^\\w]", "\\x{FFFD}", "(?-u:[\\x80-\\xFF])", "é"],
    ...["x.*y", "\\b", "\\B", "(?s:.)", "\\pL", "\\PL", "\\D", "\\S", "[[:^alpha:]]", "(?-u:\\W)", "a(?-u:[^b])b"],
    { pattern: "a", invert: true },
    { pattern: "ok", context: 2 },
    { pattern: "ok", word: true },
    { pattern: ".", regex: true, mode: "count" },
  ),
  patterns(
    "bytes that are not UTF-8, ignoring case",
    { bytes: "A\xffB\nK\xe2\x84\xaa\xff\n" },
    ...each({ ignoreCase: true }, "a", "k", "b$", "."),
  ),
  patterns(
    "overlong and out of range",
    { bytes: "\xf4\x90\x80\x80\n\xf8\x88\x80\x80\x80\n\xe0\x80\xaf\n" },
    ".",
    "[^a]",
    "(?-u:.)+",
  ),
  patterns(
    "NUL at the start",
    { bytes: "\0ab\nab\n" },
    ...ANY,
    "\\x00",
    { pattern: "ab", mode: "files" },
    { pattern: "ab", mode: "count" },
  ),
  patterns(
    "NUL after a hit",
    { bytes: "ab\nx\0y\nab\n" },
    "ab",
    "y",
    { pattern: "ab", invert: true },
    { pattern: "ab", mode: "count" },
  ),
  patterns("NUL at the very end", { bytes: "ab\nab\0" }, "ab", { pattern: "ab", multiline: true }),
  patterns("NUL in a file without hits", { bytes: "ab\0\n" }, "zz", { pattern: "zz", invert: true }),
  patterns("NUL, multiline", { bytes: "ab\nx\0y\nab\n" }, ...each({ multiline: true }, "ab", "ab\\nx", "(?s).*", "")),
  patterns(
    "NUL beyond the first block, hits before and after",
    { bytes: `needle\n${filler(BLOCK * 2)}\0needle\nneedle\n` },
    "needle",
  ),
  patterns("NUL just inside the first block", { bytes: `needle\n${filler(BLOCK - 8)}\0needle\n` }, "needle"),
  patterns("NUL just outside the first block", { bytes: `needle\n${filler(BLOCK - 7)}\0needle\n` }, "needle"),
  patterns(
    "NUL beyond the first block, in all modes",
    { bytes: `needle\n${filler(BLOCK * 2)}needle\n\0\nneedle\n` },
    ...(["lines", "files", "count"] as const).map((mode) => ({ pattern: "needle", mode })),
    { pattern: "needle", multiline: true },
    { pattern: "ordinary", invert: true },
    { pattern: "needle", maxPerFile: 1 },
  ),
  ...["file.bin", "folder/file.bin"].map((path) => ({
    name: `a binary file that is named, ${path}`,
    tree: [{ path, bytes: "ab\nx\0y\nab\n" }],
    queries: [
      { pattern: "ab", path },
      { pattern: "y", path },
      { pattern: "ab", path, mode: "count" as const },
      { pattern: "ab", path, mode: "files" as const },
      { pattern: "x", path, invert: true },
    ],
  })),
  patterns(
    "a very long line",
    `${"x".repeat(300_000)}needle${"y".repeat(300_000)}\nneedle\n`,
    "needle",
    "needley",
    "^needle",
    "x{3}n",
  ),
  patterns("a very long line, far hits", `a${"é".repeat(200_000)}a\n`, "a$", "^a", "éa"),
  patterns("many hits on one line", `${"ab ".repeat(2000)}\n`, "ab", "b a", "\\w+", ""),
  patterns(
    "a hit across a block's end",
    `${filler(BLOCK - 3)}needle\n${filler(BLOCK)}needle`,
    "needle",
    "^needle",
    "needle$",
  ),
  patterns("a character across a block's end", `${filler(BLOCK - 2)}é😀needle\n`, "é", "😀n", ".needle"),
  patterns("many lines", Array.from({ length: 3000 }, (_, at) => `line ${at}`).join("\n"), "9$", "^line 1\\d\\d\\d$", {
    pattern: "99",
    context: 1,
  }),
];
