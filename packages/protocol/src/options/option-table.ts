/**
 * One definition per option of a verb: its name and its kind, as data. The TypeScript types, the check of a local call, the check of
 * a call over RPC and the parameters of HTTP derive from it. A comment in a table is the documentation of the option in every editor.
 */

/** An array is a choice of words, a table is an option that is an object of options. */
export type OptionKind = keyof OptionValues | readonly string[] | OptionTable;

export interface OptionTable {
  /** A function: a check of its own, for settings. */
  readonly [option: string]: OptionKind | ((value: unknown) => boolean);
}

/** A table that the compiler compares with a type: an option added to the type must be added to the table. */
export type TableOf<T> = { readonly [K in keyof Required<T>]: OptionTable[string] };

/** The type of each kind's values. Those of `LOCAL_KINDS` are never sent. */
export interface OptionValues {
  flag: boolean;
  text: string;
  path: string;
  /** A path, version, cursor, snapshot's id or "now". */
  moment: string;
  /** An integer from 0, or Infinity where a limit is meant. */
  count: number;
  /** An integer from 1. */
  positive: number;
  /** Any number but NaN; the verb checks its range. */
  number: number;
  /** A limit, at least 0. NaN, from a missing setting, would be no limit at all: no number is larger. */
  bound: number;
  /** A limit that must not be 0, because nothing could be done within it. */
  positiveBound: number;
  time: Time;
  /** `null`: nothing may exist there. The only kind for which null is not an absent option. */
  version: string | null;
  /** Permission bits: a number, or octal digits. */
  mode: Mode;
  /** As in Node: `r`, `w`, `a`, `wx` …, or its number. */
  openFlag: string | number;
  encoding: TextEncodingName;
  /** Names are text, always in UTF-8. */
  utf8: "utf8" | "utf-8" | null;
  /** COPYFILE_EXCL (1), COPYFILE_FICLONE, COPYFILE_FICLONE_FORCE. */
  copyMode: number;
  texts: string | readonly string[];
  paths: readonly string[];
  /** Of an environment. */
  variables: Readonly<Record<string, string>>;
  /** Not supported; its default may be written out. */
  off: false;
  /** Not checked here: it is ignored, or its reader checks it with a message of its own. */
  any: unknown;
  bytes: Uint8Array;
  input: string | Uint8Array | ReadableStream<Uint8Array>;
  /** From a `seq` on. */
  resume: "tail" | "full" | number;
  /** Globs, or a predicate, which is not sent. */
  exclude: string | readonly string[] | ((path: string) => boolean);
  signal: AbortSignal;
  copyFilter: (source: string, destination: string) => boolean | Promise<boolean>;
  watchIgnore: WatchIgnore | readonly WatchIgnore[];
  buffer: ArrayBufferView;
  position: number | bigint;
}

/** Kinds that stay on the caller's side. */
export const LOCAL_KINDS: ReadonlySet<unknown> = new Set<keyof OptionValues>([
  "signal",
  "copyFilter",
  "watchIgnore",
  "buffer",
]);

export type OptionsOf<Table> = { -readonly [Option in keyof Table]?: OptionValue<Table[Option]> };

type OptionValue<Kind> = Kind extends keyof OptionValues
  ? OptionValues[Kind]
  : Kind extends readonly (infer Word)[]
    ? Word
    : OptionsOf<Kind>;

export type Time = Date | number | string;

/** Permission bits: a number, or octal digits. */
export type Mode = number | string;

export type TextEncodingName =
  | "utf8"
  | "utf-8"
  | "latin1"
  | "binary"
  | "ascii"
  | "base64"
  | "base64url"
  | "hex"
  | "utf16le"
  | "ucs2";

/** A glob (without a slash it matches the last name), a regular expression or a predicate on the event's `filename`. */
export type WatchIgnore = string | RegExp | ((filename: string) => boolean);
