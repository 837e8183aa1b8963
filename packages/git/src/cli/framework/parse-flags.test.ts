import { describe, expect, it } from "vitest";
import { GitError } from "../../errors.ts";
import { parseFlags, UsageRequest } from "./parse-flags.ts";

const command = {
  usage: ["git try [<options>] [<file>...]", "git try --all"],
  flags: {
    all: { long: "--all", short: "-a", help: "everything" },
    allowEmpty: { long: "--allow-empty", help: "nothing" },
    amend: { long: "--amend", help: "again" },
    verify: { long: "--no-verify", short: "-n", help: "without" },
    verbose: { long: "--verbose", short: "-v", value: "count", help: "more" },
    message: { long: "--message", short: "-m", value: "list", arg: "<message>", help: "what" },
    depth: { long: "--depth", value: "number", arg: "<n>", help: "how deep" },
    color: { long: "--color", short: "-C", value: "optional", arg: "<when>", help: "how" },
    file: { long: "--file", short: "-F", value: "string", arg: "<file>", help: "from", noNegation: true },
    count: { short: "-NUM", value: "number", help: "so many" },
  },
} as const;

const parse = (...argv: string[]) => parseFlags(command, argv);

function failure(...argv: string[]): GitError {
  try {
    parse(...argv);
  } catch (error) {
    if (error instanceof GitError) return error;
  }
  throw new Error("it parsed");
}

describe("parseFlags", () => {
  it("takes values apart, joined, bundled and abbreviated", () => {
    expect(parse("-avvm", "one", "--mess=two", "--depth", "3", "x", "-C", "-Calways", "-7").flags).toEqual({
      all: true,
      verbose: 2,
      message: ["one", "two"],
      depth: 3,
      color: "always",
      count: 7,
    });
  });

  it("undoes with --no-, and takes --x for the opposite of --no-x", () => {
    expect(parse("-a", "--no-all", "-v", "--no-verbose", "--verify", "-mx", "--no-message").flags).toEqual({
      all: false,
      verbose: 0,
      verify: false,
      message: [],
    });
    expect(parse("--no-verify").flags).toEqual({ verify: true });
  });

  it("keeps arguments, what follows --, and the order of flags among arguments", () => {
    const { args, afterDashes, order } = parse("a", "-a", "b", "-", "-mx", "--", "-v");
    expect({ args, afterDashes, order }).toEqual({
      args: ["a", "b", "-"],
      afterDashes: ["-v"],
      order: [
        { name: "all", value: true, at: 1, text: "-a" },
        { name: "message", value: "x", at: 3, text: "-mx" },
      ],
    });
  });

  it("stops at the first argument when the command does", () => {
    expect(parseFlags({ ...command, stopAtNonOption: true }, ["-a", "sub", "-v", "--", "x"])).toMatchObject({
      flags: { all: true },
      args: ["sub", "-v", "--", "x"],
    });
  });

  it.each([
    [["--what=x"], "unknown option `what=x'"],
    [["-x"], "unknown switch `x'"],
    [["-ax"], "unknown switch `x'"],
    [["-m"], "switch `m' requires a value"],
    [["--message"], "option `message' requires a value"],
    [["--depth=x"], "option `depth' expects a numerical value"],
    [["--all=x"], "option `all' takes no value"],
    [["--no-all=x"], "option `no-all' takes no value"],
    [["--no-file"], "unknown option `no-file'"],
    [["-amend"], "did you mean `--amend` (with two dashes)?"],
    [["--al"], "ambiguous option: al (could be --all or --allow-empty)"],
  ])("refuses %j as git does", (argv, message) => {
    const error = failure(...argv);
    expect(error.message).toBe(message);
    expect(error.exitCode).toBe(129);
    expect(error.prefix).toBe("error");
  });

  it("answers -h and --help with usage in git's layout", () => {
    for (const argv of [["-h"], ["--help"], ["x", "-h"], ["-ah"]])
      expect(failure(...argv)).toBeInstanceOf(UsageRequest);
    expect((failure("-h") as UsageRequest).usage).toBe(`usage: git try [<options>] [<file>...]
   or: git try --all

    -a, --all             everything
    --allow-empty         nothing
    --amend               again
    -n, --no-verify       without
    -v, --verbose         more
    -m, --message <message>
                          what
    --depth <n>           how deep
    -C, --color[=<when>]  how
    -F, --file <file>     from
    -NUM                  so many

`);
  });

  it("leaves unknown options among the arguments where the command asks for it", () => {
    expect(parseFlags({ ...command, keepUnknownOptions: true }, ["-a", "--what", "-x3", "f"]).args).toEqual([
      "--what",
      "-x3",
      "f",
    ]);
  });
});
