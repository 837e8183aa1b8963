import { describe, expect, it } from "vitest";
import { applyEdits } from "../src/edit/apply-edits.ts";
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
  expect(EDIT_CORPUS.filter(({ refused }) => refused !== undefined).length).toBeGreaterThanOrEqual(60);
});

describe.each([...byCategory.keys()])("edit, %s", (category) => {
  it.each(byCategory.get(category) ?? [])("$name", check);
});
