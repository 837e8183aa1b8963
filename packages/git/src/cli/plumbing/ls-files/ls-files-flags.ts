/** The flags of `git ls-files`, in the order of its usage. */
import type { FlagTable } from "../../framework/flag-table.ts";

export const lsFilesFlags = {
  nul: { short: "-z", help: "separate paths with the NUL character" },
  tags: { short: "-t", help: "identify the file status with tags" },
  lowercase: { short: "-v", help: "use lowercase letters for 'assume unchanged' files" },
  fsmonitor: { short: "-f", help: "use lowercase letters for 'fsmonitor clean' files" },
  cached: { short: "-c", long: "--cached", help: "show cached files in the output (default)" },
  deleted: { short: "-d", long: "--deleted", help: "show deleted files in the output" },
  modified: { short: "-m", long: "--modified", help: "show modified files in the output" },
  others: { short: "-o", long: "--others", help: "show other files in the output" },
  ignored: { short: "-i", long: "--ignored", help: "show ignored files in the output" },
  stage: { short: "-s", long: "--stage", help: "show staged contents' object name in the output" },
  killed: {
    short: "-k",
    long: "--killed",

    help: "show files on the filesystem that need to be removed",
  },
  directory: { long: "--directory", help: "show 'other' directories' names only" },
  eol: { long: "--eol", help: "show line endings of files" },
  emptyDirectory: { long: "--empty-directory", help: "don't show empty directories" },
  unmerged: { short: "-u", long: "--unmerged", help: "show unmerged files in the output" },
  resolveUndo: { long: "--resolve-undo", help: "show resolve-undo information" },
  exclude: { short: "-x", long: "--exclude", value: "list", arg: "<pattern>", help: "skip files matching pattern" },
  excludeFrom: {
    short: "-X",
    long: "--exclude-from",
    value: "list",
    arg: "<file>",
    help: "read exclude patterns from <file>",
  },
  excludePerDirectory: {
    long: "--exclude-per-directory",
    value: "string",
    arg: "<file>",
    help: "read additional per-directory exclude patterns in <file>",
  },
  excludeStandard: { long: "--exclude-standard", help: "add the standard git exclusions" },
  fullName: { long: "--full-name", help: "make the output relative to the project top directory" },
  recurseSubmodules: { long: "--recurse-submodules", help: "recurse through submodules" },
  errorUnmatch: {
    long: "--error-unmatch",

    help: "if any <file> is not in the index, treat this as an error",
  },
  withTree: {
    long: "--with-tree",
    value: "string",
    arg: "<tree-ish>",
    help: "pretend that paths removed since <tree-ish> are still present",
  },
  abbrev: { long: "--abbrev", value: "optional", arg: "<n>", help: "use <n> digits to display object names" },
  debug: { long: "--debug", help: "show debugging data" },
  deduplicate: { long: "--deduplicate", help: "suppress duplicate entries" },
  sparse: { long: "--sparse", help: "show sparse directories in the presence of a sparse index" },
  format: { long: "--format", value: "string", arg: "<format>", help: "format to use for the output" },
} as const satisfies FlagTable;
