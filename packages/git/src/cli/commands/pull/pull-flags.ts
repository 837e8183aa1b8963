/** The options of `git pull`: its own, those of merge and those of fetch. */

import { addressFlags, fetchOnlyFlags, uploadFlags } from "../../flags/transport-flags.ts";
import type { FlagTable } from "../../framework/flag-table.ts";
import { fetchFlags } from "../fetch/fetch-flags.ts";
import { mergeFlags } from "../merge/merge-flags.ts";

const { noStat, stat, summary, log, signoff, squash, commit, edit, cleanup, ff, ffOnly } = mergeFlags;
const { verifySignatures, autostash, strategy, strategyOption, gpgSign, allowUnrelated } = mergeFlags;
const { all, append, force, tags, prune, dryRun, keep, depth, shallowSince, shallowExclude, deepen } = fetchFlags;
const { unshallow, updateShallow, setUpstream } = fetchFlags;

/** Passed to merge unchanged. */
export const pullMergeFlags = {
  noStat,
  stat,
  summary,
  log,
  signoff,
  squash,
  commit,
  // Without -e, which a pull does not have.
  edit: { long: edit.long, help: edit.help },
  cleanup,
  ff,
  ffOnly,
  verifySignatures,
  autostash,
  strategy,
  strategyOption,
  gpgSign,
  allowUnrelated,
} as const satisfies FlagTable;

/** Passed to fetch unchanged. */
export const pullFetchFlags = {
  all,
  append,
  force,
  tags,
  prune,
  dryRun,
  keep,
  depth,
  shallowSince,
  shallowExclude,
  deepen,
  unshallow,
  updateShallow,
  setUpstream,
} as const satisfies FlagTable;

export const pullFlags = {
  verbose: { short: "-v", long: "--verbose", value: "count", help: "be more verbose" },
  quiet: { short: "-q", long: "--quiet", value: "count", help: "be more quiet" },
  progress: { long: "--progress", help: "force progress reporting" },
  rebase: {
    short: "-r",
    long: "--rebase",
    value: "optional",
    arg: "(false|true|merges|interactive)",
    help: "incorporate changes by rebasing rather than merging",
  },
  ...pullMergeFlags,
  verify: { long: "--verify", help: "control use of pre-merge-commit and commit-msg hooks" },
  ...pullFetchFlags,
  ...fetchOnlyFlags,
  ...uploadFlags,
  ...addressFlags,
  jobs: { short: "-j", long: "--jobs", value: "optional", arg: "<n>", help: "number of submodules pulled in parallel" },
} as const satisfies FlagTable;
