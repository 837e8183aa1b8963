import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { compileRegex } from "./compile-regex.ts";
import { compilePosix } from "./posix-regex.ts";

const texts = [
  "",
  "a",
  "abc",
  "aXbc",
  "foo bar_baz",
  "a.b*c",
  "aaa",
  "ab12-cd",
  "x{2}",
  "(a|b)",
  "foo(bar)",
  "A b\tC",
  "^$",
  "a\\b",
  "]",
];
const basic = [
  "a",
  "a*",
  "^a",
  "c$",
  "a.c",
  "[abc]*c",
  "[^a-c]",
  "\\(ab\\)*c",
  "a\\|b",
  "a\\+",
  "a\\?b",
  "a\\{2\\}",
  "a\\{1,\\}b",
  "*c",
  "^*",
  "a\\.b",
  "\\<bar",
  "bar\\>",
  "\\bbaz",
  "\\Bar",
  "\\w\\+",
  "\\W",
  "\\s",
  "\\S\\S",
  "[[:digit:]]\\+",
  "[]]",
  "[^]a]",
  "[a-]",
  "x{2}",
  "(a|b)",
  "a^b",
  "a$b",
  "foo(bar)",
  "\\(^a\\)",
  "\\(c$\\)",
  "[.]b",
];
const extended = [
  "a+",
  "ab?c",
  "(ab|a)(c|bcd)?",
  "a{2,3}",
  "x{2}",
  "x\\{2\\}",
  "a|b|",
  "^(a|b)+$",
  "[[:space:]]b",
  "foo\\(bar\\)",
  "()",
  "a{,2}b",
  "(a*)+",
  "\\^\\$",
  "a||b",
  "^^a",
  "a**",
];

/** What GNU grep finds first: its `-o` and `-b` speak the same dialect as git's library. */
function grepFinds(flag: string, pattern: string, text: string): string {
  const { stdout, status } = spawnSync("grep", ["-m1", "-ob", flag, "-e", pattern], {
    input: `${text}\n`,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  return status === 0 ? (stdout.split("\n")[0] as string) : `exit ${status}`;
}

function weFind(syntax: "basic" | "extended", pattern: string, text: string): string {
  const regex = compileRegex(pattern, { syntax });
  let found = regex.exec(text);
  expect(regex.test(text)).toBe(found !== null);
  // grep -o passes over empty matches.
  for (let from = 0; found !== null && found.end === found.start; ) {
    from = found.start + 1;
    if (from > text.length) return "";
    found = regex.exec(text, from);
    if (found === null) return "";
  }
  return found === null ? "exit 1" : `${found.start}:${text.slice(found.start, found.end)}`;
}

describe("compileRegex", () => {
  it.each(basic)("matches basic %s as GNU does", (pattern) => {
    for (const text of texts)
      expect(`${text} → ${weFind("basic", pattern, text)}`).toBe(`${text} → ${grepFinds("-G", pattern, text)}`);
  });

  it.each(extended)("matches extended %s as GNU does", (pattern) => {
    for (const text of texts)
      expect(`${text} → ${weFind("extended", pattern, text)}`).toBe(`${text} → ${grepFinds("-E", pattern, text)}`);
  });

  it.each([
    ["a\\(", "Unmatched ( or \\("],
    ["a\\)", "Unmatched ) or \\)"],
    ["[a", "Unmatched [, [^, [:, [., or [="],
    ["a\\", "Trailing backslash"],
    ["[[:what:]]", "Invalid character class name"],
    ["[b-a]", "Invalid range end"],
    ["a\\{1", "Unmatched \\{"],
    ["\\(a\\)\\1", "Back-references are not supported here"],
  ])("refuses %s", (pattern, message) => {
    expect(() => compileRegex(pattern)).toThrow(message);
  });

  it("ignores case", () => {
    expect(compileRegex("fOo[a-c]", { ignoreCase: true }).exec("xFoOB")).toEqual({ start: 1, end: 5 });
    expect(compileRegex("a.b", { ignoreCase: true, syntax: "fixed" }).exec("xA.B axb")).toEqual({ start: 1, end: 4 });
  });

  it("comes back from patterns that make a backtracking engine hang", () => {
    const text = `${"a".repeat(20_000)}!`;
    for (const pattern of ["(a*)*b", "(a|a)*b", "(a+)+$", "a*a*a*a*a*a*b"]) {
      expect(compileRegex(pattern, { syntax: "extended" }).test(text)).toBe(false);
      expect(compilePosix(pattern, { syntax: "perl" }).test(text)).toBe(false);
    }
    expect(() => compileRegex("((a{200}){200}){200}", { syntax: "extended" })).toThrow("too big");
  });
});

describe("Perl's syntax", () => {
  it.each([
    "a(?=b)",
    "(?<!a)b",
    "(a)\\1",
    "(?>a)",
    "a++",
    "\\Ka",
    "\\Aa",
    "\\p{L}",
    "[\\D]",
    "(?R)",
    "a(?i)b",
    "\\x{263a}",
  ])("refuses %s, and says so", (pattern) => {
    expect(() => compileRegex(pattern, { syntax: "perl" })).toThrow(/is not supported here/);
  });

  it("refuses what Perl may end elsewhere, where that matters", () => {
    for (const pattern of ["a|ab", "a.*?b"]) {
      expect(compileRegex(pattern, { syntax: "perl" }).test("xab")).toBe(true);
      expect(() => compileRegex(pattern, { syntax: "perl", exactEnds: true })).toThrow(/extent/);
    }
  });

  it("takes any text as a pattern or refuses it, and says what V8 says", () => {
    const letters = [
      "a",
      "b",
      "1",
      " ",
      "\\d",
      "\\w",
      "\\s",
      ".",
      "*",
      "+",
      "?",
      "(",
      ")",
      "(?:",
      "|",
      "[",
      "]",
      "^",
      "-",
      "$",
      "{2}",
      "\\b",
    ];
    let state = 7;
    const next = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    let compared = 0;
    for (let round = 0; round < 20_000; round++) {
      const pattern = Array.from({ length: 1 + next(6) }, () => letters[next(letters.length)]).join("");
      const text = Array.from({ length: next(6) }, () => "ab1 -]"[next(6)]).join("");
      let ours: boolean;
      let native: boolean;
      try {
        ours = compileRegex(pattern, { syntax: "perl" }).test(text);
        native = new RegExp(pattern, "m").test(text);
      } catch {
        continue;
      }
      // V8 takes "[]" for the empty set, and "]" after it for itself.
      if (/\[\^?\]/.test(pattern)) continue;
      compared++;
      if (ours !== native) expect({ pattern, text, ours }).toEqual({ pattern, text, ours: native });
    }
    expect(compared).toBeGreaterThan(5000);
  });
});
