/** Configuration files compared with real git, and malformed ones: a result or an error, and never a lost byte. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { GitError } from "../errors.ts";
import { fromLatin1, parseConfig, toLatin1 } from "./config-syntax.ts";
import { parseNumber } from "./config-value.ts";
import { setConfigValue, unsetConfigValue } from "./edit-config.ts";

const folder = mkdtempSync(join(tmpdir(), "config-syntax-"));
const file = join(folder, "config");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(...argv: string[]) {
  const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" };
  const { status, stdout } = spawnSync("git", ["config", "--file", file, ...argv], { env, cwd: folder });
  return { status, stdout: toLatin1(new Uint8Array(stdout)) };
}

/** As `git config --list -z` prints it, or the exit code. */
function ours(text: string): string | number {
  try {
    const entries = parseConfig(text, "file config").filter((piece) => piece.kind === "entry");
    return entries.map(({ key, value }) => `${key}${value === null ? "" : `\n${value}`}\0`).join("");
  } catch (error) {
    if (error instanceof GitError) return error.exitCode;
    throw error;
  }
}

const word = fc.constantFrom(
  "[",
  "]",
  "a",
  "B",
  '"',
  "\\",
  " ",
  "\t",
  "\n",
  "\r\n",
  "=",
  "#",
  ";",
  ".",
  "-",
  "1",
  "é",
  "\\n",
  "core",
);
const configText = fc.array(word, { maxLength: 24 }).map((words) => words.join(""));
const plausible = fc
  .array(
    fc.constantFrom(
      "[a]\n",
      '[a "B"]\n',
      "[a.c] x = 1\n",
      "k = v\n",
      "\tk\n",
      'K = "q # \\" " ; c\n',
      "# c\n",
      "\n",
      "k=one \\\n two\n",
      "[z]\n",
    ),
    { maxLength: 10 },
  )
  .map((lines) => lines.join(""));

describe("parseConfig", () => {
  it("reads what git reads, and refuses what git refuses", () => {
    fc.assert(
      fc.property(fc.oneof(configText, plausible), (text) => {
        const bytes = new TextEncoder().encode(text);
        writeFileSync(file, bytes);
        const theirs = git("--list", "-z");
        const expected = theirs.status === 0 ? theirs.stdout : theirs.status;
        const reported = ours(toLatin1(bytes));
        expect(typeof reported === "string" ? toLatin1(new TextEncoder().encode(reported)) : reported).toBe(expected);
      }),
      { numRuns: 120 },
    );
  });

  it.each(["[]", "[]\nk = 1\n", "[a]\n[]\n", "[]k = 1\n", '[ "x"]\nk = 1\n', "[.]\nk = 1\n"])(
    "reads %j as git does",
    (text) => {
      const bytes = new TextEncoder().encode(text);
      writeFileSync(file, bytes);
      const theirs = git("--list", "-z");
      expect(ours(toLatin1(bytes))).toBe(theirs.status === 0 ? theirs.stdout : theirs.status);
    },
  );

  it("covers every byte of the file with its pieces, and keeps bytes that are no UTF-8", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const text = toLatin1(bytes);
        expect(fromLatin1(text)).toEqual(bytes);
        try {
          const pieces = parseConfig(text, "x");
          for (const [i, piece] of pieces.entries()) {
            if (i > 0) expect(piece.begin).toBe(pieces[i - 1]?.end);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(GitError);
        }
      }),
    );
  });
});

describe("setConfigValue and unsetConfigValue", () => {
  it("leave the file as git leaves it", () => {
    const key = fc.constantFrom("a.k", "a.B.k", "a.n", "z.k", "new.x", "a.c.x");
    const value = fc.constantFrom("v", " v ", "a#b", 'q"q', "t\tt", "", "back\\slash", "x;y");
    fc.assert(
      fc.property(plausible, key, value, fc.boolean(), (text, name, next, removes) => {
        writeFileSync(file, text);
        const before = toLatin1(new TextEncoder().encode(text));
        const theirs = removes ? git("--unset-all", name) : git("--replace-all", name, next);
        let edited: string | number;
        try {
          const options = { file: "config", all: true };
          edited = removes ? unsetConfigValue(before, name, options) : setConfigValue(before, name, next, options);
        } catch (error) {
          if (!(error instanceof GitError)) throw error;
          edited = error.exitCode;
        }
        const after = toLatin1(new Uint8Array(readFileSync(file)));
        expect(edited).toBe(theirs.status === 0 ? after : theirs.status);
      }),
      { numRuns: 120 },
    );
  });
});

describe("parseNumber", () => {
  it("takes units, bases and signs as C does", () => {
    const texts = [
      "1",
      "-1",
      "+2",
      "1k",
      "2M",
      "1g",
      "0x1F",
      "010",
      "08",
      "1kb",
      "",
      "x",
      " 5",
      "5 ",
      "3g",
      "2147483648",
    ];
    const numbers = texts.map((text) => parseNumber(text));
    expect(numbers).toEqual([
      1,
      -1,
      2,
      1024,
      2097152,
      1073741824,
      31,
      8,
      "unit",
      "unit",
      "unit",
      "unit",
      5,
      "unit",
      "range",
      "range",
    ]);
  });
});
