/** One repository, opened for one command: its location, and the parts that read and write it. */
import type { GitConfig } from "./config/git-config.ts";
import type { GitHost } from "./host.ts";
import type { GitLimits } from "./limits.ts";
import type { Oid } from "./object/oid.ts";
import type { ObjectDatabase } from "./odb/object-database.ts";
import type { RefStore } from "./refs/ref-store.ts";

export interface Repository {
  readonly host: GitHost;
  readonly fs: GitHost["fs"];
  readonly limits: GitLimits;
  /** Absolute. */
  readonly gitDir: string;
  /** Absolute; null: bare. */
  readonly workTree: string | null;
  /** The command's directory in the work tree: "" at its top, else "dir/sub/". */
  readonly prefix: string;
  /** The command's directory before `-C`, which must not be removed; absent: `prefix`. */
  readonly originalCwd?: string;
  readonly indexPath: string;
  /** The command's environment: identity, dates and TZ come from here. */
  readonly env: Readonly<Record<string, string>>;
  readonly config: GitConfig;
  readonly odb: ObjectDatabase;
  readonly refs: RefStore;
  /** Location of refs, objects and config for a linked work tree; absent: `gitDir`. */
  readonly commonDir?: string;
  /** By configuration: a repository that is not bare has no work tree if opened inside its git directory. */
  readonly bare?: boolean;
  /** As git would print it: ".git" at the top of the work tree. */
  readonly displayGitDir?: string;
  /** Overrides `.git/shallow` as the history's boundary: a fetch is verified before the file is written. */
  readonly shallow?: ReadonlySet<Oid>;
  /** For pathspecs with attributes; absent: there are none. */
  readonly attributeOf?: (path: string, name: string) => string | boolean | null | undefined;
  /** Index entries at a path, by stage: for `:path` and `:1:path`, which are resolved below the index's layer. */
  readonly readIndexEntries?: (path: string) => Promise<readonly { stage: number; mode: number; oid: Oid }[]>;
  /** Index entries of that name in any directory that are marked skip-worktree, by path: their content still counts. */
  readonly skipWorktreeFiles?: (name: string) => Promise<ReadonlyMap<string, Oid>>;
  /** Receives git's diagnostics, with their prefix, "warning" by default; absent: they are dropped. */
  readonly warn?: (text: string, prefix?: "warning" | "error" | "hint" | "") => void;
}

export interface OpenOptions {
  /** Absolute; the search for the repository starts here and goes up. */
  cwd: string;
  env?: Readonly<Record<string, string>>;
  /** The location is explicit, so a bare repository there is accepted, whatever `safe.bareRepository` says. */
  isMeant?: boolean;
  /** `--git-dir`, `--work-tree`: take precedence over the environment. */
  gitDir?: string;
  workTree?: string;
  /** `-c name=value`, in order. */
  config?: readonly { key: string; value: string | null }[];
  /** For a partial clone: fetches promised objects; absent: they are missing. */
  fetchPromised?: (repo: Repository, oids: readonly Oid[]) => Promise<void>;
  /** As in `Repository`. */
  warn?: (text: string, prefix?: "warning" | "error" | "hint" | "") => void;
}
