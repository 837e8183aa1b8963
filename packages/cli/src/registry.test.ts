/** The tables as a whole: help, parser and completion are consistent. */
import { describe, expect, it } from "vitest";
import { completionAt } from "./completion/candidates.ts";
import { type Flag, globalFlags } from "./flags/flag-table.ts";
import { commandHelp, flagWords, generalHelp } from "./flags/help-text.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { commands, findCommand } from "./registry.ts";

describe("commands", () => {
  it("commands has every command once", () => {
    const names = commands.map(({ name }) => name);
    const requested = "ls cat put get edit rm grep glob exec git watch cp archive tools mcp login open".split(" ");
    expect(names).toEqual(expect.arrayContaining(requested));
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(generalHelp(commands)).toContain(`  ${name} `);
  });

  it.each(commands.map((command) => [command.name, command] as const))(
    "%s has one meaning for each flag",
    (_, command) => {
      const flags: Flag[] = [...Object.values(globalFlags), ...Object.values(command.flags)];
      const words = flags.flatMap(({ long, short }) => (short === undefined ? [long] : [long, short]));
      expect(new Set(words).size).toBe(words.length);
      for (const { long, short } of flags) {
        expect(long).toMatch(/^--[a-z]+(?:-[a-z]+)*$/);
        if (short !== undefined) expect(short).toMatch(/^-[A-Za-z]$/);
      }
      const help = commandHelp(command);
      for (const flag of flags) expect(help).toContain(`${flagWords(flag)} `);
      expect(command.operands.slice(0, -1).every(({ many }) => !many)).toBe(true);
    },
  );

  it.each(commands.flatMap(({ name, examples }) => examples.map((line) => [name, line] as const)))(
    "%s: the example parses: %s",
    (name, line) => {
      const command = /(?:^|[ (;])wsx ((?:[^|<>;)'"]|'[^']*'|"[^"]*")+)/.exec(line)?.[1];
      if (command === undefined) return expect(line).toMatch(/^\{|^eval/);
      expect(parseCommandLine(shellWords(command), findCommand).command?.name).toBe(name);
    },
  );
});

it("COMMANDS.md is the help of every command", async () => {
  const parts = commands.map((command) => `## wsx ${command.name}\n\n\`\`\`\n${commandHelp(command)}\`\`\`\n`);
  const heading =
    "# The commands of wsx\n\nMade from the tables by registry.test.ts: `npx vitest run --project fast packages/cli -u`.\n";
  await expect([heading, ...parts].join("\n")).toMatchFileSnapshot("../COMMANDS.md");
});

it("parseCommandLine gives a command its own flags and no others", () => {
  const line = parseCommandLine(["-W", "a", "undo", "--json", "-n", "x", "--url", "b"], findCommand);
  expect(line).toMatchObject({ globals: { workspace: "a", json: true, url: "b" }, operands: ["x"] });
  expect(line.flags).toEqual({ dryRun: true });
  expect(parseCommandLine(["git", "log", "--json"], findCommand)).toMatchObject({
    globals: {},
    operands: ["log", "--json"],
  });
});

describe("completionAt", () => {
  it.each([
    [["ar"], null, ["archive"]],
    [["-W", ""], "workspace", []],
    [["-W", "demo", "ar"], null, ["archive"]],
    [["cat", "src/"], "remote-path", []],
    [["archive", "--format", "z"], null, ["zip"]],
    [["archive", "--format=z"], null, ["zip"]],
    [["archive", "-o", ""], "file", []],
    [["ls", "--re"], null, ["--recursive"]],
    [["git", "--re"], "text", []],
    [["exec", "ls", "--re"], "text", []],
    [["put", "a.txt", "do"], "remote-path", []],
    [["cp", "-r", "src", ":"], "either-path", []],
    [["put", "a", "b", "c"], null, []],
    [["nothing", "x"], null, []],
  ])("completionAt %j asks for %j and knows %j", (words, kind, known) => {
    expect(completionAt(commands, words)).toMatchObject({ kind, words: known });
  });
});

/** Splits a line into words as a shell would, with plain quotes. */
function shellWords(line: string): string[] {
  return [...line.trim().matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_, a, b) => a ?? b),
  );
}
