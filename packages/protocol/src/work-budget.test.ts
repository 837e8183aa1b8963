import { expect, it } from "vitest";
import { createWorkBudget } from "./work-budget.ts";

it("createWorkBudget counts steps, and bytes as steps", () => {
  const budget = createWorkBudget();
  budget.spend(5);
  budget.spend(1, 160);
  expect(budget.used).toMatchObject({ steps: 16, bytes: 160, longestStretch: 16 });
});

it("WorkBudget.spend fails when the request has no steps left, and again at every later step", () => {
  const budget = createWorkBudget({ steps: 10 });
  budget.spend(10);
  for (let i = 0; i < 2; i++) expect(() => budget.spend(1)).toThrow(expect.objectContaining({ code: "STEPS" }));
});

it("WorkBudget.spend fails when code goes on without a pause, and works after one", async () => {
  const budget = createWorkBudget({ stretchSteps: 10, pauseSteps: 5 });
  budget.spend(10);
  expect(budget.isDue).toBe(true);
  expect(() => budget.spend(1)).toThrow(expect.objectContaining({ code: "STRETCH" }));
  await budget.checkpoint();
  budget.spend(4);
  expect(budget.checkpoint()).toBeUndefined();
  expect(budget.used).toMatchObject({ longestStretch: 11, pauses: 1 });
});

it("WorkBudget.spend refuses work that is larger than a stretch before it runs, and does not count it", () => {
  const budget = createWorkBudget({ stretchSteps: 10 });
  budget.spend(3);
  expect(() => budget.spend(11)).toThrow(expect.objectContaining({ code: "STRETCH" }));
  expect(budget.used).toMatchObject({ steps: 3, longestStretch: 3 });
  budget.spend(7);
  expect(() => budget.spend(1)).toThrow(expect.objectContaining({ code: "STRETCH" }));
});

it("WorkBudget.pause lets timers run, so that an abort ends the work", async () => {
  const stop = new AbortController();
  const budget = createWorkBudget({}, stop.signal);
  setTimeout(() => stop.abort(), 0);
  await expect(budget.pause()).rejects.toMatchObject({ code: "ABORTED" });
  expect(() => budget.spend(1)).toThrow(expect.objectContaining({ code: "ABORTED" }));
});

it("WorkBudget.hold limits what a request holds at once", () => {
  const budget = createWorkBudget({ heldBytes: 10 });
  {
    using _held = budget.hold(8);
    expect(() => budget.hold(3)).toThrow(expect.objectContaining({ code: "MEMORY" }));
  }
  using _again = budget.hold(10);
  expect(budget.used.heldBytes).toBe(10);
});
