/** Edits that repeat themselves, nearly match or match everywhere: steps grow with the texts, not with their product. */
import { expect, it } from "vitest";
import type { Work } from "../../definition/work.ts";
import { InMemoryFileStore } from "../../store/in-memory-file-store.ts";
import { createToolset } from "../../toolset/create-toolset.ts";
import { type Edit, editing, replaceExact } from "./apply-edits.ts";

interface Shape {
  name: string;
  make(size: number): { text: string; edit: Edit };
}

const shape = (name: string, text: (n: number) => string, oldText: (n: number) => string, newText = "new"): Shape => ({
  name,
  make: (size) => ({ text: text(size), edit: { oldText: oldText(size), newText } }),
});
const lines = (line: string) => (n: number) => `${line}\n`.repeat(n);
const numbered = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}\n`).join("");

const SHAPES: Shape[] = [
  shape("equal lines, the last differs", lines("a"), (n) => `${"a\n".repeat(n / 5)}b`),
  shape("equal lines, the first differs", lines("a"), (n) => `b\n${"a\n".repeat(n / 5)}`),
  shape("equal lines, the middle differs", lines("a"), (n) => `${"a\n".repeat(n / 10)}b\n${"a\n".repeat(n / 10)}`),
  shape(
    "one letter, the first differs",
    (n) => "a".repeat(n),
    (n) => `b${"a".repeat(n / 2)}`,
  ),
  shape(
    "one letter, the last differs",
    (n) => "a".repeat(n),
    (n) => `${"a".repeat(n / 2)}b`,
  ),
  shape(
    "one letter, matched everywhere",
    (n) => "a".repeat(n),
    (n) => "a".repeat(n / 2),
  ),
  shape(
    "two letters",
    (n) => "ab".repeat(n),
    (n) => `${"ab".repeat(n / 2)}c`,
  ),
  shape(
    "a fibonacci word",
    (n) => fibonacci(n),
    (n) => `${fibonacci(n).slice(0, n / 2)}c`,
  ),
  shape("equal lines, other indentation, the last differs", lines("  a"), (n) => `${"\ta\n".repeat(n / 5)}\tb\n`),
  shape("equal lines, other indentation", lines("  a"), (n) => "\ta\n".repeat(n / 5)),
  shape(
    "indents that do not agree",
    (n) => `${"  a\n".repeat(n / 50)}    a\n`.repeat(50),
    (n) => "\ta\n".repeat(n / 10),
  ),
  shape("trailing space", lines("a "), (n) => `${"a\n".repeat(n / 5)}b`),
  shape("CRLF", lines("a\r"), (n) => `${"a\n".repeat(n / 5)}b`),
  shape(
    "a run of blanks",
    (n) => `${" ".repeat(n)}x\n`,
    () => "y  x",
  ),
  shape(
    "a run of tabs and blanks",
    (n) => `x${" \t".repeat(n)}x\n`,
    () => "y\tx",
  ),
  shape(
    "blanks in the old text",
    () => "x y\n",
    (n) => `x${" ".repeat(n)}y`,
  ),
  shape("blank lines", lines(""), (n) => `${"\n".repeat(n / 5)}x`),
  shape(
    "marks on a letter",
    (n) => `a${"\u0301\u0323".repeat(n)}\n`,
    () => "a\u0301b",
  ),
  shape(
    "marks in the old text",
    () => "a\n",
    (n) => `a${"\u0301\u0323".repeat(n)}`,
  ),
  shape(
    "typographic quotes",
    (n) => "\u2019".repeat(n),
    (n) => `${"'".repeat(n / 5)}x`,
  ),
  shape(
    "decomposed letters",
    (n) => "e\u0301".repeat(n),
    (n) => `${"\u00e9".repeat(n / 5)}x`,
  ),
  shape(
    "astral letters",
    (n) => "😀".repeat(n),
    (n) => `${"😀".repeat(n / 5)}x`,
  ),
  shape("line numbers", numbered, (n) => `${Array.from({ length: n / 5 }, (_, i) => `${i}\tline`).join("\n")}`),
  shape("escaped lines", lines("a"), (n) => `${"a\\n".repeat(n / 5)}b`),
  shape("many different lines, none equal", numbered, (n) => numbered(n / 5).replaceAll("line", "row")),
  shape("many different lines, the last differs", numbered, (n) => `${numbered(n / 5)}x`),
  shape("upper case", numbered, (n) => numbered(n / 5).toUpperCase()),
  shape(
    "one long line",
    (n) => "ab ".repeat(n),
    () => "ab ac ad",
  ),
  shape("the new text is there", lines("a"), () => "nothing", `${"a\n".repeat(5000)}b`),
  // The second round.
  shape(
    "a period of three, the last differs",
    (n) => "abc".repeat(n),
    (n) => `${"abc".repeat(n / 3)}abd`,
  ),
  shape(
    "a palindrome",
    (n) => `${"a".repeat(n)}b${"a".repeat(n)}`,
    (n) => `${"a".repeat(n / 2)}bb${"a".repeat(n / 2)}`,
  ),
  shape("a Thue-Morse word", thueMorse, (n) => `${thueMorse(n).slice(1, n / 2)}c`),
  shape(
    "powers of two",
    (n) => Array.from({ length: 14 }, (_, i) => "a".repeat(Math.min(n, 2 ** i))).join("b"),
    (n) => `${"a".repeat(n / 2)}b`,
  ),
  shape(
    "indents that grow",
    (n) => Array.from({ length: 400 }, (_, i) => `${" ".repeat(i % (n / 100))}a\n`).join(""),
    (n) => "\ta\n".repeat(n / 100),
  ),
  shape(
    "no line ends but one kind of space",
    (n) => "\u00a0".repeat(n),
    (n) => `${" ".repeat(n / 2)}x`,
  ),
  shape(
    "zero-width joiners",
    (n) => "a\u200d".repeat(n),
    (n) => `${"a".repeat(n / 2)}b`,
  ),
  shape(
    "a carriage return alone",
    (n) => "a\r".repeat(n),
    (n) => `${"a\n".repeat(n / 5)}b`,
  ),
  shape(
    "mixed line ends",
    (n) => "a\r\na\n".repeat(n),
    (n) => `${"a\n".repeat(n / 5)}b`,
  ),
  shape(
    "dashes of each kind",
    (n) => "-\u2013\u2014\u2212".repeat(n),
    (n) => `${"----".repeat(n / 5)}x`,
  ),
  shape(
    "full-width letters",
    (n) => "\uff41".repeat(n),
    (n) => `${"a".repeat(n / 2)}b`,
  ),
  shape(
    "Hangul that composes",
    (n) => "\u1100\u1161\u11a8".repeat(n),
    (n) => `${"\uac01".repeat(n / 3)}x`,
  ),
  shape(
    "ligatures that decompose",
    (n) => "\ufdfa".repeat(n / 10),
    (n) => `${"\u0635".repeat(n / 5)}x`,
  ),
  shape(
    "escapes of escapes",
    (n) => "\\".repeat(n),
    (n) => `${"\\\\".repeat(n / 5)}n`,
  ),
  shape("braces that open", lines("{"), (n) => `${"{\n".repeat(n / 5)}}`),
  shape(
    "an empty last line missing",
    (n) => `${"a\n".repeat(n)}b`,
    (n) => `${"a\n".repeat(n / 5)}b\n\n`,
  ),
  shape(
    "NULs",
    (n) => "\0".repeat(n),
    (n) => `${"\0".repeat(n / 2)}x`,
  ),
  shape(
    "lone surrogates",
    (n) => "\ud800".repeat(n),
    (n) => `${"\ud800".repeat(n / 2)}x`,
  ),
  shape("quotes of each kind", lines(`'a' "b" \`c\``), (n) => `${`"a" 'b' "c"\n`.repeat(n / 5)}x`),
];

function thueMorse(length: number): string {
  return Array.from({ length }, (_, i) => (i.toString(2).replaceAll("0", "").length % 2 === 0 ? "a" : "b")).join("");
}

function fibonacci(length: number): string {
  let [a, b] = ["a", "ab"];
  while (b.length < length) [a, b] = [b, b + a];
  return b.slice(0, length);
}

/** The steps of the work, and its error. */
function run(work: Work<unknown>): { steps: number; longest: number; error: { code?: string } | null } {
  let [steps, longest] = [0, 0];
  try {
    for (let next = work.next(); !next.done; next = work.next()) {
      steps += next.value;
      longest = Math.max(longest, next.value);
    }
    return { steps, longest, error: null };
  } catch (error) {
    return { steps, longest, error: error as { code?: string } };
  }
}

const KNOWN = ["NO_MATCH", "AMBIGUOUS_MATCH", "TOO_LARGE", undefined];

it.each(SHAPES)("editing takes steps in proportion to the texts: $name", ({ make }) => {
  for (const work of [
    ({ text, edit }: { text: string; edit: Edit }) => editing(text, [edit]),
    ({ text, edit }: { text: string; edit: Edit }) => replaceExact(text, edit, true),
  ]) {
    const [small, large] = [run(work(make(10_000))), run(work(make(80_000)))];
    expect(KNOWN).toContain(large.error?.code);
    expect(large.steps).toBeLessThan(9 * small.steps + 100_000);
    expect(large.longest).toBeLessThan(2_000_000);
  }
});

it("replaceExact replaces 900,000 places in steps in proportion to them", () => {
  const { steps, error } = run(replaceExact("ab\n".repeat(900_000), { oldText: "b", newText: "c" }, true));
  expect([error, steps < 20_000_000]).toEqual([null, true]);
});

it("replaceExact refuses what it would not replace everywhere, and what would not fit in memory", () => {
  const many = run(replaceExact("a".repeat(1_000_002), { oldText: "a", newText: "b" }, true));
  expect(many.error).toMatchObject({ code: "TOO_LARGE", message: expect.stringContaining("more than 1000000 places") });
  const edit = { oldText: "a", newText: "b".repeat(1_000_000) };
  expect(run(replaceExact("a".repeat(900_000), edit, true)).error).toMatchObject({ code: "TOO_LARGE" });
});

it("editing takes a thousand edits of a long file in steps in proportion to both", () => {
  const text = numbered(100_000);
  const edits = Array.from({ length: 1000 }, (_, i) => ({ oldText: `line ${i * 97 + 1} \n`, newText: `row ${i}\n` }));
  const { error, longest } = run(editing(text, edits));
  expect([error, longest < 2_000_000]).toEqual([null, true]);
});

it("edit lets other requests run while it works", async () => {
  const text = "  a\n".repeat(500_000);
  const toolset = await createToolset({ store: new InMemoryFileStore({ "/f": text }) });
  let turns = 0;
  let isDone = false;
  const probe = () => {
    turns++;
    if (!isDone) setTimeout(probe, 0);
  };
  setTimeout(probe, 0);
  const result = await toolset.handle("edit", {
    path: "f",
    edits: [{ oldText: `${"\ta\n".repeat(9000)}b`, newText: "x" }],
  });
  isDone = true;
  expect(result.structured.error).toMatchObject({ code: "NO_MATCH" });
  expect(turns).toBeGreaterThan(10);
});

it("edit shows the beginning of a difference of more lines than it compares", async () => {
  const before = Array.from({ length: 120_000 }, (_, i) => `a ${i}`).join("\n");
  const toolset = await createToolset({ store: new InMemoryFileStore({ "/f": before }) });
  const { structured } = await toolset.handle("edit", {
    path: "f",
    oldString: "a ",
    newString: "b ",
    replaceAll: true,
  });
  expect(structured).toMatchObject({ ok: true, replaced: 120_000 });
  expect(structured.diff).toContain("-a 0\n-a 1\n");
});
