/**
 * The folders of packages/git/src by layer, lowest first. git-layers.test.ts enforces them, and docs/architecture.md shows them
 * (scripts/documents.mjs). Only data, so that the script can import this file.
 */

export interface Layer {
  readonly folders: readonly string[];
  readonly what: string;
  /** The folders it may import, if not its own layer and all layers below. `type:` for types only. */
  readonly imports?: readonly string[];
}

/** Files directly in packages/git/src: host, errors, limits, repository, lock-file. */
export const CONTRACTS = "contracts";

export const GIT_LAYERS: readonly Layer[] = [
  {
    folders: [CONTRACTS],
    what: "the interfaces of host and repository, errors, limits: the files of `src` itself",
    imports: ["text", "type:config", "type:object", "type:odb", "type:refs", "type:repository"],
  },
  { folders: ["text"], what: "bytes, encodings, paths", imports: [CONTRACTS, "type:config"] },
  { folders: ["zlib", "memory", "regex", "date"], what: "algorithms and data structures that know nothing of git" },
  { folders: ["object", "hash", "config", "refs", "pack", "odb"], what: "what lies in `.git`, except the index" },
  {
    folders: ["attributes", "convert", "ignore", "pathspec", "index", "message"],
    what: "the index, and which path is treated how",
  },
  { folders: ["repository"], what: "opens, creates, locks and caches a repository" },
  {
    folders: ["revision", "diff", "merge", "worktree", "wire"],
    what: "walks, comparisons, merges, checkouts, transfers",
  },
  { folders: ["patch", "pretty"], what: "unified diffs and layouts of commits" },
  { folders: ["porcelain"], what: "what a verb does, as data; a file or a folder per verb" },
  { folders: ["api"], what: "the typed methods; neither command line nor text" },
  { folders: ["format"], what: "the text of results" },
  {
    folders: ["cli/framework"],
    what: "flag tables, parser, usage, aliases; knows no command",
    imports: [CONTRACTS, "text", "config"],
  },
  { folders: ["cli/flags"], what: "flags that several commands share" },
  { folders: ["cli/commands"], what: "main commands: flags to options, result to text" },
  { folders: ["cli/plumbing"], what: "the same for what git lists as plumbing" },
  {
    folders: ["cli"],
    what: "`createGit`: the typed methods and the command line; the list of commands, and the run of one command line",
  },
];

/** Imports that break the layers until the code moves: `file → imported file`, from packages/git/src. */
export const LAYER_EXCEPTIONS: readonly string[] = ["porcelain/status/status.ts → format/status/status-text.ts"];

/** A command calls porcelain, or a function that prints, and not another command. Exceptions: `file → imported command`, from packages/git/src/cli. */
export const COMMAND_EXCEPTIONS: readonly string[] = [];
