/**
 * Flags and operands as data. One table per command feeds the parser, the help text, shell completion, the reference in README and
 * the tests, so that they cannot disagree.
 */

export interface Flag {
  /** With dashes: "--recursive". */
  readonly long: `--${string}`;
  /** With dash: "-r". */
  readonly short?: `-${string}`;
  /** none: a switch; string, number: a value follows (`--x v`, `--x=v`, `-xv`, `-x v`); list: a string that may be repeated. */
  readonly value: "none" | "string" | "number" | "list";
  /** Placeholder of the value: "<n>". */
  readonly arg?: string;
  /** The allowed values, for `string`. */
  readonly choices?: readonly string[];
  readonly help: string;
}

export type FlagTable = Readonly<Record<string, Flag>>;

/** The kind of an operand, for completion and help. */
export type OperandKind =
  | "remote-path"
  | "local-path"
  | "either-path"
  | "workspace"
  | "tool"
  | "snapshot"
  | "shell"
  | "command"
  | "text";

export interface Operand {
  readonly name: string;
  readonly kind: OperandKind;
  readonly optional?: true;
  /** Last operand only: takes all remaining words. */
  readonly many?: true;
}

export type FlagValue<F extends Flag> = F["value"] extends "none"
  ? boolean
  : F["value"] extends "number"
    ? number
    : F["value"] extends "list"
      ? readonly string[]
      : string;

export type FlagValues<Flags extends FlagTable> = { readonly [Name in keyof Flags]?: FlagValue<Flags[Name]> };

/** Flags of every command, before or after its name. */
export const globalFlags = {
  workspace: { long: "--workspace", short: "-W", value: "string", arg: "<name>", help: "The workspace to work on" },
  url: { long: "--url", value: "string", arg: "<url>", help: "The server's URL" },
  json: { long: "--json", value: "none", help: "Answer with JSON, errors included" },
  quiet: { long: "--quiet", short: "-q", value: "none", help: "No progress and no notes" },
  help: { long: "--help", short: "-h", value: "none", help: "Show help" },
  version: { long: "--version", value: "none", help: "Show the version" },
} as const satisfies FlagTable;

export type GlobalFlags = FlagValues<typeof globalFlags>;
