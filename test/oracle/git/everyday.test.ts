/** The scenarios of everyday commands with real git and with ours, on a disk; git.test.ts has the others. */
import { describe, expect, it } from "vitest";
import { topics } from "./all-scenarios.ts";
import { compareOnDisk } from "./compare-on-disk.ts";
import { EVERYDAY } from "./everyday-topics.ts";

const everyday = topics.filter(({ name }) => EVERYDAY.has(name));

it("EVERYDAY names topics that exist", () => {
  expect(everyday.map(({ name }) => name).toSorted()).toEqual([...EVERYDAY].toSorted());
});

describe.each(everyday)("$name", ({ scenarios }) => {
  it.each(scenarios)("$name", async (scenario) => {
    const reported = await compareOnDisk(scenario);
    if (reported !== null) expect.fail(reported);
  });
});
