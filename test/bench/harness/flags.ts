/** The command line: one table of flags that feeds the parser and the help text. An unknown flag is an error with usage. */
import { participants } from "../participants.ts";
import { suites } from "../suites/index.ts";
import { serverSuites } from "../suites/servers.ts";
import { BenchError } from "./bench-error.ts";

const flagTable = {
  check: { value: "none", help: "exit 1 when a goal or budget is missed, and name it" },
  counts: { value: "none", help: "only count statements and rows, on ours alone: no peers, no times" },
  suite: {
    value: "name",
    help: `which suite: ${[...suites, ...serverSuites].map((suite) => suite.name).join(", ")} (default: all)`,
  },
  only: {
    value: "names",
    help: `contenders, by comma: ${participants.map((entrant) => entrant.id).join(",")} (default: all)`,
  },
  files: { value: "number", help: "number of small files (default 2000)" },
  size: { value: "number", help: "mean bytes of a small file (default 6000)" },
  large: { value: "number", help: "megabytes of the large file (default 64)" },
  rounds: { value: "number", help: "rounds to take the median of (default 5)" },
  seed: { value: "number", help: "of names, sizes and content (default: today's date; 1 with --counts)" },
  crash: { value: "number", help: "only kill workerd under load, so many times (the test does 50, a release 1000)" },
  help: { value: "none", help: "this text" },
} as const;

type FlagName = keyof typeof flagTable;

export interface Flags {
  help: boolean;
  check: boolean;
  counts: boolean;
  suite: string | undefined;
  only: string[] | undefined;
  files: number;
  size: number;
  largeBytes: number;
  rounds: number;
  seed: number;
  /** Rounds of kills; 0 for none. */
  crash: number;
  /** The shape of the work is the default one, so the results can be saved with the others. */
  standard: boolean;
}

export function parseFlags(argv: readonly string[], today: string): Flags {
  const given = readFlags(argv);
  const number = (name: FlagName, fallback: number) => positiveInteger(name, given.get(name), fallback);
  const counts = given.has("counts");
  return {
    help: given.has("help"),
    check: given.has("check"),
    counts,
    suite: given.get("suite"),
    only: given.get("only")?.split(","),
    files: number("files", 2000),
    size: number("size", 6000),
    largeBytes: number("large", 64) * 1024 * 1024,
    rounds: number("rounds", 5),
    crash: given.has("crash") ? number("crash", 1000) : 0,
    seed: number("seed", counts ? 1 : Number(today.replaceAll("-", ""))),
    standard: !(["only", "files", "size", "large", "rounds"] as const).some((name) => given.has(name)),
  };
}

export function usage(): string {
  const lines = Object.entries(flagTable).map(([name, flag]) => {
    const left = flag.value === "none" ? `--${name}` : `--${name} <${flag.value}>`;
    return `  ${left.padEnd(20)} ${flag.help}`;
  });
  return ["npm run bench -- [flags]", ...lines].join("\n");
}

function readFlags(argv: readonly string[]): Map<FlagName, string> {
  const given = new Map<FlagName, string>();
  for (let at = 0; at < argv.length; at++) {
    const [, name, inline] = /^--([a-z]+)(?:=(.*))?$/s.exec(argv[at] as string) ?? [];
    if (name === undefined || !Object.hasOwn(flagTable, name))
      throw new BenchError(`unknown argument "${argv[at]}"\n${usage()}`);
    const flag = name as FlagName;
    const value = flagTable[flag].value === "none" ? "" : (inline ?? argv[++at]);
    if (value === undefined) throw new BenchError(`--${flag} needs a value\n${usage()}`);
    given.set(flag, value);
  }
  return given;
}

function positiveInteger(name: FlagName, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new BenchError(`--${name} must be a positive whole number, not "${text}"`);
  return value;
}
