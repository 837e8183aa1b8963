/** Every flag of every table is played by some scenario, or listed with the reason why it cannot be compared. */
import { describe, expect, it } from "vitest";
import type { Command } from "../../../packages/git/src/cli/framework/command.ts";
import type { Flag, FlagTable } from "../../../packages/git/src/cli/framework/flag-table.ts";
import { parseGlobalOptions } from "../../../packages/git/src/cli/framework/global-options.ts";
import { parseFlags } from "../../../packages/git/src/cli/framework/parse-flags.ts";
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

/** What cannot be parsed uses nothing. A sub-command (`remote add`) has a table of its own. */
function flagsIn(argv: readonly string[]): Flag[] {
  try {
    const [name = "", ...rest] = parseGlobalOptions(argv, "/", {}).rest;
    const command = registry[name] as Command | undefined;
    if (command === undefined) return [];
    const parsed = parseFlags(command, rest);
    const used = parsed.order.map((one) => command.flags[one.name] as Flag);
    // `git stash -k` is a push.
    const [first = "", ...others] = [...parsed.args, ...(parsed.afterDashes ?? [])];
    const [sub, words] =
      name === "stash" && (first === "" || first.startsWith("-"))
        ? [command.subcommands?.push, [first, ...others].filter((word) => word !== "")]
        : [command.subcommands?.[first], others];
    return sub === undefined
      ? used
      : [...used, ...parseFlags(sub, words).order.map((one) => sub.flags[one.name] as Flag)];
  } catch {
    return [];
  }
}

/** Every command and, as "remote add", every sub-command that has a table. */
const tables = new Map<string, FlagTable>();
for (const [name, command] of Object.entries(registry) as [string, Command][]) {
  tables.set(name, command.flags);
  for (const [word, { flags }] of Object.entries(command.subcommands ?? {})) tables.set(`${name} ${word}`, flags);
}

describe("scenarios", () => {
  const used = played();
  it.each([...tables.keys()])("play every flag of git %s", (name) => {
    const flags = tables.get(name) as FlagTable;
    const reasons = uncomparedFlags[name] ?? {};
    // What a table itself says is refused has nothing to be compared.
    const missing = Object.entries(flags)
      .filter(([flag, { unsupported }]) => unsupported === undefined && !(flag in reasons))
      .filter(([, flag]) => !used.has(flag));
    expect(missing.map(([flag]) => flag).join(" ")).toBe("");
  });

  it("scenarios play no flag that is listed as not comparable", () => {
    const stale = Object.entries(uncomparedFlags).flatMap(([name, reasons]) => {
      const flags = tables.get(name) ?? {};
      const isStale = (flag: string) =>
        flags[flag] === undefined || used.has(flags[flag]) || flags[flag].unsupported !== undefined;
      return Object.keys(reasons)
        .filter(isStale)
        .map((flag) => `${name} ${flag}`);
    });
    expect(stale).toEqual([]);
  });

  it("a refused flag gives its reason", async () => {
    const { runCli } = await import("@workspace/git");
    const { createNodeFileSystem } = await import("@workspace/git/node");
    const silent: string[] = [];
    for (const [name, flags] of tables) {
      for (const { long, short, value, unsupported } of Object.values(flags)) {
        if (unsupported === undefined) continue;
        const word = long ?? (short as string);
        const input = value === undefined || value === "optional" ? [word] : [word, "x"];
        const host = { fs: createNodeFileSystem(), now: () => 0 };
        const { exitCode, stderr } = await runCli(host, { argv: [...name.split(" "), ...input], cwd: "/", env: {} });
        if (exitCode !== 128 || !new TextDecoder().decode(stderr).startsWith(`fatal: ${word} is not supported here`))
          silent.push(`${name} ${word}`);
      }
    }
    expect(silent).toEqual([]);
  });
});
