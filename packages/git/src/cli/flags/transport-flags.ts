/** Flags of all commands that talk to another repository; they have little or no effect here. */
import type { FlagTable } from "../framework/flag-table.ts";

const PROGRAM = "no program is run at the other end";

/** The address family cannot be chosen here. */
export const addressFlags = {
  ipv4: { short: "-4", long: "--ipv4", help: "use IPv4 addresses only" },
  ipv6: { short: "-6", long: "--ipv6", help: "use IPv6 addresses only" },
} as const satisfies FlagTable;

export const uploadFlags = {
  uploadPack: {
    long: "--upload-pack",
    value: "string",
    arg: "<path>",
    help: "path to upload pack on remote end",
    unsupported: PROGRAM,
  },
  serverOption: {
    long: "--server-option",
    value: "list",
    arg: "<server-specific>",
    help: "option to transmit",
    unsupported: "",
  },
} as const satisfies FlagTable;

export const receiveFlags = {
  receivePack: {
    long: "--receive-pack",
    value: "string",
    arg: "<receive-pack>",
    help: "receive pack program",
    unsupported: PROGRAM,
  },
  exec: { long: "--exec", value: "string", arg: "<receive-pack>", help: "receive pack program", unsupported: PROGRAM },
  signed: {
    long: "--signed",
    value: "optional",
    arg: "(yes|no|if-asked)",
    help: "GPG sign the push",
    unsupported: "nothing is signed",
  },
  forceIfIncludes: {
    long: "--force-if-includes",

    help: "require remote updates to be integrated locally",
  },
  recurseSubmodules: {
    long: "--recurse-submodules",
    value: "string",
    arg: "(check|on-demand|no)",
    help: "control recursive pushing of submodules",
  },
  ...addressFlags,
} as const satisfies FlagTable;

/** Flags of `fetch`, and of `pull` as far as it has them. */
export const fetchOnlyFlags = {
  recurseSubmodules: {
    long: "--recurse-submodules",
    value: "optional",
    arg: "<on-demand>",
    help: "control recursive fetching of submodules",
  },
  refmap: {
    long: "--refmap",
    value: "list",
    arg: "<refmap>",
    help: "specify fetch refmap",
  },
  negotiationTip: {
    long: "--negotiation-tip",
    value: "list",
    arg: "<revision>",
    help: "report that we have only objects reachable from this object",
  },
  showForcedUpdates: {
    long: "--show-forced-updates",

    help: "check for forced-updates on all updated branches",
  },
} as const satisfies FlagTable;

export const fetchRarerFlags = {
  refetch: { long: "--refetch", help: "re-fetch without negotiating common commits", unsupported: "" },
  prefetch: {
    long: "--prefetch",

    help: "modify the refspec to place all refs within refs/prefetch/",
    unsupported: "",
  },
  negotiateOnly: {
    long: "--negotiate-only",

    help: "do not fetch a packfile; instead, print ancestors of negotiation tips",
    unsupported: "",
  },
  filter: {
    long: "--filter",
    value: "string",
    arg: "<args>",
    help: "object filtering",
    unsupported: "a clone made with --filter keeps its filter",
  },
  stdin: { long: "--stdin", help: "accept refspecs from stdin", unsupported: "name them as arguments" },
  autoMaintenance: { long: "--auto-maintenance", help: "run 'maintenance --auto' after fetching" },
  autoGc: { long: "--auto-gc", help: "run 'maintenance --auto' after fetching" },
  writeCommitGraph: { long: "--write-commit-graph", help: "write the commit-graph after fetching" },
} as const satisfies FlagTable;

export const cloneOnlyFlags = {
  hardlinks: { long: "--hardlinks", help: "use local hardlinks, copy otherwise (always copied here)" },
  rejectShallow: { long: "--reject-shallow", help: "don't clone shallow repository" },
  shared: {
    short: "-s",
    long: "--shared",

    help: "setup as shared repository",
    unsupported: "objects are always copied",
  },
  reference: {
    long: "--reference",
    value: "list",
    arg: "<repo>",
    help: "reference repository",
    unsupported: "objects are always copied",
  },
  referenceIfAble: {
    long: "--reference-if-able",
    value: "list",
    arg: "<repo>",
    help: "reference repository",
    unsupported: "objects are always copied",
  },
  dissociate: { long: "--dissociate", help: "use --reference only while cloning" },
  separateGitDir: {
    long: "--separate-git-dir",
    value: "string",
    arg: "<gitdir>",
    help: "separate git dir from working tree",
    unsupported: "",
  },
  sparse: {
    long: "--sparse",

    help: "initialize sparse-checkout file to include only files at root",
    unsupported: "all files are checked out",
  },
  bundleUri: {
    long: "--bundle-uri",
    value: "string",
    arg: "<uri>",
    help: "a URI for downloading bundles before fetching from origin remote",
    unsupported: "",
  },
  recurseSubmodules: {
    long: "--recurse-submodules",
    value: "optional",
    arg: "<pathspec>",
    help: "initialize submodules in the clone (they are left alone here)",
  },
  recursive: { long: "--recursive", value: "optional", arg: "<pathspec>", help: "alias of --recurse-submodules" },
  shallowSubmodules: {
    long: "--shallow-submodules",

    help: "any cloned submodules will be shallow",
  },
  remoteSubmodules: {
    long: "--remote-submodules",

    help: "any cloned submodules will use their remote-tracking branch",
  },
  alsoFilterSubmodules: {
    long: "--also-filter-submodules",

    help: "apply partial clone filters to submodules",
  },
} as const satisfies FlagTable;
