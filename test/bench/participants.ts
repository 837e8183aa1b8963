/** The contenders, as data: ours first, then the peers, then the limit. */
export interface Entrant {
  id: string;
  label: string;
  /** From this folder; exports `contender`. */
  module: string;
  /** The npm package to install and to name with its version. */
  peer?: string;
  /** Not in workerd but in Node, so `module` is no part of the Worker. */
  native?: true;
  /** The only suites it takes part in; default all. */
  suites?: readonly string[];
  /** Row id → why there is no number. */
  cannot: Readonly<Record<string, string>>;
}

export const OURS = "ours";
export const LIMIT = "bare";

const AT_ONCE = { collect: "removes at once, nothing is left for later" };
const HANGS = { "grep-hard": "backtracks without bound: it would not come back" };
const SMALL_ONLY = "files above 1.5 MB need an R2 bucket beside it";
/** Rows of the suite `git` that the engine of isomorphic-git does in the column of `computer`, with a file system of its own. */
const WHOLE_COMMANDS = Object.fromEntries(
  [
    ...["clone", "status-clean", "status-edit", "commit", "log", "diff", "switch"],
    ...["wide-clone", "wide-status-clean", "wide-status-edit"],
  ].map((row) => [row, "compared in the column of computer, which uses it"]),
);

export const participants: readonly Entrant[] = [
  { id: OURS, label: "ours", module: "contenders/ours.ts", cannot: {} },
  {
    id: "beneath",
    label: "direct call",
    module: "contenders/underlying-call.ts",
    suites: ["tools"],
    cannot: {},
  },
  {
    id: "computer",
    label: "computer",
    module: "peers/computer.ts",
    peer: "@cloudflare/computer",
    suites: ["fs", "search", "git"],
    cannot: { ...AT_ONCE, ...HANGS, "index-pack": "has no command for it" },
  },
  {
    id: "isomorphic",
    label: "isomorphic-git",
    module: "peers/isomorphic-git.ts",
    peer: "isomorphic-git",
    suites: ["git"],
    cannot: WHOLE_COMMANDS,
  },
  {
    id: "shell",
    label: "shell",
    module: "peers/shell.ts",
    peer: "@cloudflare/shell",
    suites: ["fs", "search"],
    cannot: { ...AT_ONCE, ...HANGS, "large-write": SMALL_ONLY, "large-read": SMALL_ONLY },
  },
  {
    id: "agentfs",
    label: "AgentFS",
    module: "peers/agentfs.ts",
    peer: "agentfs-sdk",
    suites: ["fs"],
    cannot: { ...AT_ONCE, find: "has no find and no glob" },
  },
  {
    id: LIMIT,
    label: "bare SQL",
    module: "contenders/bare-sql.ts",
    suites: ["fs", "search"],
    cannot: { ...AT_ONCE, ...HANGS },
  },
  { id: "git", label: "native git", module: "suites/git/native-git.ts", native: true, suites: ["git"], cannot: {} },
  {
    id: "stash",
    label: "native git",
    module: "suites/history/native-past.ts",
    native: true,
    suites: ["history"],
    cannot: {},
  },
  {
    id: "copy",
    label: "full copy",
    module: "suites/history/native-past.ts",
    native: true,
    suites: ["history"],
    cannot: {},
  },
  {
    id: "bash",
    label: "native bash",
    module: "suites/shell/native-bash.ts",
    native: true,
    suites: ["shell"],
    cannot: {},
  },
  { id: "rg", label: "native rg", module: "suites/search/native-rg.ts", native: true, suites: ["search"], cannot: {} },
];

export function takesPart({ suites }: Entrant, suite: string): boolean {
  return suites === undefined || suites.includes(suite);
}

/** The name of a contender's Durable Object class and of its binding. */
export function className(entrant: Entrant): string {
  return `Bench_${entrant.id}`;
}
