/** Pathspecs beside `git ls-files`, on the same paths. */
import { describe, expect, it } from "vitest";
import { scratchRepository } from "../../test/scratch-repository.ts";
import { parsePathspec } from "./pathspec.ts";

const files = ["a.txt", "A.TXT", "d/b.txt", "d/e/c.txt", "d/e/f/g.txt", "d.x/y", "q[a]", "qa", "x*y", "xzy", "D/up"];
const cases: [prefix: string, ...given: string[]][] = [
  ["", "a.txt"],
  ["", "*.txt"],
  ["", ":(glob)*.txt"],
  ["", ":(glob)**/*.txt"],
  ["", ":(glob)d/**"],
  ["", ":(glob)d/*/*.txt"],
  ["", "d"],
  ["", "d/"],
  ["", "d/e/"],
  ["", "d*"],
  ["", ":(icase)a.TXT"],
  ["", ":(icase)D/*"],
  ["", "q[a]"],
  ["", ":(literal)q[a]"],
  ["", "x*y"],
  ["", ":!d"],
  ["", ":^*.txt"],
  ["", "d", ":(exclude)d/e"],
  ["", "d/e", "nope", "a.txt"],
  ["d/", "b.txt"],
  ["d/", "*.txt"],
  ["d/", "../a.txt"],
  ["d/", ":/a.txt"],
  ["d/", ":(top,glob)*.txt"],
  ["d/", "."],
  ["d/", ".."],
  ["d/", ":!e"],
  ["d/", ":(icase)E/*"],
];

describe("Pathspec", () => {
  it("matches what git ls-files lists, and knows what did not match", () => {
    using repo = scratchRepository();
    repo.write(Object.fromEntries(files.map((path) => [path, ""])));
    repo.git("add", ".");
    for (const [prefix, ...given] of cases) {
      const pathspec = parsePathspec({ prefix, workTree: repo.path, env: {} }, given, { prefer: "cwd" });
      const cwd = prefix === "" ? [] : ["-C", prefix];
      const listed = repo
        .git(...cwd, "ls-files", "-z", "--full-name", "--", ...given)
        .split("\0")
        .filter((path) => path !== "");
      const matched = files.filter((path) => pathspec.matches(path));
      expect({ prefix, given, paths: matched.sort() }).toEqual({ prefix, given, paths: listed.sort() });
      expect(pathspec.unmatched().map(({ original }) => original)).toEqual(given.filter((text) => text === "nope"));
      // What may hide something may not be left out of a walk.
      for (const path of matched) {
        for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
          expect(pathspec.mayMatchUnder(path.slice(0, slash))).toBe(true);
        }
      }
    }
  });

  it.each([
    ["", "empty string is not a valid pathspec. please use . instead if you meant to match all paths"],
    [":(bogus)x", "Invalid pathspec magic 'bogus' in ':(bogus)x'"],
    [":(top", "Missing ')' at the end of pathspec magic in ':(top'"],
    [":%x", "Unimplemented pathspec magic '%' in ':%x'"],
    [":(glob,literal)x", ":(glob,literal)x: 'literal' and 'glob' are incompatible"],
    ["../x", "../x: '../x' is outside repository at '/w'"],
    ["/elsewhere", "/elsewhere: '/elsewhere' is outside repository at '/w'"],
  ])("refuses %j as git does", (input, message) => {
    expect(() => parsePathspec({ prefix: "", workTree: "/w", env: {} }, [input])).toThrow(message);
  });
});
