/** Lines decoded many at once, compared with each alone. */
import { expect, test } from "vitest";
import { LineDecoder, type Shown } from "./line-decoder.ts";

const encoder = new TextEncoder();
const NEVER = 1_000_000;

function shown(lines: readonly (string | Uint8Array)[], max = NEVER): [text: string, cut: boolean][] {
  const texts = new LineDecoder(max);
  const all = lines.map((line) => {
    const into: Shown = { text: "not set" };
    const cut = texts.put(typeof line === "string" ? encoder.encode(line) : line, into);
    return { into, cut };
  });
  texts.settle();
  return all.map(({ into, cut }) => [into.text, cut]);
}

test("LineDecoder gives each line its own text, without its line ending", () => {
  expect(shown(["one\n", "", "\n", "two", "three\r\n", "\n\n"])).toEqual([
    ["one", false],
    ["", false],
    ["", false],
    ["two", false],
    ["three\r", false],
    ["\n", false],
  ]);
});

test("LineDecoder keeps lines apart where characters have several bytes, or bytes are none", () => {
  const lines = ["naïve\n", "作業場 🗂\n", Uint8Array.of(0x61, 0xff, 0x0a), "\ufeffmark\n", "plain\n"];
  expect(shown(lines).map(([text]) => text)).toEqual(["naïve", "作業場 🗂", "a\ufffd", "\ufeffmark", "plain"]);
  // Halves of a character in two lines are no character.
  expect(shown([Uint8Array.of(0xc3), Uint8Array.of(0xa9)]).map(([text]) => text)).toEqual(["\ufffd", "\ufffd"]);
  expect(shown([Uint8Array.of(0xff), "a"]).map(([text]) => text)).toEqual(["\ufffd", "a"]);
});

test("LineDecoder cuts between characters, and says so", () => {
  expect(shown(["ééé\n", "abc\n", "abcd\n", "abcde"], 4)).toEqual([
    ["éé", true],
    ["abc", false],
    ["abcd", false],
    ["abcd", true],
  ]);
});

test("LineDecoder takes more than it gathers at once, and lines longer than that", () => {
  const lines = Array.from({ length: 3000 }, (_, i) => `line ${i} ${"x".repeat(i % 97)}\n`);
  lines.splice(1500, 0, `${"y".repeat(100_000)}\n`);
  expect(shown(lines).map(([text]) => `${text}\n`)).toEqual(lines);
});
