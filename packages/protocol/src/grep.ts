/**
 * What to find, and what was found: the same for every engine and on both sides of a wire, so plain data only. Offsets are
 * ripgrep's: bytes of the file (of its UTF-8 text, where a byte-order mark said UTF-16), lines and columns from 1.
 */

/** `lines`: every hit. `files`: which files have one. `count`: how many each has. `json`: the messages of `rg --json`. */
export type GrepMode = "lines" | "files" | "count" | "json";

/** A search, complete: every default is filled in, every contradiction settled. */
export interface GrepQuery {
  /** A line (or, with `multiline`, a stretch of lines) that matches any of these is a hit. */
  patterns: string[];
  /** Where to look: absolute paths of files and directories. */
  paths: string[];
  /** What globs are relative to: an absolute path. */
  cwd: string;
  /** Patterns are ripgrep's regular expressions; otherwise plain text. */
  regex: boolean;
  ignoreCase: boolean;
  /** Ignore case unless a pattern has a capital letter. */
  smartCase: boolean;
  /** Only matches with no word character beside them. */
  word: boolean;
  /** Only matches that are whole lines. */
  line: boolean;
  /** Lines that do not match. */
  invert: boolean;
  /** Matches may span lines; the class `.` still stops at the end of one. */
  multiline: boolean;
  /** With `multiline`: `.` matches the end of a line too. */
  dotAll: boolean;
  /** ripgrep's `-g` globs in their order; one that starts with `!` leaves out. */
  globs: GrepGlob[];
  types: { type: string; exclude: boolean }[];
  hidden: boolean;
  /** Respect .gitignore, .ignore, .rgignore and .git/info/exclude. */
  ignore: boolean;
  /** Search files with NUL bytes as if they were text. */
  binary: boolean;
  before: number;
  after: number;
  /** Hits before this many are left out (files, in the modes that list files). */
  offset: number;
  /** Where an earlier answer stopped. */
  cursor: string | null;
  maxHits: number;
  maxPerFile: number;
  /** Longer lines are cut, and say so. */
  maxBytesPerLine: number;
  /** Larger files are skipped, and counted. */
  maxFileBytes: number;
  /** Directories below a start that are entered at most; null: all. */
  maxDepth: number | null;
  mode: GrepMode;
  budget: GrepBudget;
}

export interface GrepGlob {
  glob: string;
  ignoreCase: boolean;
}

export interface GrepBudget {
  /** Of content looked at. */
  bytes: number;
  /** Of the matcher: about one a byte for an ordinary pattern, more for a hard one. */
  steps: number;
}

/** Bytes of the line, from its start; the end is exclusive. */
export interface GrepRange {
  start: number;
  end: number;
}

export interface GrepContextLine {
  line: number;
  text: string;
  /** The line was longer than `maxBytesPerLine`. */
  cut?: true;
}

export interface GrepHit {
  path: string;
  /** Of its first line. */
  line: number;
  /** Without its line ending; with `multiline` several lines. Bytes that are not UTF-8 show as U+FFFD. */
  text: string;
  /** Of the first match in it, in bytes; 1 with `invert`. */
  column: number;
  /** Where the line starts in the file. */
  offset: number;
  ranges: GrepRange[];
  /** `text` ends before the line does. */
  cut?: true;
  /** Context that no earlier hit has given, and that before the next. */
  before: GrepContextLine[];
  after: GrepContextLine[];
}

export interface GrepFile {
  path: string;
  /** Lines that match; with `multiline`, matches. 1 in the mode `files`, which stops at the first. */
  count: number;
}

/** One message of `rg --json`; the last of a search (`summary`) is left to whoever prints. */
export type GrepMessage = { type: "begin" | "match" | "context" | "end"; data: Record<string, unknown> };

export type GrepTruncation = "hits" | "bytes" | "steps" | "output";

export interface GrepStats {
  filesSearched: number;
  filesWithHits: number;
  /** Lines that matched. */
  lines: number;
  /** Content that was looked at; what an index proved empty is not. */
  bytesSearched: number;
  /** Files that the index proved to have no match. */
  filesSkippedByIndex: number;
  /** Files with a NUL byte, given up when it was seen. */
  skippedBinary: number;
  skippedTooLarge: number;
  /** Files and directories that an ignore rule left out; what is in such a directory is not counted. */
  filesIgnored: number;
  /** Files whose hits ended at `maxPerFile`. */
  filesLimited: number;
  /** Matcher work done. */
  steps: number;
}

export interface GrepResult {
  engine: "container" | "local";
  hits: GrepHit[];
  /** In the modes `files` and `count`. */
  files: GrepFile[];
  /** In the mode `json`. */
  messages: GrepMessage[];
  truncated: boolean;
  truncatedBy: GrepTruncation | null;
  /** Present when truncated: pass it to go on. */
  cursor: string | null;
  stats: GrepStats;
}
