import { describe, expect, it } from "vitest";
import type { FlagTable } from "./flag-table.ts";
import { parseFlags } from "./parse-flags.ts";

const table = {
  all: { long: "--all", short: "-a", value: "none", help: "" },
  long: { long: "--long", short: "-l", value: "none", help: "" },
  depth: { long: "--depth", short: "-d", value: "number", help: "" },
  glob: { long: "--glob", short: "-g", value: "list", help: "" },
  format: { long: "--format", value: "string", choices: ["tar", "zip"], help: "" },
} as const satisfies FlagTable;

describe("parseFlags", () => {
  it.each([
    [["-al", "x"], { all: true, long: true }, ["x"]],
    [["x", "--depth", "2", "y"], { depth: 2 }, ["x", "y"]],
    [["--depth=2.5", "-g*.ts", "-g", "!b"], { depth: 2.5, glob: ["*.ts", "!b"] }, []],
    [["-ad3"], { all: true, depth: 3 }, []],
    [["--format=zip", "--", "--all", "-"], { format: "zip" }, ["--all", "-"]],
    [["-", "--glob="], { glob: [""] }, ["-"]],
  ])("parseFlags understands %j", (argv, flags, operands) => {
    expect(parseFlags(table, argv)).toEqual({ flags, operands });
  });

  it.each([
    [["--al"], "unknown flag --al (did you mean --all?)"],
    [["--something"], "unknown flag --something"],
    [["-ax"], "unknown flag -x in -ax"],
    [["--all=1"], "--all takes no value"],
    [["--depth"], "--depth needs a value"],
    [["--depth", "-1"], '--depth needs a number, not "-1"'],
    [["--depth", "1e9"], '--depth needs a number, not "1e9"'],
    [["--format", "rar"], '--format is one of tar, zip, not "rar"'],
    [["-d1", "-d2"], "--depth comes twice"],
    [["--__proto__"], "unknown flag --__proto__"],
  ])("parseFlags refuses %j", (argv, message) => {
    expect(() => parseFlags(table, argv)).toThrow(message);
  });

  it("parseFlags leaves everything after the first operand alone when it is another program's", () => {
    expect(parseFlags(table, ["-a", "ls", "-l", "--", "--nope"], { stopAtOperand: true })).toEqual({
      flags: { all: true },
      operands: ["ls", "-l", "--", "--nope"],
    });
  });
});
