/**
 * ripgrep's flags as data, for the parser, `--help` and a test. A flag that is not listed is an error, never ignored. Flags that
 * cannot change an answer here are accepted and have no effect.
 */

export interface Flag {
  readonly short?: string;
  readonly takes?: "text" | "number" | "size";
  /** Accepted, without effect. */
  readonly idle?: true;
  /** Rejected, with the reason. */
  readonly refused?: string;
  readonly help: string;
}

const NO_PCRE = "look-around and backreferences (PCRE2) are not supported";

export const FLAGS = {
  regexp: { short: "e", takes: "text", help: "A pattern to search for; may be given several times" },
  "fixed-strings": { short: "F", help: "Patterns are plain text" },
  "no-fixed-strings": { help: "Patterns are regular expressions" },
  "ignore-case": { short: "i", help: "Ignore case" },
  "case-sensitive": { short: "s", help: "Do not ignore case" },
  "smart-case": { short: "S", help: "Ignore case unless a pattern has a capital letter" },
  "word-regexp": { short: "w", help: "Only matches with no word character beside them" },
  "line-regexp": { short: "x", help: "Only matches that are whole lines" },
  "invert-match": { short: "v", help: "Lines that do not match" },
  "no-invert-match": { help: "Lines that match" },
  multiline: { short: "U", help: "Matches may span lines" },
  "no-multiline": { help: "Matches are within a line" },
  "multiline-dotall": { help: "With --multiline: a dot matches the end of a line" },
  glob: { short: "g", takes: "text", help: "Search only files that match; with ! in front, leave them out" },
  iglob: { takes: "text", help: "As --glob, ignoring case" },
  type: { short: "t", takes: "text", help: "Search only files of a type" },
  "type-not": { short: "T", takes: "text", help: "Leave out files of a type" },
  "type-list": { help: "List the types" },
  hidden: { short: ".", help: "Search names that begin with a dot" },
  "no-hidden": { help: "Leave out names that begin with a dot" },
  "no-ignore": { help: "Do not respect ignore files" },
  ignore: { help: "Respect ignore files" },
  "no-ignore-vcs": { refused: "only --no-ignore as a whole is supported", help: "" },
  "no-require-git": { idle: true, help: "Respect .gitignore outside of repositories too: always so here" },
  unrestricted: { short: "u", help: "--no-ignore; twice: and --hidden; three times: and --text" },
  text: { short: "a", help: "Search binary files as if they were text" },
  "no-text": { help: "Leave out binary files" },
  "max-depth": { short: "d", takes: "number", help: "Directories to go down at most" },
  "max-filesize": { takes: "size", help: "Leave out larger files" },
  "max-count": { short: "m", takes: "number", help: "Matching lines of a file at most" },
  "after-context": { short: "A", takes: "number", help: "Lines after each match" },
  "before-context": { short: "B", takes: "number", help: "Lines before each match" },
  context: { short: "C", takes: "number", help: "Lines before and after each match" },
  count: { short: "c", help: "How many lines match, by file" },
  "count-matches": { help: "How many matches there are, by file" },
  "files-with-matches": { short: "l", help: "Names of files that match" },
  "files-without-match": { help: "Names of files that do not match" },
  files: { help: "Names of the files that would be searched" },
  json: { help: "Messages in JSON" },
  quiet: { short: "q", help: "Print nothing; the exit code says whether there was a match" },
  "only-matching": { short: "o", help: "Only the matches, one a line" },
  "line-number": { short: "n", help: "Numbers of lines" },
  "no-line-number": { short: "N", help: "No numbers of lines" },
  "with-filename": { short: "H", help: "Names of files with every line" },
  "no-filename": { short: "I", help: "No names of files" },
  column: { help: "Column of the first match in a line" },
  "no-column": { help: "No columns" },
  "byte-offset": { short: "b", help: "Offset of every line, or match, in its file" },
  heading: { help: "Name of a file once, above its lines" },
  "no-heading": { help: "Name of a file with every line" },
  vimgrep: { help: "A line for every match, with its line and column" },
  trim: { help: "No blanks at the start of a line" },
  null: { short: "0", help: "A NUL after the name of a file" },
  "max-columns": { short: "M", takes: "number", help: "Leave out longer lines, and say so" },
  "max-columns-preview": { help: "With --max-columns: show the start of longer lines" },
  help: { short: "h", help: "This text" },
  version: { short: "V", help: "The version" },
  color: { takes: "text", idle: true, help: "Never any colour here" },
  sort: { takes: "text", idle: true, help: "Always by path here" },
  threads: { short: "j", takes: "number", idle: true, help: "No effect" },
  encoding: { short: "E", takes: "text", idle: true, help: "By the byte-order mark" },
  engine: { takes: "text", idle: true, help: "No effect" },
  "line-buffered": { idle: true, help: "No effect" },
  "block-buffered": { idle: true, help: "No effect" },
  mmap: { idle: true, help: "No effect" },
  "no-mmap": { idle: true, help: "No effect" },
  "no-config": { idle: true, help: "No effect" },
  "no-messages": { idle: true, help: "No effect" },
  "no-pcre2": { idle: true, help: "No effect" },
  pcre2: { short: "P", refused: NO_PCRE, help: "" },
  follow: { short: "L", refused: "links are not followed", help: "" },
  replace: { short: "r", takes: "text", refused: "replacing is not supported", help: "" },
  "search-zip": { short: "z", refused: "compressed files are not searched", help: "" },
  passthru: { refused: "not supported", help: "" },
  file: { short: "f", takes: "text", refused: "give patterns with -e", help: "" },
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof FLAGS;

export function helpText(): string {
  const lines = Object.entries(FLAGS as Record<string, Flag>)
    .filter(([, flag]) => flag.refused === undefined && flag.idle === undefined)
    .map(([name, flag]) => {
      const names = `${flag.short === undefined ? "    " : `-${flag.short}, `}--${name}${flag.takes === undefined ? "" : `=<${flag.takes}>`}`;
      return `  ${names.padEnd(34)} ${flag.help}`;
    });
  return `rg [options] <pattern> [path ...]\n\n${lines.join("\n")}\n`;
}
