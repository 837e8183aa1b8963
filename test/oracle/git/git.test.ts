/**
 * Every scenario with real git and with ours, on a disk, but those of everyday.test.ts. One topic: `vitest run
 * test/oracle/git/git.test.ts -t 'topic'`; what fails names the scenario, the step and the lines that differ.
 */
import { describe, expect, it } from "vitest";
import { topics } from "./all-scenarios.ts";
import { compareOnDisk } from "./compare-on-disk.ts";
import { EVERYDAY } from "./everyday-topics.ts";

describe.each(topics.filter(({ name }) => !EVERYDAY.has(name)))("$name", ({ scenarios }) => {
  it.each(scenarios)("$name", async (scenario) => {
    const reported = await compareOnDisk(scenario);
    if (reported !== null) expect.fail(reported);
  });
});
