/**
 * Flags as data: they feed the parser, the usage text, the documents and the tests. Parsing follows git's parse-options: long
 * options may be abbreviated while unambiguous, short ones bundled, `--no-x` undoes `--x`, `--` ends options, and options may
 * follow arguments.
 */

export interface Flag {
  /** With dashes: "--depth". */
  readonly long?: string;
  /** With dash: "-d". */
  readonly short?: string;
  /**
   * Absent: a switch, `--no-` unless `noNegation`; count: a switch that adds up (-v -v); string, number: a value is needed (`--x v`,
   * `--x=v`, `-xv`, `-x v`); optional: a value only as `--x=v` or `-xv`; list: string, repeatable.
   */
  readonly value?: "count" | "string" | "number" | "optional" | "list";
  /** Shown in usage for a value: "<n>". */
  readonly arg?: string;
  readonly help: string;
  readonly noNegation?: boolean;
  readonly hidden?: boolean;
  /** A known flag that is refused: the reason, or what to do instead; may be empty. */
  readonly unsupported?: string;
  /** For string and list: the value when the flag is the last word (`git branch --contains`). */
  readonly lastDefault?: string;
}

export type FlagTable = Readonly<Record<string, Flag>>;

/** The parsed value of a flag: `false` if negated, absent if not given. */
type FlagValue<F extends Flag> = F extends { readonly value: infer Value }
  ? Value extends "count"
    ? number
    : Value extends "number"
      ? number | false
      : Value extends "list"
        ? readonly string[]
        : Value extends "optional"
          ? string | true | false
          : string | false
  : boolean;

export interface ParsedFlags<Flags extends FlagTable> {
  readonly flags: { readonly [Name in keyof Flags]?: FlagValue<Flags[Name]> };
  /** Arguments before `--`, or all of them without `--`. */
  readonly args: readonly string[];
  /** Arguments after `--`; null: there was no `--`. */
  readonly afterDashes: readonly string[] | null;
  /**
   * Every flag given, in order, for commands where order decides (`-e`, `--onto`, `--not`, pathspec against revision); `at` is the
   * number of `args` before it.
   */
  readonly order: readonly {
    readonly name: keyof Flags & string;
    readonly value: string | boolean;
    readonly at: number;
    /** As typed, without a value that follows. */
    readonly text?: string;
  }[];
}

/** Flags parsed with a table that contains at least these; for code that several commands share. */
export interface ParsedFlagSubset<Flags extends FlagTable> extends Omit<ParsedFlags<Flags>, "order"> {
  readonly order: readonly {
    readonly name: string;
    readonly value: string | boolean;
    readonly at: number;
    readonly text?: string;
  }[];
}
