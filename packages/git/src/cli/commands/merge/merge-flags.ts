/** The table of options of `git merge`. */
import type { FlagTable } from "../../framework/flag-table.ts";

export const mergeFlags = {
  noStat: { short: "-n", help: "do not show a diffstat at the end of the merge" },
  stat: { long: "--stat", help: "show a diffstat at the end of the merge" },
  summary: { long: "--summary", help: "(synonym to --stat)" },
  log: {
    long: "--log",
    value: "optional",
    arg: "<n>",
    help: "add (at most <n>) entries from shortlog to merge commit message",
  },
  squash: { long: "--squash", help: "create a single commit instead of doing a merge" },
  commit: { long: "--commit", help: "perform a commit if the merge succeeds (default)" },
  edit: { short: "-e", long: "--edit", help: "edit message before committing" },
  cleanup: {
    long: "--cleanup",
    value: "string",
    arg: "<mode>",
    help: "how to strip spaces and #comments from message",
  },
  ff: { long: "--ff", help: "allow fast-forward (default)" },
  ffOnly: { long: "--ff-only", help: "abort if fast-forward is not possible", noNegation: true },
  rerereAutoupdate: {
    long: "--rerere-autoupdate",

    help: "update the index with reused conflict resolution if possible",
  },
  verifySignatures: {
    long: "--verify-signatures",

    help: "verify that the named commit has a valid GPG signature",
  },
  strategy: { short: "-s", long: "--strategy", value: "list", arg: "<strategy>", help: "merge strategy to use" },
  strategyOption: {
    short: "-X",
    long: "--strategy-option",
    value: "list",
    arg: "<option=value>",
    help: "option for selected merge strategy",
  },
  message: {
    short: "-m",
    long: "--message",
    value: "list",
    arg: "<message>",
    help: "merge commit message (for a non-fast-forward merge)",
  },
  file: { short: "-F", long: "--file", value: "string", arg: "<path>", help: "read message from file" },
  intoName: { long: "--into-name", value: "string", arg: "<name>", help: "use <name> instead of the real target" },
  verbose: { short: "-v", long: "--verbose", value: "count", help: "be more verbose" },
  quiet: { short: "-q", long: "--quiet", value: "count", help: "be more quiet" },
  abort: { long: "--abort", help: "abort the current in-progress merge" },
  quit: { long: "--quit", help: "--abort but leave index and working tree alone" },
  continue: { long: "--continue", help: "continue the current in-progress merge" },
  allowUnrelated: { long: "--allow-unrelated-histories", help: "allow merging unrelated histories" },
  progress: { long: "--progress", help: "force progress reporting" },
  gpgSign: { short: "-S", long: "--gpg-sign", value: "optional", arg: "<key-id>", help: "GPG sign commit" },
  autostash: { long: "--autostash", help: "automatically stash/stash pop before and after" },
  overwriteIgnore: { long: "--overwrite-ignore", help: "update ignored files (default)" },
  signoff: { long: "--signoff", help: "add a Signed-off-by trailer" },
  noVerify: { long: "--no-verify", help: "bypass pre-merge-commit and commit-msg hooks" },
} as const satisfies FlagTable;
