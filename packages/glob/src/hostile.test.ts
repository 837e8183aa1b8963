/**
 * For any text: compiling throws a GlobError or nothing, matching throws nothing, and the work is bounded by the size of the
 * pattern times the length of the path. The work is counted in visited states, so the bounds are exact on any machine.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Matcher } from "./automaton/matcher.ts";
import { ACCEPT, Nfa } from "./automaton/nfa.ts";
import { buildWildmatch } from "./gitignore/wildmatch.ts";
import {
  compileExclude,
  compileGlob,
  compileOverrides,
  GlobError,
  globsForType,
  hasMagic,
  IgnoreStack,
  literalPrefix,
  parseIgnore,
} from "./index.ts";
import { buildPath } from "./node-glob/build-path.ts";
import { parsePattern } from "./node-glob/parse-pattern.ts";
import { buildGlob } from "./rg-glob/build-glob.ts";
import { parseGlob } from "./rg-glob/parse-glob.ts";

const MAGIC = [
  ..."*?[]{}()!@+|,./\\-^:#$ ab1é😀\n\r\t\0\ud800",
  "**",
  "../",
  "[[:alpha:]]",
  "{1..9}",
  "!(",
  "+(",
  "@(",
  "/**/",
];
const pattern = fc.oneof(
  fc.array(fc.constantFrom(...MAGIC), { maxLength: 30 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .tuple(fc.constantFrom(...MAGIC), fc.constantFrom(2, 30, 400, 5_000, 70_000))
    .map(([part, times]) => part.repeat(times)),
);
const path = fc.oneof(
  fc
    .array(fc.constantFrom("a", "b", "ab", ".a", "1", "é", "😀", "/", "\ud800", "*"), { maxLength: 20 })
    .map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 40 }),
);

/** Fixed: this runs on every commit. */
const SEED = 2_026;

function orGlobError<T>(run: () => T): T | null {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    expect(error.code).toBe("EINVAL");
    expect(error.position).toBeGreaterThanOrEqual(0);
    expect(error.position).toBeLessThanOrEqual(error.pattern.length);
    return null;
  }
}

test("compileGlob, compileExclude, hasMagic and literalPrefix throw GlobErrors alone, and what they compile throws nothing", () => {
  fc.assert(
    fc.property(pattern, path, fc.boolean(), (source, text, isDirectory) => {
      for (const compile of [compileGlob, compileExclude]) {
        const glob = orGlobError(() => compile(source));
        expect(typeof (glob?.match(text, isDirectory) ?? false)).toBe("boolean");
        expect(typeof (glob?.mayContain(text) ?? false)).toBe("boolean");
      }
      orGlobError(() => hasMagic(source));
      orGlobError(() => literalPrefix(source));
    }),
    { numRuns: 1_500, seed: SEED },
  );
});

test("compileOverrides throws GlobErrors alone, and what it compiles throws nothing", () => {
  fc.assert(
    fc.property(fc.array(pattern, { maxLength: 3 }), path, fc.boolean(), (globs, text, isDirectory) => {
      const overrides = orGlobError(() => compileOverrides(globs, { ignoreCase: isDirectory }));
      expect(["include", "exclude", null]).toContain(overrides?.decide(text, isDirectory) ?? null);
      expect(typeof (overrides?.mayContain(text) ?? false)).toBe("boolean");
      const globsOrError = globsForType(text);
      expect(Array.isArray(globsOrError) || globsOrError instanceof GlobError).toBe(true);
    }),
    { numRuns: 1_000, seed: SEED },
  );
});

test("parseIgnore and IgnoreStack throw nothing", () => {
  fc.assert(
    fc.property(
      fc.array(pattern, { maxLength: 4 }),
      path,
      path,
      fc.boolean(),
      (lines, directory, text, isDirectory) => {
        const stack = new IgnoreStack().add("", "gitignore", parseIgnore(lines.join("\n")));
        stack.add(directory, "ignore", parseIgnore(new TextEncoder().encode(lines.join("\r\n")))).addRepository(text);
        expect(typeof stack.ignored(`${directory}/${text}`, isDirectory).ignored).toBe("boolean");
      },
    ),
    { numRuns: 1_000, seed: SEED },
  );
});

/** States visited per symbol stay below this multiple of the number of states. */
const PER_STATE = 4;

function workOf(build: (nfa: Nfa) => number, text: string): { work: number; limit: number } {
  const nfa = new Nfa("");
  nfa.starts.push(build(nfa));
  const matcher = new Matcher(nfa);
  matcher.match(text, false);
  matcher.matchBelow(text);
  const loops = nfa.states.filter(({ kind }) => kind === "loop").length;
  return { work: matcher.work, limit: PER_STATE * nfa.states.length * (1 + loops) * (text.length + 4) };
}

const EVIL: [source: string, text: string][] = [
  [`${"a*".repeat(50)}b`, `${"a".repeat(2_000)}b`],
  [`${"a*".repeat(50)}b`, `${"ab".repeat(1_000)}c`],
  [`${"**/".repeat(50)}x`, `${"a/".repeat(1_000)}x`],
  [`${"**/a/".repeat(20)}x`, `${"a/".repeat(1_000)}x`],
  [`${"**/*a*/".repeat(20)}x`, `${"aaa/".repeat(500)}x`],
  [`${"?*".repeat(100)}`, "a".repeat(2_000)],
  [`${"*[ab]".repeat(60)}c`, `${"ab".repeat(1_000)}c`],
];

test.each(EVIL)("%s looks at a bounded number of states in all three dialects", (source, text) => {
  for (const build of [
    (nfa: Nfa) => buildPath(nfa, parsePattern(source)[0]!, "walk"),
    (nfa: Nfa) => buildGlob(nfa, parseGlob(source), ACCEPT, { ignoreCase: true }),
    (nfa: Nfa) => buildWildmatch(nfa, source, "path", ACCEPT),
  ]) {
    const { work, limit } = workOf(build, text);
    expect(work).toBeLessThan(limit);
  }
});

test.each([
  ["+(a|aa)+(a|aa)+(a|aa)b", `${"a".repeat(2_000)}b`],
  ["*(*(*(a)b)c)", "abc".repeat(500)],
  ["+(+(*(a|b)|?(c))|*(d))e", `${"abcd".repeat(500)}e`],
  [`${"!(a*b)".repeat(30)}c`, `${"ab".repeat(500)}c`],
  ["!(!(!(a*)*b)*c)", "abc".repeat(500)],
  ["+(!(a)|b)*(!(c|d)|e)f", `${"abcdef".repeat(300)}`],
])("%s looks at a bounded number of states", (source, text) => {
  const { work, limit } = workOf((nfa) => buildPath(nfa, parsePattern(source)[0]!, "walk"), text);
  expect(work).toBeLessThan(limit);
});

test("globset groups that nest or multiply look at a bounded number of states", () => {
  for (const source of [
    `${"{a,b}".repeat(500)}`,
    `${"{a,{".repeat(40)}b${"}}".repeat(40)}`,
    `${"{**/a,*b}".repeat(50)}`,
  ]) {
    const { work, limit } = workOf(
      (nfa) => buildGlob(nfa, parseGlob(source), ACCEPT, { ignoreCase: false }),
      "ab".repeat(500),
    );
    expect(work).toBeLessThan(limit);
  }
});
