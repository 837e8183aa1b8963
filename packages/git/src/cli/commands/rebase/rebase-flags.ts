/** The table of options of `git rebase`. */
import type { FlagTable } from "../../framework/flag-table.ts";

export const rebaseFlags = {
  onto: { long: "--onto", value: "string", arg: "<revision>", help: "rebase onto given branch instead of upstream" },
  keepBase: {
    long: "--keep-base",

    help: "use the merge-base of upstream and branch as the current base",
  },
  noVerify: { long: "--no-verify", help: "allow pre-rebase hook to run" },
  quiet: { short: "-q", long: "--quiet", help: "be quiet. implies --no-stat" },
  verbose: { short: "-v", long: "--verbose", help: "display a diffstat of what changed upstream" },
  noStat: {
    short: "-n",
    long: "--no-stat",

    help: "do not show diffstat of what changed upstream",
    noNegation: true,
  },
  stat: { long: "--stat", help: "show a diffstat of what changed upstream", noNegation: true },
  signoff: { long: "--signoff", help: "add a Signed-off-by trailer to each commit" },
  committerDateIsAuthorDate: {
    long: "--committer-date-is-author-date",

    help: "make committer date match author date",
  },
  resetAuthorDate: { long: "--reset-author-date", help: "ignore author date and use current date" },
  ignoreDate: { long: "--ignore-date", help: "synonym of --reset-author-date" },
  ignoreWhitespace: { long: "--ignore-whitespace", help: "ignore changes in whitespace" },
  force: { short: "-f", long: "--force-rebase", help: "cherry-pick all commits, even if unchanged" },
  noFf: { long: "--no-ff", help: "cherry-pick all commits, even if unchanged", noNegation: true },
  ff: { long: "--ff", help: "allow fast-forward", hidden: true, noNegation: true },
  continue: { long: "--continue", help: "continue", noNegation: true },
  skip: { long: "--skip", help: "skip current patch and continue", noNegation: true },
  abort: { long: "--abort", help: "abort and check out the original branch", noNegation: true },
  quit: { long: "--quit", help: "abort but keep HEAD where it is", noNegation: true },
  editTodo: {
    long: "--edit-todo",

    help: "edit the todo list during an interactive rebase",
    noNegation: true,
  },
  showCurrentPatch: {
    long: "--show-current-patch",

    help: "show the patch file being applied or merged",
    noNegation: true,
  },
  apply: { long: "--apply", help: "use apply strategies to rebase", noNegation: true },
  merge: { short: "-m", long: "--merge", help: "use merging strategies to rebase", noNegation: true },
  interactive: {
    short: "-i",
    long: "--interactive",

    help: "let the user edit the list of commits to rebase",
    noNegation: true,
  },
  empty: { long: "--empty", value: "string", arg: "(drop|keep|ask)", help: "how to handle commits that become empty" },
  keepEmpty: { short: "-k", long: "--keep-empty", help: "keep commits which start empty" },
  autosquash: { long: "--autosquash", help: "move commits that begin with squash!/fixup! under -i" },
  updateRefs: {
    long: "--update-refs",

    help: "update branches that point to commits that are being rebased",
  },
  gpgSign: { short: "-S", long: "--gpg-sign", value: "optional", arg: "<key-id>", help: "GPG-sign commits" },
  autostash: { long: "--autostash", help: "automatically stash/stash pop before and after" },
  exec: {
    short: "-x",
    long: "--exec",
    value: "list",
    arg: "<exec>",
    help: "add exec lines after each commit of the editable list",
  },
  rebaseMerges: {
    short: "-r",
    long: "--rebase-merges",
    value: "optional",
    arg: "<mode>",
    help: "try to rebase merges instead of skipping them",
  },
  forkPoint: { long: "--fork-point", help: "use 'merge-base --fork-point' to refine upstream" },
  strategy: {
    short: "-s",
    long: "--strategy",
    value: "string",
    arg: "<strategy>",
    help: "use the given merge strategy",
  },
  strategyOption: {
    short: "-X",
    long: "--strategy-option",
    value: "list",
    arg: "<option>",
    help: "pass the argument through to the merge strategy",
  },
  rerereAutoupdate: {
    long: "--rerere-autoupdate",

    help: "update the index with reused conflict resolution if possible",
  },
  applyContext: {
    short: "-C",
    value: "string",
    arg: "<n>",
    help: "passed to 'git apply'",
    unsupported: "commits are merged here, not applied as patches",
  },
  whitespace: {
    long: "--whitespace",
    value: "string",
    arg: "<action>",
    help: "passed to 'git apply'",
    unsupported: "commits are merged here, not applied as patches",
  },
  root: { long: "--root", help: "rebase all reachable commits up to the root(s)" },
  rescheduleFailedExec: {
    long: "--reschedule-failed-exec",

    help: "automatically re-schedule any `exec` that fails",
  },
  reapplyCherryPicks: {
    long: "--reapply-cherry-picks",

    help: "apply all changes, even those already present upstream",
  },
} as const satisfies FlagTable;
