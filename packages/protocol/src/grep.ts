/**
 * Search request and result: the same for every engine and on both sides of a wire, so plain data only. Offsets are
 * ripgrep's: bytes of the file (of its UTF-8 text, if a byte-order mark declared UTF-16), lines and columns from 1.
 */

/** `lines`: every hit. `files`: files with a hit. `count`: hits per file. `json`: the messages of `rg --json`. */
export type GrepMode = "lines" | "files" | "count" | "json";

/** A complete search: every default is filled in, every contradiction resolved. */
export interface GrepQuery {
  /** A line (or, with `multiline`, a range of lines) that matches any of these is a hit. */
  patterns: string[];
  /** Where to search: absolute paths of files and directories. */
  paths: string[];
  /** Base of globs: an absolute path. */
  cwd: string;
  /** Patterns are ripgrep's regular expressions; otherwise plain text. */
  regex: boolean;
  ignoreCase: boolean;
  /** Ignore case unless a pattern has a capital letter. */
  smartCase: boolean;
  /** Only matches without an adjacent word character. */
  word: boolean;
  /** Only matches that are whole lines. */
  line: boolean;
  /** Lines that do not match. */
  invert: boolean;
  /** Matches may span lines; the class `.` still stops at the end of one. */
  multiline: boolean;
  /** With `multiline`: `.` matches the end of a line too. */
  dotAll: boolean;
  /** ripgrep's `-g` globs in their order; one that starts with `!` excludes. */
  globs: GrepGlob[];
  types: { type: string; exclude: boolean }[];
  hidden: boolean;
  /** Respect .gitignore, .ignore, .rgignore and .git/info/exclude. */
  ignore: boolean;
  /** Search files with NUL bytes as if they were text. */
  binary: boolean;
  before: number;
  after: number;
  /** Number of hits to skip (files, in the modes that list files). */
  offset: number;
  /** Where an earlier response stopped. */
  cursor: string | null;
  maxHits: number;
  maxPerFile: number;
  /** Longer lines are truncated and marked. */
  maxBytesPerLine: number;
  /** Larger files are skipped and counted. */
  maxFileBytes: number;
  /** Maximum depth of directories below a start; null: unlimited. */
  maxDepth: number | null;
  mode: GrepMode;
  budget: GrepBudget;
}

export interface GrepGlob {
  glob: string;
  ignoreCase: boolean;
}

export interface GrepBudget {
  /** Bytes of searched content. */
  bytes: number;
  /** Steps of the matcher: about one per byte for an ordinary pattern, more for a hard one. */
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
  /** Number of its first line. */
  line: number;
  /** Without its line ending; with `multiline` several lines. Bytes that are not UTF-8 show as U+FFFD. */
  text: string;
  /** Column of the first match in it, in bytes; 1 with `invert`. */
  column: number;
  /** Offset of the line in the file. */
  offset: number;
  ranges: GrepRange[];
  /** `text` ends before the line does. */
  cut?: true;
  /** Context that no earlier hit has included, up to the next hit. */
  before: GrepContextLine[];
  after: GrepContextLine[];
}

export interface GrepFile {
  path: string;
  /** Lines that match; with `multiline`, matches. 1 in the mode `files`, which stops at the first. */
  count: number;
}

/** One message of `rg --json`; the printer adds the last one of a search (`summary`). */
export type GrepMessage = { type: "begin" | "match" | "context" | "end"; data: Record<string, unknown> };

export type GrepTruncation = "hits" | "bytes" | "steps" | "output";

export interface GrepStats {
  filesSearched: number;
  filesWithHits: number;
  /** Lines that matched. */
  lines: number;
  /** Bytes of searched content, without files that an index ruled out. */
  bytesSearched: number;
  /** Files that the index ruled out. */
  filesSkippedByIndex: number;
  /** Files with a NUL byte, where the search stopped at that byte. */
  skippedBinary: number;
  skippedTooLarge: number;
  /** Files and directories that an ignore rule excluded; the contents of such a directory are not counted. */
  filesIgnored: number;
  /** Files whose hits reached `maxPerFile`. */
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
  /** Present if truncated: pass it to continue. */
  cursor: string | null;
  stats: GrepStats;
}
