/** The flags of `git fetch`, in the order of its usage. */
import { addressFlags, fetchOnlyFlags, fetchRarerFlags, uploadFlags } from "../../flags/transport-flags.ts";
import type { FlagTable } from "../../framework/flag-table.ts";

export const fetchFlags = {
  verbose: { short: "-v", long: "--verbose", value: "count", help: "be more verbose" },
  quiet: { short: "-q", long: "--quiet", help: "be more quiet" },
  all: { long: "--all", help: "fetch from all remotes" },
  setUpstream: { long: "--set-upstream", help: "set upstream for git pull/fetch" },
  append: { short: "-a", long: "--append", help: "append to .git/FETCH_HEAD instead of overwriting" },
  atomic: { long: "--atomic", help: "use atomic transaction to update references" },
  force: { short: "-f", long: "--force", help: "force overwrite of local reference" },
  multiple: { short: "-m", long: "--multiple", help: "fetch from multiple remotes" },
  tags: { short: "-t", long: "--tags", help: "fetch all tags and associated objects" },
  noTags: { short: "-n", help: "do not fetch all tags (--no-tags)" },
  jobs: { short: "-j", long: "--jobs", value: "number", arg: "<n>", help: "number of submodules fetched in parallel" },
  prune: { short: "-p", long: "--prune", help: "prune remote-tracking branches no longer on remote" },
  pruneTags: {
    short: "-P",
    long: "--prune-tags",

    help: "prune local tags no longer on remote and clobber changed tags",
  },
  dryRun: { long: "--dry-run", help: "dry run" },
  writeFetchHead: {
    long: "--write-fetch-head",

    help: "write fetched references to the FETCH_HEAD file",
  },
  keep: { short: "-k", long: "--keep", help: "keep downloaded pack" },
  updateHeadOk: { short: "-u", long: "--update-head-ok", help: "allow updating of HEAD ref" },
  progress: { long: "--progress", help: "force progress reporting" },
  depth: { long: "--depth", value: "string", arg: "<depth>", help: "deepen history of shallow clone" },
  deepen: { long: "--deepen", value: "string", arg: "<n>", help: "deepen history of shallow clone" },
  shallowSince: {
    long: "--shallow-since",
    value: "string",
    arg: "<time>",
    help: "deepen history of shallow repository based on time",
  },
  shallowExclude: {
    long: "--shallow-exclude",
    value: "list",
    arg: "<revision>",
    help: "deepen history of shallow clone, excluding rev",
  },
  unshallow: { long: "--unshallow", help: "convert to a complete repository" },
  updateShallow: { long: "--update-shallow", help: "accept refs that update .git/shallow" },
  ...fetchOnlyFlags,
  ...fetchRarerFlags,
  ...uploadFlags,
  ...addressFlags,
} as const satisfies FlagTable;

/** The argument table of `fetch` and `remote update`. */
export const fetchArguments = {
  usage: [
    "git fetch [<options>] [<repository> [<refspec>...]]",
    "git fetch [<options>] <group>",
    "git fetch --multiple [<options>] [(<repository> | <group>)...]",
    "git fetch --all [<options>]",
  ],
  flags: fetchFlags,
};
