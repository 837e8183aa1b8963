/** Every flag of every table is played by some scenario, or listed with the reason why it cannot be compared. */
import { describe, expect, it } from "vitest";
import type { Command } from "../../../packages/git/src/cli/command.ts";
import type { Flag } from "../../../packages/git/src/cli/flag-table.ts";
import { parseGlobalOptions } from "../../../packages/git/src/cli/global-options.ts";
import { parseFlags } from "../../../packages/git/src/cli/parse-flags.ts";
import { registry } from "../../../packages/git/src/cli/registry.ts";
import { topics } from "./all-scenarios.ts";
import { gitStep, isGitStep } from "./scenario.ts";
import { uncomparedFlags } from "./uncompared-flags.ts";

/** Commands share tables (those of diffs, of revisions): a flag that one of them plays is played. */
function played(): Set<Flag> {
  const used = new Set<Flag>();
  for (const { scenarios } of topics)
    for (const { steps } of scenarios)
      for (const step of steps.filter(isGitStep)) for (const flag of flagsIn(gitStep(step).git)) used.add(flag);
  return used;
}

/** What cannot be parsed uses nothing. */
function flagsIn(argv: readonly string[]): Flag[] {
  try {
    const [name = "", ...rest] = parseGlobalOptions(argv, "/", {}).rest;
    const command = registry[name] as Command | undefined;
    return command === undefined ? [] : parseFlags(command, rest).order.map((one) => command.flags[one.name] as Flag);
  } catch {
    return [];
  }
}

describe("scenarios", () => {
  const used = played();
  it.each(Object.keys(registry))("play every flag of git %s", (name) => {
    const { flags } = registry[name] as Command;
    const reasons = uncomparedFlags[name] ?? {};
    const missing = Object.keys(flags).filter((flag) => !used.has(flags[flag] as Flag) && !(flag in reasons));
    expect(missing.join(" ")).toBe("");
  });

  it("play none of those listed as not to be compared", () => {
    const stale = Object.entries(uncomparedFlags).flatMap(([name, reasons]) => {
      const { flags } = registry[name] as Command;
      const isStale = (flag: string) => flags[flag] === undefined || used.has(flags[flag]);
      return Object.keys(reasons)
        .filter(isStale)
        .map((flag) => `${name} ${flag}`);
    });
    expect(stale).toEqual([]);
  });
});
