/** Patterns that make a state of thousands of threads for every byte: each ends after a small amount of work, and reports it. */
import { inObject } from "@workspace/testing/in-object";
import { createFileSystem } from "@workspace/vfs";
import { expect, it } from "vitest";
import { searchLimits } from "../api/limits.ts";

const COSTLY = ["(?i)(\\p{L}{50}){50}", "(.{0,1000}){1,20}ba[^b]", "(?:a?){2000}b\\w{200}#", "(\\w{1,100}\\s?){1,40}#"];

it.each(COSTLY)("grep ends %j on a file of 1 MB within its budget of threads", (pattern) =>
  inObject(async ({ volume }) => {
    const fs = createFileSystem(volume);
    const words = Array.from({ length: 20_000 }, (_, i) => (i * 7919).toString(36).replace(/\d/g, "é"));
    await fs.writeFile("/workspace/t.txt", words.join("").repeat(20).slice(0, 1_000_000));
    const { truncatedBy, stats } = await fs.grep(pattern, "/workspace", { regex: true, mode: "count" });
    expect(stats.steps).toBeLessThanOrEqual(searchLimits.budgetThreads + 2_000_000);
    expect([null, "steps"]).toContain(truncatedBy);
  }),
);

it("grep ends a search that goes over the same long line again and again", () =>
  inObject(async ({ volume }) => {
    const fs = createFileSystem(volume);
    await fs.writeFile("/workspace/t.txt", "x".repeat(4_000_000));
    const { truncatedBy, stats } = await fs.grep("x.*y|x", "/workspace", { regex: true });
    expect(truncatedBy).toBe("steps");
    expect(stats.steps).toBeLessThanOrEqual(searchLimits.stretchSteps * 2);
  }));
