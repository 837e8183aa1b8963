/** The options of the searches by name and by content. */
import type { OptionTable } from "./option-table.ts";

export const globOptions = {
  /** Where patterns start; default the workspace root. */
  cwd: "path",
  exclude: "exclude",
  /** Directories too; default true, as Node. */
  dirs: "flag",
  /** Fail with EFBIG beyond this many results; default `limits.globResults`. */
  limit: "count",
  /** Leave out what .gitignore, .ignore, .rgignore and .git/info/exclude exclude, as `grep` does; default false, as Node. */
  ignore: "flag",
  /** Paths only; `find` returns types, sizes and times. */
  withFileTypes: "off",
  followSymlinks: "off",
} as const satisfies OptionTable;

export const findOptions = {
  /** A glob on the last name. */
  name: "text",
  /** A glob on the path relative to the start. */
  path: "text",
  type: ["file", "dir", "symlink"],
  larger: "number",
  smaller: "number",
  newer: "time",
  older: "time",
  maxDepth: "count",
  minDepth: "count",
  limit: "count",
  /** Leave out what .gitignore, .ignore, .rgignore and .git/info/exclude exclude, as `grep` does; default false, as find(1). */
  ignore: "flag",
} as const satisfies OptionTable;

/** The defaults are ripgrep's, except for `regex`. Ignore rules apply with or without a git repository. */
export const grepStreamOptions = {
  /** The pattern is ripgrep's regular expression; default false: plain text. */
  regex: "flag",
  ignoreCase: "flag",
  /** Ignore case unless the pattern has a capital letter. */
  smartCase: "flag",
  /** Only matches with no word character beside them. */
  word: "flag",
  /** Only matches that are whole lines. */
  line: "flag",
  /** The lines that do not match. */
  invert: "flag",
  /** Matches may span lines. */
  multiline: "flag",
  /** With `multiline`: `.` matches the end of a line too. */
  dotAll: "flag",
  /** Globs of files to search, relative to `path`; a glob without a slash matches the name at any depth. */
  include: "texts",
  /** Globs of files and directories to leave out; they take precedence over `include`. */
  exclude: "texts",
  /** ripgrep's type names; "!name" leaves a type out. */
  types: "texts",
  /** Include names that begin with a dot; default false. */
  hidden: "flag",
  /** Respect .gitignore, .ignore, .rgignore and .git/info/exclude, those above `path` included; default true. */
  ignore: "flag",
  /** Search files that contain a NUL byte as if they were text; default false. */
  binary: "flag",
  /** Lines before and after each hit; `before` and `after` set one of them. */
  context: "count",
  before: "count",
  after: "count",
  /** Default 1000; counts files in the modes that list files. */
  maxHits: "count",
  maxPerFile: "count",
  /** Longer lines are truncated and marked; default 2000. */
  maxBytesPerLine: "count",
  /** Larger files are skipped and counted; default 64 MiB, with `multiline` at most 8 MiB. */
  maxFileBytes: "count",
  maxDepth: "count",
  /** Number of hits to skip at the beginning. */
  offset: "count",
  /** `auto`, the default, uses the container when it is up and has exactly this revision; the answer names the engine. */
  engine: ["auto", "local", "container"],
  signal: "signal",
  /** Maximum work, counted in steps because a Worker's clock stands still. */
  budget: {
    bytes: "count",
    steps: "count",
  },
} as const satisfies OptionTable;

export const grepOptions = {
  ...grepStreamOptions,
  /** The `cursor` of an earlier answer, to continue where it stopped. */
  cursor: "text",
  mode: ["lines", "files", "count", "json"],
} as const satisfies OptionTable;
