/** Prints `git status`, in each of its formats. `stash apply` prints it at its end. */

import { GitError } from "../../../errors.ts";
import { columnLayout, inColumns } from "../../../format/columns.ts";
import { porcelainV2, shortStatus } from "../../../format/status/status-lines.ts";
import {
  isCommittable,
  type StatusReport,
  type StatusTextOptions,
  statusText,
} from "../../../format/status/status-text.ts";
import { parsePathspec } from "../../../pathspec/pathspec.ts";
import { status as reportStatus } from "../../../porcelain/status/status.ts";
import { renameSettings } from "../../../porcelain/status/status-renames.ts";
import { decode } from "../../../text/bytes.ts";
import { ignoredMode, type StatusFormat, untrackedMode } from "../../flags/status-settings.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { FlagTable, ParsedFlags } from "../../framework/flag-table.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { diffAndPrint, diffArguments } from "../diff/diff-and-print.ts";
import { terminalColumns } from "../diff/show-diff.ts";

export const statusFlags = {
  verbose: { short: "-v", long: "--verbose", value: "count", help: "be verbose" },
  short: { short: "-s", long: "--short", help: "show status concisely" },
  branch: { short: "-b", long: "--branch", help: "show branch information" },
  showStash: { long: "--show-stash", help: "show stash information" },
  aheadBehind: { long: "--ahead-behind", help: "compute full ahead/behind values" },
  porcelain: { long: "--porcelain", value: "optional", arg: "<version>", help: "machine-readable output" },
  long: { long: "--long", help: "show status in long format (default)" },
  nul: { short: "-z", long: "--null", help: "terminate entries with NUL" },
  untracked: {
    short: "-u",
    long: "--untracked-files",
    value: "optional",
    arg: "<mode>",
    help: "show untracked files, optional modes: all, normal, no. (Default: all)",
  },
  ignored: {
    long: "--ignored",
    value: "optional",
    arg: "<mode>",
    help: "show ignored files, optional modes: traditional, matching, no. (Default: traditional)",
  },
  ignoreSubmodules: {
    long: "--ignore-submodules",
    value: "optional",
    arg: "<when>",
    help: "ignore changes to submodules, optional when: all, dirty, untracked. (Default: all)",
  },
  column: { long: "--column", value: "optional", arg: "<style>", help: "list untracked files in columns" },
  renames: { long: "--no-renames", help: "do not detect renames" },
  findRenames: {
    short: "-M",
    long: "--find-renames",
    value: "optional",
    arg: "<n>",
    help: "detect renames, optionally set similarity index",
  },
} as const satisfies FlagTable;

/** Returns the exit code. */
export async function printStatus(
  context: CommandContext,
  { flags, args, afterDashes, order }: ParsedFlags<typeof statusFlags>,
): Promise<number> {
  const repo = await context.workTree();
  const { config } = repo;
  let format: StatusFormat = "unset";
  for (const { name, value } of order) {
    if (name === "short") format = value ? "short" : "long";
    if (name === "long") format = value ? "long" : "unset";
    if (name === "porcelain") format = porcelainVersion(value);
  }
  const isPorcelain = format === "v1" || format === "v2";
  if (flags.nul && format === "long") throw new GitError("EINVAL", "options '--long' and '-z' cannot be used together");
  if (flags.nul && format === "unset") format = "v1";
  if (format === "unset") format = config.getBool("status.short") ? "short" : "long";
  const branch = flags.branch ?? (isPorcelain || format === "v1" ? false : (config.getBool("status.branch") ?? false));
  const showStash = flags.showStash ?? config.getBool("status.showstash") ?? false;
  const aheadBehind = flags.aheadBehind ?? (isPorcelain ? true : (config.getBool("status.aheadbehind") ?? true));
  const untracked = untrackedMode(config, flags.untracked);
  const ignored = ignoredMode(flags.ignored);
  if (ignored === "matching" && untracked === "no") {
    throw new GitError("EINVAL", "Unsupported combination of ignored and untracked-files arguments");
  }
  const report = await reportStatus(repo, {
    pathspec: parsePathspec(repo, [...args, ...(afterDashes ?? [])]),
    untracked,
    ignored,
    aheadBehind,
    tracking: format === "long" || branch,
    stash: showStash,
    ignoreGitlinks: flags.ignoreSubmodules === true || flags.ignoreSubmodules === "all",
    renames: renameSettings(repo, flags),
  });
  const relative = config.getBool("status.relativepaths") ?? true;
  const lines = { branch, nul: flags.nul ?? false, stash: showStash };
  if (format === "v2") context.out(porcelainV2(repo, report, { ...lines, relative: !lines.nul && relative }));
  else if (format !== "long")
    context.out(
      shortStatus(repo, report, {
        ...lines,
        relative: format === "short" && relative && !lines.nul,
        color: format === "short",
      }),
    );
  else {
    const commentPrefix = config.getBool("status.displaycommentprefix") ?? false;
    const layout = columnLayout(config, "status", flags.column);
    const width = terminalColumns(context);
    const columns: StatusTextOptions["columns"] =
      layout && ((names, line) => inColumns(names, layout, { width, ...line }));
    const patches = await patchesOf(context, report, flags.verbose ?? 0);
    context.out(statusText(repo, report, { untracked, ignored, relative, showStash, commentPrefix, columns, patches }));
  }
  return 0;
}

/** `-v`: staged changes as a patch; `-vv`: unstaged ones too. Paths decide whether there is a patch, but do not limit it. */
async function patchesOf(context: CommandContext, report: StatusReport, verbose: number): Promise<string> {
  if (verbose === 0) return "";
  const patch = async (...words: string[]) => {
    let text = "";
    const out = (data: string | Uint8Array) => void (text += typeof data === "string" ? data : decode(data));
    await diffAndPrint({ ...context, out }, parseFlags(diffArguments, ["--no-ext-diff", ...words]));
    return text;
  };
  if (verbose === 1) return patch("--cached");
  const staged = isCommittable(report)
    ? `Changes to be committed:\n${await patch("--cached", "--src-prefix=c/", "--dst-prefix=i/")}`
    : await patch("--cached");
  if (report.entries.every(({ unstaged }) => unstaged === " ")) return staged;
  const edited = await patch("--src-prefix=i/", "--dst-prefix=w/");
  return `${staged}${"-".repeat(50)}\nChanges not staged for commit:\n${edited}`;
}

function porcelainVersion(value: string | boolean): StatusFormat {
  if (value === false) return "unset";
  if (value === true || value === "1" || value === "v1") return "v1";
  if (value === "2" || value === "v2") return "v2";
  throw new GitError("EINVAL", `unsupported porcelain version '${value}'`);
}
