import { describe, expect, it } from "vitest";
import { EDIT_CORPUS, type EditCase } from "../../../test/edit-corpus.ts";
import type { FuzzyMatchStrategy } from "../../definition/tool-context.ts";
import { InMemoryFileStore } from "../../store/in-memory-file-store.ts";
import { createToolset } from "../../toolset/create-toolset.ts";
import { applyEdits } from "./apply-edits.ts";
import { MATCH_STRATEGIES } from "./match-text.ts";

const byCategory = Map.groupBy(EDIT_CORPUS, ({ category }) => category);

function check({ text, edits, expected, rung, refused, says }: EditCase): void {
  if (refused === undefined) {
    const result = applyEdits(text, edits);
    // Not a matcher: it would print a megabyte.
    if (result.text !== expected)
      throw new Error(
        `got ${JSON.stringify(result.text.slice(0, 300))}, not ${JSON.stringify(expected?.slice(0, 300))}`,
      );
    for (const { rung: used } of result.applied) expect(used).toBe(rung);
    return;
  }
  let error: { code?: string; message?: string } = {};
  try {
    applyEdits(text, edits);
  } catch (thrown) {
    error = thrown as Error;
  }
  expect(error.code).toBe(refused);
  if (says !== undefined) expect(error.message).toContain(says);
}

it("the corpus has 200 cases, 20 in each category, and 60 that must be refused", () => {
  expect(EDIT_CORPUS.length).toBeGreaterThanOrEqual(200);
  for (const [category, cases] of byCategory) expect([category, cases.length >= 20]).toEqual([category, true]);
  for (const category of ["CRLF", "BOM", "tabs", "NFC and NFD", "$ patterns", "huge files"])
    expect([category, byCategory.has(category)]).toEqual([category, true]);
  expect(EDIT_CORPUS.filter(({ refused }) => refused !== undefined).length).toBeGreaterThanOrEqual(60);
});

/** The same through the tool, on bytes: the byte-order mark stays, and so does everything outside the edit. */
async function checkTool({ text, edits, expected, rung, refused, bom }: EditCase): Promise<void> {
  const mark = bom ? "\uFEFF" : "";
  const store = new InMemoryFileStore({ "/f": mark + text });
  const toolset = await createToolset({ store });
  const { isError, structured } = await toolset.handle("edit", { path: "f", edits });
  const after = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(
    (await store.read("/f")) as Uint8Array,
  );
  if (after !== mark + (expected ?? text)) throw new Error(`got ${JSON.stringify(after.slice(0, 300))}`);
  if (refused === undefined) for (const one of structured.edits as { rung: string }[]) expect(one.rung).toBe(rung);
  else expect([isError, structured.error]).toEqual([true, expect.objectContaining({ code: refused })]);
}

describe.each([...byCategory.keys()])("edit, %s", (category) => {
  it.each(byCategory.get(category) ?? [])("$name", check);
  it("through the tool, on bytes", async () => {
    for (const one of byCategory.get(category) ?? []) if (one.text.length < 100_000 || one.bom) await checkTool(one);
  });
});

describe("a match strategy that is switched off", () => {
  const climbing = EDIT_CORPUS.filter(
    (one): one is EditCase & { rung: FuzzyMatchStrategy } =>
      one.rung !== undefined && one.rung !== "exact" && one.text.length < 1000,
  );

  it.each([...MATCH_STRATEGIES])(
    "%s finds nothing any more, and the strategies before it are not weaker for it",
    (off) => {
      const cases = climbing.filter(({ rung }) => rung === off);
      expect(cases.length).toBeGreaterThanOrEqual(20);
      for (const { text, edits } of cases) {
        let used: string[] = ["none"];
        try {
          used = applyEdits(text, edits, { disabledStrategies: [off] }).applied.map(({ rung }) => rung);
        } catch (error) {
          expect(error).toMatchObject({ code: "NO_MATCH" });
        }
        expect(used).not.toContain(off);
      }
      for (const { text, edits } of climbing)
        expect(() => applyEdits(text, edits, { disabledStrategies: [...MATCH_STRATEGIES] })).toThrow("is not in");
    },
  );

  it("is the host's to say, by the toolset", async () => {
    const store = new InMemoryFileStore({ "/f": "a\r\nb\r\n" });
    const toolset = await createToolset({ store, disabledMatchStrategies: MATCH_STRATEGIES });
    const { isError } = await toolset.handle("edit", { path: "f", edits: [{ oldText: "a\nb", newText: "x" }] });
    expect(isError).toBe(true);
  });
});

it("the exact form says when the other would match, and does not take its switch", async () => {
  const toolset = await createToolset({ store: new InMemoryFileStore({ "/f": "if (a) {\r\n\tb();\r\n}\r\n" }) });
  const miss = await toolset.handle("edit", { path: "f", oldString: "if (a) {\n\tb();", newString: "x" });
  expect(miss.content).toContain("Sent as edits: [{ oldText, newText }] it would match line 1 (line-endings).");
  const none = await toolset.handle("edit", { path: "f", oldString: "something else", newString: "x" });
  expect(none.content).not.toContain("Sent as edits");
  const both = await toolset.handle("edit", { path: "f", edits: [{ oldText: "a", newText: "b" }], replaceAll: true });
  expect(both.content).toBe("INVALID_INPUT: replaceAll goes with oldString and newString, not with edits.");
});

it("the exact form gives no hint where the match strategies would match twice", async () => {
  const toolset = await createToolset({ store: new InMemoryFileStore({ "/f": "a\r\nb\r\na\r\nb\r\n" }) });
  const miss = await toolset.handle("edit", { path: "f", oldString: "a\nb", newString: "x" });
  expect([miss.isError, miss.content.includes("Sent as edits")]).toEqual([true, false]);
});

it("a last line without an end is not taken for one with it, whatever its indentation", () => {
  expect(() => applyEdits("a\n  b", [{ oldText: "b\n", newText: "c\n" }])).toThrow("is not in");
  expect(applyEdits("a\n  b\n", [{ oldText: "\tb\n", newText: "\tc\n" }]).text).toBe("a\n  c\n");
});

it("no match begins or ends inside a letter and its marks", () => {
  const letter = "q\u0323\u0307";
  const text = `say \u201C${letter}\u201D\n`;
  expect(() => applyEdits(text, [{ oldText: 'say "q\u0323', newText: "x" }])).toThrow("is not in");
  expect(() => applyEdits(text, [{ oldText: '\u0307"\n', newText: "x" }])).toThrow("is not in");
  expect(applyEdits(text, [{ oldText: `say "${letter}"`, newText: "x" }]).text).toBe("x\n");
});
