/** One repository, opened for one command: where it is, and the parts that read and write it. */
import type { GitConfig } from "./config/git-config.ts";
import type { GitHost } from "./host.ts";
import type { GitLimits } from "./limits.ts";
import type { ObjectDatabase } from "./object-database.ts";
import type { Oid } from "./oid.ts";
import type { RefStore } from "./ref-store.ts";

export interface Repository {
  readonly host: GitHost;
  readonly fs: GitHost["fs"];
  readonly limits: GitLimits;
  /** Absolute. */
  readonly gitDir: string;
  /** Absolute; null: bare. */
  readonly workTree: string | null;
  /** Where the command stands in the work tree: "" at its top, else "dir/sub/". */
  readonly prefix: string;
  /** Where it was begun, before `-C`: a directory that is kept; absent: `prefix`. */
  readonly originalCwd?: string;
  readonly indexPath: string;
  /** What the command was given: identity, dates and TZ come from here. */
  readonly env: Readonly<Record<string, string>>;
  readonly config: GitConfig;
  readonly odb: ObjectDatabase;
  readonly refs: RefStore;
  /** Where refs, objects and config are when this is a linked work tree; absent: `gitDir`. */
  readonly commonDir?: string;
  /** By configuration: a repository can be not bare and have no work tree here, inside of its git directory. */
  readonly bare?: boolean;
  /** As git would print it: ".git" at the top of the work tree. */
  readonly displayGitDir?: string;
  /** Where history is cut off, when it is not to be what `.git/shallow` says: a fetch is proved before it is written there. */
  readonly shallow?: ReadonlySet<Oid>;
  /** For pathspecs that ask for attributes; absent: none was typed. */
  readonly attributeOf?: (path: string, name: string) => string | boolean | null | undefined;
  /** What the index holds at a path, by stage: for `:path` and `:1:path`, which are read below the index's own room. */
  readonly readIndexEntries?: (path: string) => Promise<readonly { stage: number; mode: number; oid: Oid }[]>;
  /** What is staged under that name in any directory and marked to be missing (skip-worktree), by path: its content counts all the same. */
  readonly skipWorktreeFiles?: (name: string) => Promise<ReadonlyMap<string, Oid>>;
  /** Takes what git says on the side, with its prefix, "warning" by default; absent: it is dropped. */
  readonly warn?: (text: string, prefix?: "warning" | "error" | "hint" | "") => void;
}

export interface OpenOptions {
  /** Absolute; the repository is looked for here and above. */
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** Somebody named the place, so that a bare repository there is meant, whatever `safe.bareRepository` says. */
  isMeant?: boolean;
  /** `--git-dir`, `--work-tree`: win over the environment. */
  gitDir?: string;
  workTree?: string;
  /** `-c name=value`, in order. */
  config?: readonly { key: string; value: string | null }[];
  /** For a partial clone: brings what its remote promised; absent: what is not here is missing. */
  fetchPromised?: (repo: Repository, oids: readonly Oid[]) => Promise<void>;
  /** As in `Repository`. */
  warn?: (text: string, prefix?: "warning" | "error" | "hint" | "") => void;
}
