/** The table of options that select commits. */
import type { FlagTable } from "../framework/flag-table.ts";

export const revisionFlags = {
  maxCount: { long: "--max-count", short: "-n", value: "string", arg: "<number>", help: "limit the number of commits" },
  maxCountNumber: { short: "-NUM", value: "number", help: "limit the number of commits", hidden: true },
  skip: { long: "--skip", value: "string", arg: "<number>", help: "skip so many commits" },
  since: { long: "--since", value: "string", arg: "<date>", help: "commits more recent than a date" },
  after: { long: "--after", value: "string", arg: "<date>", help: "synonym for --since", hidden: true },
  sinceAsFilter: { long: "--since-as-filter", value: "string", arg: "<date>", help: "visit all, show the more recent" },
  until: { long: "--until", value: "string", arg: "<date>", help: "commits older than a date" },
  before: { long: "--before", value: "string", arg: "<date>", help: "synonym for --until", hidden: true },
  maxAge: { long: "--max-age", value: "string", arg: "<seconds>", help: "not older than a time" },
  minAge: { long: "--min-age", value: "string", arg: "<seconds>", help: "not younger than a time" },
  author: { long: "--author", value: "list", arg: "<pattern>", help: "commits whose author matches" },
  committer: { long: "--committer", value: "list", arg: "<pattern>", help: "commits whose committer matches" },
  grepReflog: { long: "--grep-reflog", value: "list", arg: "<pattern>", help: "with -g: reflog entries that match" },
  grep: { long: "--grep", value: "list", arg: "<pattern>", help: "commits whose message matches" },
  allMatch: { long: "--all-match", help: "every --grep must match" },
  invertGrep: { long: "--invert-grep", help: "commits whose message does not match" },
  ignoreCase: { long: "--regexp-ignore-case", short: "-i", help: "never mind case in patterns" },
  basicRegexp: { long: "--basic-regexp", help: "patterns are basic regular expressions (default)" },
  extendedRegexp: {
    long: "--extended-regexp",
    short: "-E",

    help: "patterns are extended regular expressions",
  },
  fixedStrings: { long: "--fixed-strings", short: "-F", help: "patterns are plain text" },
  perlRegexp: { long: "--perl-regexp", short: "-P", help: "patterns are Perl's regular expressions" },
  removeEmpty: { long: "--remove-empty", help: "stop when a path disappears", noNegation: true },
  merges: { long: "--merges", help: "only merges" },
  minParents: { long: "--min-parents", value: "optional", arg: "<number>", help: "at least so many parents" },
  maxParents: { long: "--max-parents", value: "optional", arg: "<number>", help: "at most so many parents" },
  firstParent: {
    long: "--first-parent",

    help: "follow only the first parent of a merge",
    noNegation: true,
  },
  excludeFirstParentOnly: {
    long: "--exclude-first-parent-only",

    help: "follow only the first parents of what is left out",
    noNegation: true,
  },
  not: { long: "--not", help: "turn around the meaning of ^ for what follows", noNegation: true },
  all: { long: "--all", help: "all refs, and HEAD", noNegation: true },
  branches: { long: "--branches", value: "optional", arg: "<pattern>", help: "all branches", noNegation: true },
  tags: { long: "--tags", value: "optional", arg: "<pattern>", help: "all tags", noNegation: true },
  remotes: {
    long: "--remotes",
    value: "optional",
    arg: "<pattern>",
    help: "all remote-tracking branches",
    noNegation: true,
  },
  glob: { long: "--glob", value: "list", arg: "<pattern>", help: "refs that match", noNegation: true },
  exclude: {
    long: "--exclude",
    value: "list",
    arg: "<pattern>",
    help: "leave refs out of the next option",
    noNegation: true,
  },
  reflog: { long: "--reflog", help: "all that reflogs speak of", noNegation: true },
  alternateRefs: { long: "--alternate-refs", help: "tips of alternates", noNegation: true },
  singleWorktree: { long: "--single-worktree", help: "this work tree only", noNegation: true },
  ignoreMissing: {
    long: "--ignore-missing",

    help: "pretend that what is missing was not given",
    noNegation: true,
  },
  stdin: { long: "--stdin", help: "read more from standard input", noNegation: true },
  cherryMark: { long: "--cherry-mark", help: "mark equal changes with =", noNegation: true },
  cherryPick: {
    long: "--cherry-pick",

    help: "leave out equal changes of the other side",
    noNegation: true,
  },
  leftOnly: { long: "--left-only", help: "only the left side of a...b", noNegation: true },
  rightOnly: { long: "--right-only", help: "only the right side of a...b", noNegation: true },
  cherry: { long: "--cherry", help: "--right-only --cherry-mark --no-merges", noNegation: true },
  walkReflogs: { long: "--walk-reflogs", short: "-g", help: "walk reflog entries", noNegation: true },
  merge: { long: "--merge", help: "after a failed merge: refs that touch conflicts", noNegation: true },
  boundary: { long: "--boundary", help: "show the edge too", noNegation: true },
  simplifyByDecoration: {
    long: "--simplify-by-decoration",

    help: "only commits that refs point at",
    noNegation: true,
  },
  showPulls: { long: "--show-pulls", help: "show merges that brought a change in", noNegation: true },
  fullHistory: { long: "--full-history", help: "do not prune history", noNegation: true },
  dense: { long: "--dense", help: "only the selected commits", noNegation: true },
  sparse: { long: "--sparse", help: "all commits of the simplified history", noNegation: true },
  simplifyMerges: { long: "--simplify-merges", help: "remove needless merges", noNegation: true },
  ancestryPath: {
    long: "--ancestry-path",
    value: "optional",
    arg: "<commit>",
    help: "only what lies between",
    noNegation: true,
  },
  dateOrder: {
    long: "--date-order",

    help: "no parent before its children, else by time",
    noNegation: true,
  },
  authorDateOrder: {
    long: "--author-date-order",

    help: "as --date-order, by the author's time",
    noNegation: true,
  },
  topoOrder: {
    long: "--topo-order",

    help: "no parent before its children, lines not mixed",
    noNegation: true,
  },
  reverse: { long: "--reverse", help: "oldest first", noNegation: true },
  noWalk: {
    long: "--no-walk",
    value: "optional",
    arg: "sorted|unsorted",
    help: "show what is given, follow nothing",
    noNegation: true,
  },
  doWalk: { long: "--do-walk", help: "undo --no-walk", noNegation: true },
  parents: { long: "--parents", help: "show the parents too", noNegation: true },
  children: { long: "--children", help: "show the children too", noNegation: true },
  leftRight: { long: "--left-right", help: "mark the sides of a...b", noNegation: true },
} as const satisfies FlagTable;

export type RevisionFlags = typeof revisionFlags;
