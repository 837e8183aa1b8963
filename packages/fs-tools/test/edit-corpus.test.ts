import { describe, expect, it } from "vitest";
import { applyEdits } from "../src/edit/apply-edits.ts";
import { InMemoryFileStore } from "../src/store/in-memory-file-store.ts";
import { createToolset } from "../src/toolset/create-toolset.ts";
import { EDIT_CORPUS, type EditCase } from "./edit-corpus.ts";

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

/** The same through the tool, on bytes: the mark stays, and so does everything that was not named. */
async function checkTool({ text, edits, expected, rung, refused, bom }: EditCase): Promise<void> {
  const mark = bom ? "\uFEFF" : "";
  const store = new InMemoryFileStore({ "/f": mark + text });
  const toolset = await createToolset({ store });
  const { isError, structured } = await toolset.handle("edit", { path: "f", edits });
  const after = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode((await store.read("/f")) as Uint8Array);
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
