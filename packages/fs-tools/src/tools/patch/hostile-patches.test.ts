/** Patches of many changes, and of lines that repeat: work grows with the patch and the file, not with their product. */
import { expect, it } from "vitest";
import type { Work } from "../../definition/work.ts";
import { InMemoryFileStore } from "../../store/in-memory-file-store.ts";
import { createToolset } from "../../toolset/create-toolset.ts";
import { ComparableLines } from "./comparable-lines.ts";

async function patch(text: string, input: Record<string, unknown>) {
  const store = new InMemoryFileStore({ "/f": text });
  const toolset = await createToolset({ store });
  const { structured } = await toolset.handle("apply_patch", input);
  return { structured, after: new TextDecoder().decode((await store.read("/f")) as Uint8Array) };
}

const begin = (body: string) => `*** Begin Patch\n*** Update File: f\n${body}*** End Patch\n`;
const numbered = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word} ${i}\n`).join("");

it("apply_patch takes a Begin Patch of 50,000 changes", async () => {
  const changes = Array.from({ length: 50_000 }, (_, i) => `@@\n-a ${i}\n+b ${i}\n`).join("");
  const { structured, after } = await patch(numbered(50_000, "a"), { patch: begin(changes) });
  expect(structured).toMatchObject({ patched: true, files: [{ added: 50_000, removed: 50_000 }] });
  expect(after).toBe(numbered(50_000, "b"));
});

it("apply_patch takes one change before 200,000 lines, and one of 100,000 lines", async () => {
  const rest = "x\n".repeat(200_000);
  expect((await patch(`a\n${rest}`, { patch: begin("-a\n+b\n") })).after).toBe(`b\n${rest}`);
  const whole = numbered(100_000, "a").replaceAll("a ", "-a ") + numbered(100_000, "b").replaceAll("b ", "+b ");
  expect((await patch(numbered(100_000, "a"), { patch: begin(whole) })).after).toBe(numbered(100_000, "b"));
});

it("apply_patch takes changes that match only in a looser form", async () => {
  const changes = Array.from({ length: 20_000 }, (_, i) => `@@\n-a ${i} \n+b ${i}\n`).join("");
  expect((await patch(numbered(20_000, "a"), { patch: begin(changes) })).after).toBe(numbered(20_000, "b"));
});

it("apply_patch refuses lines that repeat and end otherwise", async () => {
  const wanted = `${" a\n".repeat(40_000)}-b\n+c\n`;
  const { structured } = await patch("a\n".repeat(200_000), { patch: begin(wanted) });
  expect(structured.error).toMatchObject({ code: "PATCH_FAILED", expected: "b" });
});

it("apply_patch reads no file of a patch that names too many", async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `*** Delete File: f${i}\n`).join("");
  const { structured } = await patch("a\n", { patch: `*** Begin Patch\n${many}*** End Patch\n` });
  expect(structured.error).toMatchObject({ code: "TOO_LARGE", message: "A patch changes at most 1000 files." });
});

it("apply_patch takes hunks before a million empty lines", async () => {
  const { structured } = await patch("a\n", { path: "f", patch: `@@\n-a\n+b\n${"\n".repeat(1_000_000)}@@\n` });
  expect(structured.error).toMatchObject({ code: "PATCH_FAILED" });
});

function stepsOf(work: Work<unknown>): number {
  let steps = 0;
  for (let next = work.next(); !next.done; next = work.next()) steps += next.value;
  return steps;
}

it("ComparableLines seeks in steps in proportion to the lines", () => {
  for (const wanted of [
    (count: number) => [...Array<string>(count).fill("a"), "b"],
    (count: number) => ["b", ...Array<string>(count).fill("a")],
    (count: number) => Array.from({ length: count }, (_, i) => (i % 2 === 0 ? "a" : "a ")),
  ]) {
    const steps = (count: number) => {
      const lines = new ComparableLines([...Array<string>(count).fill("a"), "c", "b", "c"]);
      return stepsOf(lines.seek(wanted(count / 2), 0, false)) + stepsOf(lines.firstMissing(wanted(count / 2), 0));
    };
    expect(steps(200_000)).toBeLessThan(21 * steps(10_000));
  }
});

const unified = (hunks: string) => `--- a/f\n+++ b/f\n${hunks}`;

it("apply_patch takes a unified diff of 50,000 hunks without context, and of 20,000 with", async () => {
  const hunks = Array.from({ length: 50_000 }, (_, i) => `@@ -${i + 1} +${i + 1} @@\n-a ${i}\n+b ${i}\n`).join("");
  const { structured, after } = await patch(numbered(50_000, "a"), { patch: unified(hunks) });
  expect(structured).toMatchObject({ patched: true, files: [{ added: 50_000, removed: 50_000 }] });
  expect(after).toBe(numbered(50_000, "b"));
  const near = Array.from(
    { length: 20_000 },
    (_, i) => `@@ -${2 * i + 1},2 +${2 * i + 1},2 @@\n-a ${2 * i}\n+b\n a ${2 * i + 1}\n`,
  );
  const applied = await patch(numbered(40_000, "a"), { patch: unified(near.join("")) });
  expect(applied.structured).toMatchObject({ patched: true, files: [{ added: 20_000, removed: 20_000 }] });
});

it("apply_patch refuses hunks that are all far from where they say", async () => {
  const hunk = (i: number) => ` x ${i}\n-a ${i}\n+b ${i}\n y ${i}\n`;
  const lines = Array.from({ length: 30_000 }, (_, i) => `x ${i}\na ${i}\ny ${i}\n`).join("");
  const hunks = Array.from({ length: 30_000 }, (_, i) => `@@ -2,3 +2,3 @@\n${hunk(i)}`).join("");
  const { structured, after } = await patch(lines, { patch: unified(hunks) });
  expect(structured.error).toMatchObject({
    code: "TOO_LARGE",
    message: expect.stringContaining("too far from the lines"),
  });
  expect(after).toBe(lines);
});

it("apply_patch refuses a unified hunk of lines that repeat and end otherwise", async () => {
  const count = 20_000;
  const hunk = `@@ -5,${count + 2} +5,${count + 1} @@\n${" a\n".repeat(count)}-b\n a\n`;
  const { structured } = await patch("a\n".repeat(100_000), { patch: unified(hunk) });
  expect(["PATCH_FAILED", "TOO_LARGE"]).toContain((structured.error as { code: string }).code);
});

it("apply_patch reads a name of many words, and refuses one of thousands", async () => {
  for (const words of ["q ".repeat(4000), "q q ".repeat(2000)]) {
    const line = `diff --git a/${words} b/${words}\nold mode 100644\nnew mode 100755\n`;
    const { structured } = await patch("a\n", { patch: line.repeat(100) });
    expect(structured.error).toBeDefined();
  }
});

/** The second round: each ends with an answer, and the file is whole. */
it.each<[string, (n: number) => string]>([
  ["contexts that do not end", (n) => begin(`${"@@ class A\n".repeat(n)}-a\n+b\n`)],
  ["contexts that are nowhere", (n) => begin(Array.from({ length: n }, (_, i) => `@@ x${i}\n`).join(""))],
  ["only additions", (n) => begin("+b\n".repeat(n))],
  ["only context", (n) => begin(" a\n".repeat(n))],
  ["empty hunks", (n) => begin("@@\n".repeat(n))],
  ["ends of file", (n) => begin("*** End of File\n".repeat(n))],
  ["moves to itself", (n) => `*** Begin Patch\n${"*** Update File: f\n*** Move to: f\n".repeat(n)}*** End Patch\n`],
  ["patches within a patch", (n) => begin("*** Begin Patch\n".repeat(n))],
  ["files that are added twice", (n) => `*** Begin Patch\n${"*** Add File: g\n+x\n".repeat(n)}*** End Patch\n`],
  ["no end", (n) => `*** Begin Patch\n*** Update File: f\n${"-a\n".repeat(n)}`],
  ["hunks that count too much", (n) => unified("@@ -1,999999999 +1,999999999 @@\n-a\n+b\n".repeat(n))],
  ["hunks at the end of numbers", (n) => unified("@@ -4294967296 +4294967296 @@\n-a\n+b\n".repeat(n))],
  [
    "hunks that go back",
    (n) => unified(Array.from({ length: n }, (_, i) => `@@ -${n - i} +${n - i} @@\n-a\n+b\n`).join("")),
  ],
  ["headers without hunks", (n) => "--- a/f\n+++ b/f\n".repeat(n)],
  ["renames without end", (n) => "diff --git a/f b/f\nrename from f\nrename to f\n".repeat(n)],
  ["no newline marks", (n) => unified(`@@ -1 +1 @@\n-a\n${"\\ No newline at end of file\n".repeat(n)}+b\n`)],
  ["binary patches", (n) => `diff --git a/f b/f\nGIT binary patch\nliteral 9\n${"zc$@)b\n".repeat(n)}`],
])("apply_patch ends for %s", async (_what, make) => {
  for (const count of [100, 20_000]) {
    const { structured, after } = await patch("a\n".repeat(500), { patch: make(count) });
    if (structured.error !== undefined) expect(after).toBe("a\n".repeat(500));
    else expect(structured.patched).toBe(true);
  }
});
