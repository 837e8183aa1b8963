/**
 * GNU grep's flags as data, for the parser, `--help` and a test. An unknown flag is an error, never ignored; flags that cannot
 * change a result here are accepted without effect.
 */
export interface GrepFlag {
  readonly short?: string;
  readonly takes?: "text" | "number";
  /** A value may follow only after `=`. */
  readonly optional?: true;
  /** Accepted, without effect. */
  readonly idle?: true;
  /** Refused, with the reason. */
  readonly refused?: string;
  readonly help: string;
}

export const GREP_FLAGS = {
  regexp: { short: "e", takes: "text", help: "A pattern to look for; may be given several times" },
  file: { short: "f", takes: "text", help: "Patterns from a file, one a line" },
  "extended-regexp": { short: "E", help: "Patterns are extended regular expressions" },
  "basic-regexp": { short: "G", help: "Patterns are basic regular expressions (default)" },
  "fixed-strings": { short: "F", help: "Patterns are plain text" },
  "perl-regexp": { short: "P", help: "Patterns are Perl's, without look-around and backreferences" },
  "ignore-case": { short: "i", help: "Ignore case" },
  "no-ignore-case": { help: "Do not ignore case" },
  "word-regexp": { short: "w", help: "Only matches that are whole words" },
  "line-regexp": { short: "x", help: "Only matches that are whole lines" },
  "invert-match": { short: "v", help: "Lines that do not match" },
  "max-count": { short: "m", takes: "number", help: "Matching lines of a file at most" },
  "byte-offset": { short: "b", help: "The byte at which each line begins" },
  "line-number": { short: "n", help: "Line numbers" },
  "with-filename": { short: "H", help: "File names" },
  "no-filename": { short: "h", help: "No file names" },
  label: { takes: "text", help: "The name of standard input" },
  "only-matching": { short: "o", help: "Only what matches of each line" },
  quiet: { short: "q", help: "Nothing but the exit code" },
  silent: { help: "As --quiet" },
  "no-messages": { short: "s", help: "No errors about files that cannot be read" },
  text: { short: "a", help: "Treat binary files as text" },
  "binary-files": { takes: "text", help: "binary, text or without-match" },
  "binary-without-match": { short: "I", help: "Leave out binary files" },
  directories: { short: "d", takes: "text", help: "read, recurse or skip" },
  recursive: { short: "r", help: "All files under each directory" },
  "dereference-recursive": { short: "R", help: "As --recursive; links inside are not followed here" },
  include: { takes: "text", help: "Search only files whose name matches" },
  exclude: { takes: "text", help: "Leave out files whose name matches" },
  "exclude-dir": { takes: "text", help: "Leave out directories whose name matches" },
  "files-without-match": { short: "L", help: "Names of files with no match" },
  "files-with-matches": { short: "l", help: "Names of files with a match" },
  count: { short: "c", help: "How many lines match in each file" },
  null: { short: "Z", help: "A NUL byte after file names" },
  "before-context": { short: "B", takes: "number", help: "Lines before each match" },
  "after-context": { short: "A", takes: "number", help: "Lines after each match" },
  context: { short: "C", takes: "number", help: "Lines before and after each match" },
  "group-separator": { takes: "text", help: "Between groups of lines, instead of --" },
  "no-group-separator": { help: "Nothing between groups of lines" },
  color: { takes: "text", optional: true, idle: true, help: "There are no colours here" },
  colour: { takes: "text", optional: true, idle: true, help: "As --color" },
  "line-buffered": { idle: true, help: "Of no effect here" },
  binary: { short: "U", idle: true, help: "Of no effect here" },
  "old-ignore-case": { short: "y", help: "As --ignore-case" },
  "null-data": { short: "z", refused: "lines that end in NUL are not supported", help: "" },
  "initial-tab": { short: "T", refused: "aligned output is not supported", help: "" },
  help: { help: "This text" },
  version: { short: "V", help: "The version" },
} as const satisfies Record<string, GrepFlag>;

export type GrepFlagName = keyof typeof GREP_FLAGS;

export function grepHelp(): string {
  const lines = Object.entries(GREP_FLAGS as Record<string, GrepFlag>)
    .filter(([, { refused }]) => refused === undefined)
    .map(([name, { short, takes, help }]) => {
      const long = `--${name}${takes === undefined ? "" : `=${takes.toUpperCase()}`}`;
      return `  ${short === undefined ? "    " : `-${short}, `}${long.padEnd(26)} ${help}\n`;
    });
  return `Usage: grep [OPTION]... PATTERNS [FILE]...\n${lines.join("")}`;
}
