/**
 * The table of options that all diff-like commands share (`diff`, `log`, `show`, `diff-tree`, …). `read-diff-options.ts` interprets
 * them. Names are never abbreviated, and order decides: the last of two contradictory options wins.
 */
import type { FlagTable } from "../framework/flag-table.ts";

export const diffFlags = {
  patch: { short: "-p", long: "--patch", help: "generate patch" },
  noPatch: { short: "-s", help: "suppress diff output" },
  patchU: { short: "-u", help: "generate patch" },
  unified: {
    short: "-U",
    long: "--unified",
    value: "optional",
    arg: "<n>",
    help: "generate diffs with <n> lines context",
  },
  functionContext: {
    short: "-W",
    long: "--function-context",

    help: "generate diffs with <n> lines context",
  },
  raw: { long: "--raw", help: "generate the diff in raw format", noNegation: true },
  patchWithRaw: { long: "--patch-with-raw", help: "synonym for '-p --raw'", noNegation: true },
  patchWithStat: { long: "--patch-with-stat", help: "synonym for '-p --stat'", noNegation: true },
  numstat: { long: "--numstat", help: "machine friendly --stat", noNegation: true },
  shortstat: { long: "--shortstat", help: "output only the last line of --stat", noNegation: true },
  dirstat: {
    short: "-X",
    long: "--dirstat",
    value: "optional",
    arg: "<param>",
    help: "output the distribution of relative amount of changes for each sub-directory",
    noNegation: true,
  },
  cumulative: { long: "--cumulative", help: "synonym for --dirstat=cumulative", noNegation: true },
  dirstatByFile: {
    long: "--dirstat-by-file",
    value: "optional",
    arg: "<param>",
    help: "synonym for --dirstat=files,param1,param2...",
    noNegation: true,
  },
  check: {
    long: "--check",

    help: "warn if changes introduce conflict markers or whitespace errors",
    noNegation: true,
  },
  summary: {
    long: "--summary",

    help: "condensed summary such as creations, renames and mode changes",
    noNegation: true,
  },
  nameOnly: { long: "--name-only", help: "show only names of changed files", noNegation: true },
  nameStatus: {
    long: "--name-status",

    help: "show only names and status of changed files",
    noNegation: true,
  },
  stat: {
    long: "--stat",
    value: "optional",
    arg: "<width>[,<name-width>[,<count>]]",
    help: "generate diffstat",
    noNegation: true,
  },
  statWidth: {
    long: "--stat-width",
    value: "string",
    arg: "<width>",
    help: "generate diffstat with a given width",
    noNegation: true,
  },
  statNameWidth: {
    long: "--stat-name-width",
    value: "string",
    arg: "<width>",
    help: "generate diffstat with a given name width",
    noNegation: true,
  },
  statGraphWidth: {
    long: "--stat-graph-width",
    value: "string",
    arg: "<width>",
    help: "generate diffstat with a given graph width",
    noNegation: true,
  },
  statCount: {
    long: "--stat-count",
    value: "string",
    arg: "<count>",
    help: "generate diffstat with limited lines",
    noNegation: true,
  },
  compactSummary: { long: "--compact-summary", help: "generate compact summary in diffstat" },
  binary: { long: "--binary", help: "output a binary diff that can be applied", noNegation: true },
  fullIndex: {
    long: "--full-index",

    help: 'show full pre- and post-image object names on the "index" lines',
  },
  color: { long: "--color", value: "optional", arg: "<when>", help: "show colored diff" },
  wsErrorHighlight: {
    long: "--ws-error-highlight",
    value: "string",
    arg: "<kind>",
    help: "highlight whitespace errors in the 'context', 'old' or 'new' lines in the diff",
    noNegation: true,
  },
  nul: {
    short: "-z",

    help: "do not munge pathnames and use NULs as output field terminators in --raw or --numstat",
  },
  abbrev: { long: "--abbrev", value: "optional", arg: "<n>", help: "use <n> digits to display object names" },
  srcPrefix: {
    long: "--src-prefix",
    value: "string",
    arg: "<prefix>",
    help: 'show the given source prefix instead of "a/"',
    noNegation: true,
  },
  dstPrefix: {
    long: "--dst-prefix",
    value: "string",
    arg: "<prefix>",
    help: 'show the given destination prefix instead of "b/"',
    noNegation: true,
  },
  linePrefix: {
    long: "--line-prefix",
    value: "string",
    arg: "<prefix>",
    help: "prepend an additional prefix to every line of output",
    noNegation: true,
  },
  noPrefix: {
    long: "--no-prefix",

    help: "do not show any source or destination prefix",
    noNegation: true,
  },
  interHunkContext: {
    long: "--inter-hunk-context",
    value: "number",
    arg: "<n>",
    help: "show context between diff hunks up to the specified number of lines",
    noNegation: true,
  },
  indicatorNew: {
    long: "--output-indicator-new",
    value: "string",
    arg: "<char>",
    help: "specify the character to indicate a new line instead of '+'",
    noNegation: true,
  },
  indicatorOld: {
    long: "--output-indicator-old",
    value: "string",
    arg: "<char>",
    help: "specify the character to indicate an old line instead of '-'",
    noNegation: true,
  },
  indicatorContext: {
    long: "--output-indicator-context",
    value: "string",
    arg: "<char>",
    help: "specify the character to indicate a context instead of ' '",
    noNegation: true,
  },
  breakRewrites: {
    short: "-B",
    long: "--break-rewrites",
    value: "optional",
    arg: "<n>[/<m>]",
    help: "break complete rewrite changes into pairs of delete and create",
    noNegation: true,
  },
  findRenames: {
    short: "-M",
    long: "--find-renames",
    value: "optional",
    arg: "<n>",
    help: "detect renames",
    noNegation: true,
  },
  irreversibleDelete: {
    short: "-D",
    long: "--irreversible-delete",

    help: "omit the preimage for deletes",
  },
  findCopies: {
    short: "-C",
    long: "--find-copies",
    value: "optional",
    arg: "<n>",
    help: "detect copies",
    noNegation: true,
  },
  findCopiesHarder: {
    long: "--find-copies-harder",

    help: "use unmodified files as source to find copies",
  },
  noRenames: { long: "--no-renames", help: "disable rename detection", noNegation: true },
  renameEmpty: { long: "--rename-empty", help: "use empty blobs as rename source" },
  renameLimit: {
    short: "-l",
    value: "number",
    arg: "<n>",
    help: "prevent rename/copy detection if the number of rename/copy targets exceeds given limit",
  },
  minimal: { long: "--minimal", help: "produce the smallest possible diff" },
  ignoreAllSpace: {
    short: "-w",
    long: "--ignore-all-space",

    help: "ignore whitespace when comparing lines",
  },
  ignoreSpaceChange: {
    short: "-b",
    long: "--ignore-space-change",

    help: "ignore changes in amount of whitespace",
  },
  ignoreSpaceAtEol: { long: "--ignore-space-at-eol", help: "ignore changes in whitespace at EOL" },
  ignoreCrAtEol: { long: "--ignore-cr-at-eol", help: "ignore carrier-return at the end of line" },
  ignoreBlankLines: { long: "--ignore-blank-lines", help: "ignore changes whose lines are all blank" },
  ignoreMatchingLines: {
    short: "-I",
    long: "--ignore-matching-lines",
    value: "list",
    arg: "<regex>",
    help: "ignore changes whose all lines match <regex>",
    noNegation: true,
  },
  indentHeuristic: {
    long: "--indent-heuristic",

    help: "heuristic to shift diff hunk boundaries for easy reading",
  },
  patience: {
    long: "--patience",

    help: 'generate diff using the "patience diff" algorithm',
    noNegation: true,
  },
  histogram: {
    long: "--histogram",

    help: 'generate diff using the "histogram diff" algorithm',
    noNegation: true,
  },
  diffAlgorithm: {
    long: "--diff-algorithm",
    value: "string",
    arg: "<algorithm>",
    help: "choose a diff algorithm",
    noNegation: true,
  },
  anchored: {
    long: "--anchored",
    value: "list",
    arg: "<text>",
    help: 'generate diff using the "anchored diff" algorithm',
    noNegation: true,
  },
  wordDiff: {
    long: "--word-diff",
    value: "optional",
    arg: "<mode>",
    help: "show word diff, using <mode> to delimit changed words",
    noNegation: true,
  },
  wordDiffRegex: {
    long: "--word-diff-regex",
    value: "string",
    arg: "<regex>",
    help: "use <regex> to decide what a word is",
    noNegation: true,
  },
  colorWords: {
    long: "--color-words",
    value: "optional",
    arg: "<regex>",
    help: "equivalent to --word-diff=color --word-diff-regex=<regex>",
    noNegation: true,
  },
  colorMoved: {
    long: "--color-moved",
    value: "optional",
    arg: "<mode>",
    help: "moved lines of code are colored differently",
  },
  colorMovedWs: {
    long: "--color-moved-ws",
    value: "string",
    arg: "<mode>",
    help: "how white spaces are ignored in --color-moved",
  },
  relative: {
    long: "--relative",
    value: "optional",
    arg: "<prefix>",
    help: "when run from subdir, exclude changes outside and show relative paths",
  },
  text: { short: "-a", long: "--text", help: "treat all files as text" },
  swap: { short: "-R", help: "swap two inputs, reverse the diff" },
  exitCode: { long: "--exit-code", help: "exit with 1 if there were differences, 0 otherwise" },
  quiet: { long: "--quiet", help: "disable all output of the program" },
  extDiff: { long: "--ext-diff", help: "allow an external diff helper to be executed" },
  textconv: {
    long: "--textconv",

    help: "run external text conversion filters when comparing binary files",
  },
  ignoreSubmodules: {
    long: "--ignore-submodules",
    value: "optional",
    arg: "<when>",
    help: "ignore changes to submodules in the diff generation",
    noNegation: true,
  },
  submodule: {
    long: "--submodule",
    value: "optional",
    arg: "<format>",
    help: "specify how differences in submodules are shown",
    noNegation: true,
  },
  itaInvisible: {
    long: "--ita-invisible-in-index",

    help: "hide 'git add -N' entries from the index",
    noNegation: true,
  },
  itaVisible: {
    long: "--ita-visible-in-index",

    help: "treat 'git add -N' entries as real in the index",
    noNegation: true,
  },
  pickaxeString: {
    short: "-S",
    value: "string",
    arg: "<string>",
    help: "look for differences that change the number of occurrences of the specified string",
  },
  pickaxeGrep: {
    short: "-G",
    value: "string",
    arg: "<regex>",
    help: "look for differences that change the number of occurrences of the specified regex",
  },
  pickaxeAll: {
    long: "--pickaxe-all",

    help: "show all changes in the changeset with -S or -G",
    noNegation: true,
  },
  pickaxeRegex: {
    long: "--pickaxe-regex",

    help: "treat <string> in -S as extended POSIX regular expression",
    noNegation: true,
  },
  orderFile: {
    short: "-O",
    value: "string",
    arg: "<file>",
    help: "control the order in which files appear in the output",
  },
  rotateTo: {
    long: "--rotate-to",
    value: "string",
    arg: "<path>",
    help: "show the change in the specified path first",
    noNegation: true,
  },
  skipTo: {
    long: "--skip-to",
    value: "string",
    arg: "<path>",
    help: "skip the output to the specified path",
    noNegation: true,
  },
  findObject: {
    long: "--find-object",
    value: "list",
    arg: "<object-id>",
    help: "look for differences that change the number of occurrences of the specified object",
    noNegation: true,
  },
  diffFilter: {
    long: "--diff-filter",
    value: "list",
    arg: "[(A|C|D|M|R|T|U|X|B)...[*]]",
    help: "select files by diff type",
    noNegation: true,
  },
  output: { long: "--output", value: "string", arg: "<file>", help: "output to a specific file", noNegation: true },
} as const satisfies FlagTable;

export type DiffFlags = typeof diffFlags;
